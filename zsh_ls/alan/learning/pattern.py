"""What is learnt of one pattern, and how observations change it. No I/O.

A pattern is a command (by its hash or by its whole redacted text), a template, a
base command, a pipeline segment, an ssh host or a remote command; all but the last
two are counted once for the project that they run in, and once for everywhere. Its
weights halve every half-life. They are decayed when a run is added, never when they
are read, and do not depend on the order in which runs are added:
`w(t) = sum of 2^-((t - t_i) / half_life)`.

Its last 64 durations are stored in 256 bytes, the ring (POLL-4): unsigned 32-bit
little-endian numbers, milliseconds shifted left by one, with the lowest bit set
if the run was cut short, and the highest if it ended with a failure. With 64
durations the median's error is 6% both for a command whose speed has changed and for
a steady one; 32 is worse for the second, 128 for the first (`python -m tests.bench
estimates`).
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import cached_property, lru_cache

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.estimate import Curve, Sample
from zsh_ls.model.words import Outcome

RING_LENGTH = 64
ENTRY_BYTES = 4
LONGEST_MS = 2**30 - 1
CENSORED_BIT, FAILED_BIT = 1, 2**31
# Up to here durations in seconds are made once: half of what a kept curve holds.
SHORT_MS = 4096
_SHORT_S: dict[int, float] = {}


def with_sample(
    ring: bytes,
    duration_ms: int,
    *,
    censored: bool,
    failed: bool = False,
    is_older: bool = False,
) -> bytes:
    """The ring with one more duration; `is_older` puts it before the others, if the ring is not full."""
    number = (
        min(max(duration_ms, 0), LONGEST_MS) << 1 | censored * CENSORED_BIT | failed * FAILED_BIT
    )
    entry = struct.pack("<I", number)
    kept = RING_LENGTH * ENTRY_BYTES
    if is_older:
        return ring if len(ring) >= kept else entry + ring
    return (ring + entry)[-kept:]


def without_samples(ring: bytes, gone: bytes) -> bytes:
    """The ring without the durations in `gone`; of equal ones the newest are removed."""
    # Whether a run failed is not compared: rings of before version 5 do not say it.
    entries, left = [], Counter(map(_without_failure, _entries(gone)))
    for entry in reversed(_entries(ring)):
        if left[_without_failure(entry)]:
            left[_without_failure(entry)] -= 1
        else:
            entries.append(entry)
    return b"".join(reversed(entries))


def _without_failure(entry: bytes) -> bytes:
    return entry[:-1] + bytes([entry[-1] & 0x7F])


def _entries(ring: bytes) -> list[bytes]:
    return [ring[at : at + ENTRY_BYTES] for at in range(0, len(ring), ENTRY_BYTES)]


def samples_of(ring: bytes) -> list[Sample]:
    """The durations of a ring, oldest first."""
    entries = array("I", ring)
    if sys.byteorder != "little":
        entries.byteswap()
    return [
        Sample(
            _seconds(entry >> 1 & LONGEST_MS), bool(entry & CENSORED_BIT), bool(entry & FAILED_BIT)
        )
        for entry in entries
    ]


def _seconds(duration_ms: int) -> float:
    """A duration in seconds; of short ones, which are most, each is one object for all curves."""
    if duration_ms > SHORT_MS:
        return duration_ms / 1000
    return _SHORT_S.setdefault(duration_ms, duration_ms / 1000)


def ended_in(ring: bytes) -> int:
    """How many of the ring's durations are samples of how long a run takes (POLL-4)."""
    return curve_of(ring).sample_size


@lru_cache(maxsize=2048)
def curve_of(ring: bytes) -> Curve:
    """The survival curve of a ring. Cached: a script's lines are looked up again with every edit."""
    return Curve.of(samples_of(ring))


class PatternKind(IntEnum):
    """What a pattern stands for; the numbers are stored."""

    COMMAND = 0
    TEMPLATE = 1
    BASE = 2
    SEGMENT = 3
    HOST = 4
    REMOTE = 5
    EXACT = 6


class OutcomeCounts(NamedTuple):
    """Counts of runs by outcome, plain or weighted by age.

    `hiding` are the successes that hid a failing segment (ALAN-15).
    """

    runs: float = 0
    succeeded: float = 0
    timed_out: float = 0
    killed: float = 0
    hiding: float = 0

    def plus(self, other: OutcomeCounts, times: float = 1, faded: float = 1) -> OutcomeCounts:
        """`faded` times these counts plus `times` the others."""
        runs, succeeded, timed_out, killed, hiding = self
        more_runs, more_succeeded, more_timed_out, more_killed, more_hiding = other
        return OutcomeCounts(
            runs * faded + more_runs * times,
            succeeded * faded + more_succeeded * times,
            timed_out * faded + more_timed_out * times,
            killed * faded + more_killed * times,
            hiding * faded + more_hiding * times,
        )

    def share(self, figure: float) -> float:
        """`figure` divided by the number of runs, 0.0 if there are none."""
        return figure / self.runs if self.runs else 0.0


NO_RUNS = OutcomeCounts()

INTERRUPTED_EXIT = 130
"""The exit of what SIGINT ended."""


