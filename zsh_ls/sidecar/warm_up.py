"""What the first document and run would wait for, loaded beforehand by who serves several.

Each takes tens of milliseconds, once; in a thread, as everybody would wait for what is loaded on the loop.
"""

from __future__ import annotations


def warm_up_documents() -> None:
    """Load the rules, by a script that never was."""
    from zsh_ls.insights import static_of  # noqa: PLC0415  in the thread
    from zsh_ls.model.syntax import Dialect  # noqa: PLC0415
    from zsh_ls.shell.syntax.parser import parse  # noqa: PLC0415

    static_of(parse("#!/bin/zsh\nset -e\ncd a\nmake | tee b\n", Dialect.ZSH))


def warm_up_runs() -> None:
    """Load rules of runs, tables, the resolver, by a run that never was, and what answers and refuses."""
    from zsh_ls.answers import ask  # noqa: PLC0415, F401
    from zsh_ls.insights import after_run, before_run  # noqa: PLC0415
    from zsh_ls.insights.segments import with_pipeline  # noqa: PLC0415
    from zsh_ls.model.completed_run import CompletedRun, outcome_of  # noqa: PLC0415
    from zsh_ls.model.history import CommandHistory  # noqa: PLC0415
    from zsh_ls.shell.redaction.redact import redact  # noqa: PLC0415
    from zsh_ls.shell.template.identity import identify  # noqa: PLC0415
    from zsh_ls.sidecar import asking  # noqa: PLC0415, F401
    from zsh_ls.sidecar.faults import fault_answer  # noqa: PLC0415
    from zsh_ls.sidecar.to_json import to_json  # noqa: PLC0415
    from zsh_ls.verbosity.resolve import resolve  # noqa: PLC0415
    from zsh_ls.verbosity.values import ResolverInput  # noqa: PLC0415

    # The first refusal cost 40 ms of the loop: a name that cannot be changed, a script that lies elsewhere.
    to_json(fault_answer("", ValueError()))
    command = "true | true"
    identity = identify(command)
    redact("a-word-that-is-as-long-as-a-token")
    before_run(CommandHistory(identity.template, identity.base))
    run = CompletedRun(command, "zsh", 0, (1, 0), outcome_of(0), 0.0, 0.0, "", output_is_blank=True)
    after_run(with_pipeline(run))
    resolve(ResolverInput(command=command, exit=0, pipestatus=(0, 0), combined="warm\n"))
