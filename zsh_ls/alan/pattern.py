"""What is learnt of one pattern, and how one more run changes it. No I/O.

A pattern is a command (by its hash), a template, a base command, a pipeline
segment, an ssh host or a remote command. Its weights halve every half-life;
they are decayed when a run is added, so that reading never changes them, and
the sum is exact whatever the order in which runs arrive:
`w(t) = sum of 2^-((t - t_i) / half_life)`.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import attrs

from zsh_ls.model.words import Outcome

from .ring import with_sample


class Kind(IntEnum):
    """What a pattern stands for; the numbers are stored."""

    COMMAND = 0
    TEMPLATE = 1
    BASE = 2
    SEGMENT = 3
    HOST = 4
    REMOTE = 5


class Tally(NamedTuple):
    """How many runs, and how many of them went which way; plain or weighted by age."""

    runs: float = 0
    succeeded: float = 0
    timed_out: float = 0
    killed: float = 0

    def scaled(self, by: float) -> Tally:
        """Every figure times `by`."""
        runs, succeeded, timed_out, killed = self
        return Tally(runs * by, succeeded * by, timed_out * by, killed * by)

    def plus(self, other: Tally, times: float = 1) -> Tally:
        """These figures and `times` the others."""
        return Tally(
            self.runs + other.runs * times,
            self.succeeded + other.succeeded * times,
            self.timed_out + other.timed_out * times,
            self.killed + other.killed * times,
        )

    def share(self, figure: float) -> float:
        """`figure` as a share of the runs, 0.0 where there are none."""
        return figure / self.runs if self.runs else 0.0


NO_RUNS = Tally()


@attrs.frozen
class Lesson:
    """What one run teaches a pattern.

    `outcome` is None where a history was taken in that does not know it.
    `duration_ms` is None where the run is no duration sample. A `neutral` run
    is a failure with a known normal exit: it touches no streak (ALAN-4). A
    run `from_history` may be older than what is known already. `elsewhere` is
    of a run that was none of this program's (`Origin.is_elsewhere`).
    """

    at_ms: int
    outcome: Outcome | None
    exit: int | None = None
    duration_ms: int | None = None
    neutral: bool = False
    from_history: bool = False
    elsewhere: bool = False

    @cached_property
    def tally(self) -> Tally:
        """The run as one of the runs; one of unknown outcome is not judged and counts for none."""
        if self.outcome is None:
            return NO_RUNS
        return Tally(
            1,
            self.outcome is Outcome.SUCCESS,
            self.outcome is Outcome.TIMEOUT,
            self.outcome is Outcome.KILLED,
        )

    @cached_property
    def censored(self) -> bool:
        """Whether the run was cut short and would have lasted longer (POLL-4)."""
        return self.outcome in (Outcome.TIMEOUT, Outcome.KILLED)


@attrs.frozen
class Pattern:
    """One row of memory. `weights` are as of `at_ms`, the newest run's end.

    `streak` counts successes in a row, negative for failures; `total_ms` and
    `samples` are the plain sums of the runs that ended by themselves.
    """

    key: int
    kind: Kind
    text: str
    at_ms: int
    counts: Tally = NO_RUNS
    weights: Tally = NO_RUNS
    unjudged: int = 0
    streak: int = 0
    longest_success: int = 0
    longest_failure: int = 0
    total_ms: int = 0
    samples: int = 0
    ring: bytes = b""
    last_exit: int | None = None

    @property
    def runs(self) -> int:
        """Runs whose outcome is known; where none is, all."""
        return int(self.counts.runs) or self.unjudged

    @property
    def is_empty(self) -> bool:
        """Whether it has learnt nothing."""
        return self.counts.runs <= 0 and self.unjudged <= 0

    @property
    def failed(self) -> int:
        """Runs that did not succeed."""
        return int(self.counts.runs - self.counts.succeeded)

    @property
    def success_rate(self) -> float:
        """The share of successes, weighted by age."""
        return self.weights.share(self.weights.succeeded)

    @property
    def timeout_rate(self) -> float:
        """The share of timeouts, weighted by age."""
        return self.weights.share(self.weights.timed_out)

    @property
    def kill_rate(self) -> float:
        """The share of kills, weighted by age."""
        return self.weights.share(self.weights.killed)

    @property
    def mean_s(self) -> float:
        """The plain mean of the runs that ended by themselves, 0.0 where none did."""
        return self.total_ms / self.samples / 1000 if self.samples else 0.0

    def after(self, lesson: Lesson, half_life_ms: float) -> Pattern:
        """The pattern with one more run."""
        newest = lesson.at_ms >= self.at_ms
        faded = 0.5 ** (abs(lesson.at_ms - self.at_ms) / half_life_ms)
        old, new = (faded, 1.0) if newest else (1.0, faded)
        is_sample = lesson.duration_ms is not None and not lesson.censored
        streak = self._streak_after(lesson, newest=newest)
        return Pattern(
            key=self.key,
            kind=self.kind,
            text=self.text,
            at_ms=max(self.at_ms, lesson.at_ms),
            counts=self.counts.plus(lesson.tally),
            weights=self.weights.scaled(old).plus(lesson.tally, times=new),
            unjudged=self.unjudged + (lesson.outcome is None),
            streak=streak,
            longest_success=max(self.longest_success, streak),
            longest_failure=max(self.longest_failure, -streak),
            total_ms=self.total_ms + ((lesson.duration_ms or 0) if is_sample else 0),
            samples=self.samples + is_sample,
            ring=self._ring_with(lesson, newest=newest),
            last_exit=lesson.exit if newest else self.last_exit,
        )

    def _ring_with(self, lesson: Lesson, *, newest: bool) -> bytes:
        if lesson.duration_ms is None:
            return self.ring
        is_older = lesson.from_history and not newest
        return with_sample(
            self.ring, lesson.duration_ms, censored=lesson.censored, is_older=is_older
        )

    def _streak_after(self, lesson: Lesson, *, newest: bool) -> int:
        out_of_turn = lesson.from_history and not newest
        if lesson.neutral or lesson.outcome is None or out_of_turn:
            return self.streak
        if lesson.outcome is Outcome.SUCCESS:
            return max(self.streak, 0) + 1
        return min(self.streak, 0) - 1