@attrs.frozen
class Observation:
    """One run as a pattern counts it.

    `outcome` is None if an imported history does not record it. `duration_ms` is
    None if the run is no duration sample. `neutral` is a failure with a known
    normal exit, which does not change streaks (ALAN-4). A success that is `hiding` hid
    a failing segment (ALAN-15). A run `from_history` may
    be older than runs that were counted already. `elsewhere` is a run that another
    program did (`Origin.is_elsewhere`).
    """

    at_ms: int
    outcome: Outcome | None
    exit: int | None = None
    duration_ms: int | None = None
    neutral: bool = False
    hiding: bool = False
    from_history: bool = False
    elsewhere: bool = False

    @cached_property
    def tally(self) -> OutcomeCounts:
        """The counts of this one run; all are zero if its outcome is unknown."""
        if self.outcome is None:
            return NO_RUNS
        return OutcomeCounts(
            1,
            self.outcome is Outcome.SUCCESS,
            self.outcome is Outcome.TIMEOUT,
            self.outcome is Outcome.KILLED,
            self.hiding,
        )

    @property
    def failed(self) -> bool:
        """Whether it ended with a failure that is no known normal exit."""
        return self.outcome is Outcome.FAILURE and not self.neutral

    @cached_property
    def censored(self) -> bool:
        """Whether the run was cut short, by Ctrl-C too: its full duration is unknown (POLL-4)."""
        is_interrupted = self.outcome is Outcome.FAILURE and self.exit == INTERRUPTED_EXIT
        return is_interrupted or self.outcome in (Outcome.TIMEOUT, Outcome.KILLED)


@attrs.frozen
class PatternRow:
    """A pattern's row. `weights` are as of `at_ms`, the newest run's end in Unix milliseconds.

    `project` is the id of the place whose runs it counts, None for everywhere.
    `streak` counts successes in a row, negative for failures; `sound` are those of
    them since the last that hid a failing segment (ALAN-15). `total_ms` and
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
    sound: int = 0
    project: int | None = None

    @property
    def runs(self) -> int:
        """How many runs have a known outcome; if none has, how many runs there are."""
        return self.judged or self.unjudged

    @property
    def judged(self) -> int:
        """How many runs have a known outcome."""
        return int(self.counts.runs)

    @property
    def is_empty(self) -> bool:
        """Whether it has counted no run."""
        return self.counts.runs <= 0 and self.unjudged <= 0

    @property
    def failed(self) -> int:
        """How many runs did not succeed."""
        return int(self.counts.runs - self.counts.succeeded)

    @property
    def success_rate(self) -> float:
        """The share of successes, weighted by age."""
        return self.weights.share(self.weights.succeeded)

    @property
    def sound_rate(self) -> float:
        """The share of successes that hid no failing segment, weighted by age (ALAN-15)."""
        return self.weights.share(max(0.0, self.weights.succeeded - self.weights.hiding))

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
        """The unweighted mean duration of the runs that ended by themselves, 0.0 if none did."""
        return self.total_ms / self.samples / 1000 if self.samples else 0.0

    def after(self, observation: Observation, half_life_ms: float) -> PatternRow:
        """The pattern with one more run counted."""
        return self.after_all((observation,), half_life_ms)

    def after_all(self, observations: Iterable[Observation], half_life_ms: float) -> PatternRow:
        """The pattern with more runs counted, in their order."""
        learner = _Learner(self)
        for observation in observations:
            learner.learn(observation, half_life_ms)
        return learner.pattern()


class _Learner:
    """A mutable pattern: an import counts thousands of runs, too many for a new PatternRow each."""

    __slots__ = (
        "at_ms",
        "before",
        "counts",
        "last_exit",
        "longest_failure",
        "longest_success",
        "ring",
        "samples",
        "sound",
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
        self.streak, self.sound = before.streak, before.sound
        self.longest_success, self.longest_failure = before.longest_success, before.longest_failure
        self.total_ms, self.samples = before.total_ms, before.samples
        self.ring, self.last_exit = before.ring, before.last_exit

    def learn(self, observation: Observation, half_life_ms: float) -> None:
        newest = observation.at_ms >= self.at_ms
        self._count(observation, half_life_ms, newest=newest)
        self._update_streak(observation, newest=newest)
        if observation.duration_ms is not None:
            self._add_duration(observation, observation.duration_ms, newest=newest)
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

    def _add_duration(self, observation: Observation, duration_ms: int, *, newest: bool) -> None:
        if not observation.censored:
            self.total_ms += duration_ms
            self.samples += 1
        is_older = observation.from_history and not newest
        self.ring = with_sample(
            self.ring,
            duration_ms,
            censored=observation.censored,
            failed=observation.failed,
            is_older=is_older,
        )

    def _update_streak(self, observation: Observation, *, newest: bool) -> None:
        is_out_of_order = observation.from_history and not newest
        if observation.neutral or observation.outcome is None or is_out_of_order:
            return
        if observation.outcome is Outcome.SUCCESS:
            self.streak = max(self.streak, 0) + 1
            self.longest_success = max(self.longest_success, self.streak)
            self.sound = 0 if observation.hiding else self.sound + 1
        else:
            self.sound = 0
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
            sound=self.sound,
        )
