"""Rule `command-not-found`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.AFTER_RUN, Level.WARNING, order=2)
def command_not_found(run: CompletedRun) -> Iterator[Insight]:
    """Exit 127: the shell found no command of that name.

    Look for a spelling mistake, a missing package or a missing folder in
    `$PATH`.

        gti-status-of-nothing           #= 127
        #^^^^^^^^^^^^^^^^^^^^ warning: command not found (exit 127)

    A command that was found and failed is another matter:

        ls /nonexistent                 #= 2
    """
    if run.exit == 127:
        yield Insight(
            Level.WARNING,
            "command not found (exit 127)",
            span=run.last.span if run.last else None,
        )
