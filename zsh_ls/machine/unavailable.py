"""How a fact that cannot be read is told: why, what is missing, what would tell."""

from __future__ import annotations

from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import Unavailable


def unreadable(problem: OSError | ValueError, what: str, *commands: str) -> Unavailable:
    """The fact `what` is kept by could not be read, or not be understood."""
    reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    proposed = tuple(ProposedCommand(command) for command in commands)
    return Unavailable(f"{what}: {reason}", what, proposed)
