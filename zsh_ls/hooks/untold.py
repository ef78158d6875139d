"""What agents are told of a run that neither its exit, its output nor an insight tells of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsh_ls.lazy import attrs
from zsh_ls.model.words import Level

from .signs import ends_in_silence, may_have_failed

if TYPE_CHECKING:
    from zsh_ls.model.results import TaskResult

TIMED_OUT = 124


def untold_of(result: TaskResult) -> tuple[Level, str] | None:
    """A failure that `|| true` or the like hides, or what an exit means of a run that printed nothing."""
    said = result.insights or {}
    if result.exit is None or result.error is not None or said.get(Level.WARNING):
        return None
    from zsh_ls.model.agent_run import AgentRun  # noqa: PLC0415  of few runs there is something untold

    run = AgentRun(result.command, result.cwd, result.output, result.exit)
    if result.exit == 0:
        if not may_have_failed(result.output, 0, result.command):
            return None
        from .news import hidden_failure  # noqa: PLC0415

        hidden = hidden_failure(run)
        return None if hidden is None else (Level.WARNING, hidden)
    if result.exit != TIMED_OUT and not ends_in_silence(result.command, result.output):
        return None
    from .news import exit_by_its_program  # noqa: PLC0415

    meaning = exit_by_its_program(run)
    return None if meaning is None else (Level.INFO, meaning)


def with_untold(result: TaskResult) -> TaskResult:
    """`result` with that sentence as a line of its text and among its insights, where there is one."""
    untold = untold_of(result)
    if untold is None:
        return result
    level, sentence = untold
    said = result.insights or {}
    return attrs.evolve(
        result,
        formatted=f"{result.formatted}\nzsh-ls: {sentence}",
        insights={**said, level: [*said.get(level, ()), sentence]},
    )
