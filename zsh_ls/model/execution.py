"""One finished execution: what ALAN learns, and what rules after a run look at."""

from __future__ import annotations

import attrs

from .words import Origin, Outcome


@attrs.frozen
class Execution:
    """How one command went.

    `exit` is the shell's own status (RUN-2) and `pipestatus` the statuses of
    the last pipeline's segments (RUN-3). For a killed task they are 137 and
    `(137,)`; a timed-out one has neither (`None`, `()`). `duration_s` of a
    killed task is the time before the signal. `output` is the whole of it where
    that is short, None where it is not known; it is never stored.
    """

    command: str
    shell: str
    exit: int | None
    pipestatus: tuple[int, ...]
    outcome: Outcome
    duration_s: float
    started_at: float
    session: str
    cwd: str = ""
    origin: Origin = Origin.EDITOR
    output_is_blank: bool = False
    output: str | None = None

    @property
    def ended_by_itself(self) -> bool:
        """Whether its duration is a sample, not a lower bound (POLL-4)."""
        return self.outcome in (Outcome.SUCCESS, Outcome.FAILURE)


def outcome_of(
    exit_status: int | None, *, timed_out: bool = False, killed: bool = False
) -> Outcome:
    """The outcome ALAN stores (ALAN-2)."""
    if killed:
        return Outcome.KILLED
    if timed_out:
        return Outcome.TIMEOUT
    return Outcome.SUCCESS if exit_status == 0 else Outcome.FAILURE
