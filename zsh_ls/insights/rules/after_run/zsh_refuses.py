"""Rule `zsh-refuses`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.segments import refusals_in
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level, Origin


@rule(RuleKind.AFTER_RUN, Level.WARNING, order=9)
def zsh_refuses(run: CompletedRun) -> Iterator[Insight]:
    """Zsh refused what bash takes: a pattern without a match, `==` in `[ ]`, `read -p`, `shopt`.

    What zsh said decides, also where the line went on and ended well; it is told what to write instead:

        cat *.nosuch                    #= 1
        #< warning: zsh: an unmatched pattern is an error; quote it, or run it with shell=bash

    A pattern in quotes is the program's own affair:

        find /nonexistent -name '*.nosuch'    #= 1
    """
    shell = "--shell bash" if run.origin is Origin.CLI else "shell=bash"
    for advice in refusals_in(run):
        yield Insight(Level.WARNING, f"zsh: {advice}, or run it with {shell}")
