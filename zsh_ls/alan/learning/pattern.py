"""What is learnt of one pattern, and how one more run changes it. No I/O.

A pattern is a command (by its hash), a template, a base command, a pipeline
segment, an ssh host or a remote command. Its weights halve every half-life;
they are decayed when a run is added, so that reading never changes them, and
the sum is exact whatever the order in which runs arrive:
`w(t) = sum of 2^-((t - t_i) / half_life)`.

Its last 64 durations take 256 bytes (POLL-4): unsigned 32-bit little-endian
numbers, milliseconds shifted left by one, with the lowest bit set where the run
was cut short. 64 is where the error of the median after a change of speed (6%)
meets that of a steady command (6%); 32 and 128 lose on one side each
(`python -m tests.bench estimates`).
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NamedTuple

import attrs

from zsh_ls.model.estimate import Curve, Sample
from zsh_ls.model.words import Outcome

RING_LENGTH = 64
ENTRY_BYTES = 4
LONGEST_MS = 2**31 - 1
_CUT_SHORT = bytes(low_byte & 1 for low_byte in range(256))


def with_sample(ring: bytes, duration_ms: int, *, censored: bool, is_older: bool = False) -> bytes:
    """The ring with one more duration; an older one goes before the rest, if there is room."""
    entry = struct.pack("<I", min(max(duration_ms, 0), LONGEST_MS) << 1 | censored)
    kept = RING_LENGTH * ENTRY_BYTES
    if is_older:
        return ring if len(ring) >= kept else entry + ring
    return (ring + entry)[-kept:]


def without_samples(ring: bytes, gone: bytes) -> bytes:
    """The ring without as many of each duration as there are in `gone`, the newest of them first."""
    entries, left = [], Counter(_entries(gone))
    for entry in reversed(_entries(ring)):
        if left[entry]:
            left[entry] -= 1
        else:
            entries.append(entry)
    return b"".join(reversed(entries))


def _entries(ring: bytes) -> list[bytes]:
    return [ring[at : at + ENTRY_BYTES] for at in range(0, len(ring), ENTRY_BYTES)]


def without_newest_if_cut(ring: bytes) -> bytes:
    """The ring before its last run, where that one was cut short: what was known when it was killed."""
    return ring[:-ENTRY_BYTES] if ring and ring[-ENTRY_BYTES] & 1 else ring


def samples_of(ring: bytes) -> list[Sample]:
    """The durations of a ring, oldest first."""
    entries = array("I", ring)
    if sys.byteorder != "little":
        entries.byteswap()
    return [Sample((entry >> 1) / 1000, bool(entry & 1)) for entry in entries]


def ended_in(ring: bytes) -> int:
    """How many runs of the ring ended by themselves."""
    return ring[::ENTRY_BYTES].translate(_CUT_SHORT).count(0)


@lru_cache(maxsize=512)
def curve_of(ring: bytes) -> Curve:
    """The survival curve of a ring; kept, because the same lines of a script are looked at again."""
    return Curve.of(samples_of(ring))


class PatternKind(IntEnum):
    """What a pattern stands for; the numbers are stored."""

    COMMAND = 0
    TEMPLATE = 1
    BASE = 2
    SEGMENT = 3
    HOST = 4
    REMOTE = 5


class OutcomeCounts(NamedTuple):
    """How many runs, and how many of them went which way; plain or weighted by age."""

    runs: float = 0
    succeeded: float = 0
    timed_out: float = 0
    killed: float = 0

    def plus(self, other: OutcomeCounts, times: float = 1, faded: float = 1) -> OutcomeCounts:
        """`faded` times these figures and `times` the others."""
        runs, succeeded, timed_out, killed = self
        more_runs, more_succeeded, more_timed_out, more_killed = other
        return OutcomeCounts(
            runs * faded + more_runs * times,
            succeeded * faded + more_succeeded * times,
            timed_out * faded + more_timed_out * times,
            killed * faded + more_killed * times,
        )

    def share(self, figure: float) -> float:
        """`figure` as a share of the runs, 0.0 where there are none."""
        return figure / self.runs if self.runs else 0.0


NO_RUNS = OutcomeCounts()


@attrs.frozen
class Observation:
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
    def tally(self) -> OutcomeCounts:
        """The run as one of the runs; one of unknown outcome is not judged and counts for none."""
        if self.outcome is None:
            return NO_RUNS
        return OutcomeCounts(
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
class PatternRow:
    """One row of memory. `weights` are as of `at_ms`, the newest run's end.

    `streak` counts successes in a row, negative for failures; `total_ms` and
    `samples` are the plain sums of the runs that ended by themselves.
    """

    key: int
    kind: PatternKind
    text: str
    at_ms: int
    counts: OutcomeCounts = NO_RUNS
    weights: OutcomeCounts = NO_RUNS
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

    def after(self, observation: Observation, half_life_ms: float) -> PatternRow:
        """The pattern with one more run."""
        return self.after_all((observation,), half_life_ms)

    def after_all(self, observations: Iterable[Observation], half_life_ms: float) -> PatternRow:
        """The pattern with more runs, in their order."""
        learner = _Learner(self)
        for observation in observations:
            learner.learn(observation, half_life_ms)
        return learner.pattern()


class _Learner:
    """A pattern while it learns: an import teaches one a thousand times, too often to make it anew."""

    __slots__ = (
        "at_ms",
        "before",
        "counts",
        "last_exit",
        "longest_failure",
        "longest_success",
        "ring",
        "samples",
        "streak",
        "total_ms",
        "unjudged",
        "weights",
    )

    def __init__(self, before: PatternRow) -> None:
        self.before = before
        self.at_ms = before.at_ms
        self.counts, self.weights = before.counts, before.weights
        self.unjudged = before.unjudged
        self.streak = before.streak
        self.longest_success, self.longest_failure = before.longest_success, before.longest_failure
        self.total_ms, self.samples = before.total_ms, before.samples
        self.ring, self.last_exit = before.ring, before.last_exit

    def learn(self, observation: Observation, half_life_ms: float) -> None:
        newest = observation.at_ms >= self.at_ms
        self._count(observation, half_life_ms, newest=newest)
        self._follow_streak(observation, newest=newest)
        if observation.duration_ms is not None:
            self._time(observation, observation.duration_ms, newest=newest)
        if newest:
            self.at_ms, self.last_exit = observation.at_ms, observation.exit

    def _count(self, observation: Observation, half_life_ms: float, *, newest: bool) -> None:
        if observation.outcome is None:
            self.unjudged += 1
            if not newest:
                return
        faded: float = 0.5 ** (abs(observation.at_ms - self.at_ms) / half_life_ms)
        old, new = (faded, 1.0) if newest else (1.0, faded)
        self.weights = self.weights.plus(observation.tally, times=new, faded=old)
        self.counts = self.counts.plus(observation.tally)

    def _time(self, observation: Observation, duration_ms: int, *, newest: bool) -> None:
        if not observation.censored:
            self.total_ms += duration_ms
            self.samples += 1
        is_older = observation.from_history and not newest
        self.ring = with_sample(
            self.ring, duration_ms, censored=observation.censored, is_older=is_older
        )

    def _follow_streak(self, observation: Observation, *, newest: bool) -> None:
        out_of_turn = observation.from_history and not newest
        if observation.neutral or observation.outcome is None or out_of_turn:
            return
        if observation.outcome is Outcome.SUCCESS:
            self.streak = max(self.streak, 0) + 1
            self.longest_success = max(self.longest_success, self.streak)
        else:
            self.streak = min(self.streak, 0) - 1
            self.longest_failure = max(self.longest_failure, -self.streak)

    def pattern(self) -> PatternRow:
        return attrs.evolve(
            self.before,
            at_ms=self.at_ms,
            counts=self.counts,
            weights=self.weights,
            unjudged=self.unjudged,
            streak=self.streak,
            longest_success=self.longest_success,
            longest_failure=self.longest_failure,
            total_ms=self.total_ms,
            samples=self.samples,
            ring=self.ring,
            last_exit=self.last_exit,
        )
