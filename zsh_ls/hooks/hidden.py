"""What agents are told of a failure that neither the exit nor an insight of its run tells of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsh_ls.lazy import attrs
from zsh_ls.model.words import Level

from .signs import may_have_failed

if TYPE_CHECKING:
    from zsh_ls.model.results import TaskResult


def hidden_failure_of(result: TaskResult) -> str | None:
    """The sentence about a failure that is hidden by other means than a pipe: that of `|| true`."""
    if result.exit != 0 or (result.insights or {}).get(Level.WARNING):
        return None
    if not may_have_failed(result.output, 0):
        return None
    from zsh_ls.model.agent_run import AgentRun  # noqa: PLC0415  few outputs look like a failure

    from .news import hidden_failure  # noqa: PLC0415

    return hidden_failure(AgentRun(result.command, result.cwd, result.output, 0))


def with_hidden_failure(result: TaskResult) -> TaskResult:
    """`result` with that sentence as a line of its text and among its warnings, where there is one."""
    said = hidden_failure_of(result)
    if said is None:
        return result
    return attrs.evolve(
        result,
        formatted=f"{result.formatted}\nzsh-ls: {said}",
        insights={**(result.insights or {}), Level.WARNING: [said]},
    )
