"""Rule `zsh-refuses`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level, Origin


@rule(RuleKind.AFTER_RUN, Level.WARNING, order=9)
def zsh_refuses(run: CompletedRun) -> Iterator[Insight]:
    """Zsh refused what bash takes: a pattern without a match, `==` in `[ ]`, `read -p`, `shopt`.

    What zsh said decides, so it is only said after a failure, with what to write instead:

        cat *.nosuch                    #= 1
        #< warning: zsh: an unmatched pattern is an error; quote it, or run it with shell=bash

    A pattern in quotes is the program's own affair:

        find /nonexistent -name '*.nosuch'    #= 1
    """
    failed = run.exit != 0 or any(segment.exit for segment in run.segments)
    if not failed or PurePath(run.shell).name != "zsh":
        return
    # Its patterns take longer to load than all other rules of this kind.
    from zsh_ls.insights.zsh_refusals import OTHER_SHELL, refused  # noqa: PLC0415

    shell = "--shell bash" if run.origin is Origin.CLI else "shell=bash"
    for advice in refused(run.command, run.output or run.output_end):
        yield Insight(Level.WARNING, f"zsh: {advice}, {OTHER_SHELL.format(shell=shell)}")
