"""What the first run and document would wait for, loaded beforehand by who serves several."""

from __future__ import annotations

from zsh_ls.insights import after_run, before_run, static_of
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.redaction.redact import redact
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.template.identity import identify
from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import ResolverInput


def warm_up() -> None:
    """Load rules, tables and the resolver, by a run and a script that never were.

    Takes tens of milliseconds, once; in a thread, as everybody would wait for what is loaded on the loop.
    """
    command = "true | true"
    identity = identify(command)
    redact("a-word-that-is-as-long-as-a-token")
    before_run(CommandHistory(identity.template, identity.base))
    run = CompletedRun(command, "zsh", 0, (1, 0), outcome_of(0), 0.0, 0.0, "", output_is_blank=True)
    after_run(with_pipeline(run))
    static_of(parse("#!/bin/zsh\nset -e\ncd a\nmake | tee b\n", Dialect.ZSH))
    resolve(ResolverInput(command=command, exit=0, pipestatus=(0, 0), combined="warm\n"))
