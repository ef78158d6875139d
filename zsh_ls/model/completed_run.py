"""A run that has ended: what memory learns from, what rules judge, what lines and answers show."""

from __future__ import annotations

from zsh_ls.lazy import attrs

from .places import TestResult
from .span import Span
from .syntax import Pipeline
from .words import Origin, Outcome

SIGPIPE_STATUS = 141


@attrs.frozen
class CompletedSegment:
    """One segment of the pipeline that gave the exit.

    `command` is the base name of the program, looked through sudo and the
    like, `words` the segment's words; both are empty, and `span` is None,
    where it is not known which words gave this exit. `normal_meaning` is what
    the exit says where it is no failure of this command: `no match`.
    """

    exit: int
    command: str = ""
    words: tuple[str, ...] = ()
    span: Span | None = None
    normal_meaning: str | None = None


@attrs.frozen
class CompletedRun:
    """How one command went.

    `exit` is the shell's own status (RUN-2) and `pipestatus` the statuses of
    the last pipeline's segments (RUN-3). For a killed task they are 137 and
    `(137,)`; a timed-out one has neither (`None`, `()`). `duration_s` of a
    killed task is the time before the signal.

    What it printed is never stored: `output` is the whole of it where that is
    short, None where it is not known, `output_end` the last of it, where the
    run is a failure.

    `pipeline` is the pipeline of `command` that `pipestatus` speaks of, None
    where that is not certain or nobody had it read
    (`insights.segments.with_pipeline`); `segments` has one for each status. Of a
    script, whose `pipestatus` is of a pipeline inside it, the two are of the
    command that ran the script.

    `is_usage_failure` says that it failed because the command was called wrongly (MAN-1).

    `pipefail` says that the text has set that option where the pipeline stands.

    `project` is the project's folder (ALAN-13), None for a run of no project.

    `outcome` is None where an agent's hook tells of a run and not of its exit, and `is_timed` is false where
    nobody told how long it took (HOOK-1).

    `tests` are those whose results the output names, and what is inferred of others (PLACE-3).
    """

    command: str
    shell: str
    exit: int | None
    pipestatus: tuple[int, ...]
    outcome: Outcome | None
    duration_s: float
    started_at: float
    session: str
    cwd: str = ""
    project: str | None = None
    origin: Origin = Origin.EDITOR
    output_is_blank: bool = False
    output: str | None = None
    output_end: str = ""
    is_usage_failure: bool = False
    is_timed: bool = True
    tests: tuple[TestResult, ...] = ()
    pipeline: Pipeline | None = None
    pipefail: bool = False
    segments: tuple[CompletedSegment, ...] = attrs.field()

    @segments.default
    def _segments_without_words(self) -> tuple[CompletedSegment, ...]:
        return tuple(map(CompletedSegment, self.pipestatus))

    @property
    def scope(self) -> str:
        """The folder by which memory counts it: the project's, without one the run's own (ALAN-13)."""
        return self.cwd if self.project is None else self.project

    @property
    def ended_by_itself(self) -> bool:
        """Whether its duration is a sample, not a lower bound (POLL-4)."""
        return self.outcome in (Outcome.SUCCESS, Outcome.FAILURE)

    @property
    def hides_failure(self) -> bool:
        """Whether exit 0 hides a failing segment: one neither normal nor ended by SIGPIPE (ALAN-15)."""
        return self.exit == 0 and any(
            segment.exit not in (0, SIGPIPE_STATUS) and segment.normal_meaning is None
            for segment in self.segments[:-1]
        )

    @property
    def last(self) -> CompletedSegment | None:
        """The segment whose exit is the run's own; None where `pipefail`, `!` or a list made it."""
        if self.segments and self.segments[-1].exit == self.exit:
            return self.segments[-1]
        return None

    def without_texts(self) -> CompletedRun:
        """The run without its output and its segments' words: what may wait to be written."""
        segments = tuple(map(CompletedSegment, self.pipestatus))
        return attrs.evolve(self, output=None, output_end="", pipeline=None, segments=segments)


def outcome_of(
    exit_status: int | None, *, timed_out: bool = False, killed: bool = False
) -> Outcome:
    """The outcome ALAN stores (ALAN-2)."""
    if killed:
        return Outcome.KILLED
    if timed_out:
        return Outcome.TIMEOUT
    return Outcome.SUCCESS if exit_status == 0 else Outcome.FAILURE
