"""Rule `permission-denied`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level


@rule(RuleKind.AFTER_RUN, Level.WARNING, order=3)
def permission_denied(run: CompletedRun) -> Iterator[Insight]:
    """Exit 126: the command is there and may not be executed.

    The file lacks its `x` bit, is a folder, or lies on a file system mounted
    `noexec`.

        /etc/passwd                     #= 126
        #^^^^^^^^^^ warning: permission denied (exit 126)

    A command that runs and is itself refused something has an exit of its own:

        cat /                           #= 1
    """
    if run.exit == 126:
        yield Insight(
            Level.WARNING,
            "permission denied (exit 126)",
            span=run.last.span if run.last else None,
        )
