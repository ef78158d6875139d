"""Durations of many runs as a histogram that can be added to another one (TEAM-2).

Buckets are 1% wide, so that what is told of them is within a bucket of what the durations
themselves would say, and a run that was cut short is on the right side of nearly every one that
ended. A code names a bucket and how the runs in it ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from functools import cached_property
from math import exp, floor, log

from zsh_ls.lazy import attrs

from .estimate import MIN_SUCCESSES, Curve
from .words import Outcome

_LOG_OF_WIDTH = log(1.01)
BUCKETS = 2200
"""From bucket 0, below a millisecond, up to 37 days."""
KINDS = 3


class Kind(IntEnum):
    """How a run ended whose duration is counted; the numbers are stored."""

    ENDED = 0
    FAILED = 1
    CUT_SHORT = 2


def bucket_of(duration_ms: int) -> int:
    """The bucket of a duration in milliseconds."""
    if duration_ms < 1:
        return 0
    return min(BUCKETS - 1, 1 + floor(log(duration_ms) / _LOG_OF_WIDTH))


def middle_s(bucket: int) -> float:
    """The duration in seconds that stands for a bucket."""
    return 0.0 if bucket == 0 else exp((bucket - 0.5) * _LOG_OF_WIDTH) / 1000


def code_of(duration_ms: int, outcome: Outcome, *, neutral: bool = False) -> int:
    """The code of a run; `neutral` is a failure with a known normal exit (ALAN-9), which counts as ended."""
    if outcome in (Outcome.TIMEOUT, Outcome.KILLED):
        kind = Kind.CUT_SHORT
    elif outcome is Outcome.FAILURE and not neutral:
        kind = Kind.FAILED
    else:
        kind = Kind.ENDED
    return bucket_of(duration_ms) * KINDS + kind


@attrs.frozen
class Histogram:
    """How many runs there are of each code; codes of no run are left out."""

    counts: Mapping[int, int] = attrs.Factory(dict)

    @classmethod
    def of(cls, codes: Iterable[int]) -> Histogram:
        """The histogram of runs with these codes."""
        return cls(dict(Counter(codes)))

    def plus(self, other: Histogram) -> Histogram:
        """Both together; the order in which histograms are added makes no difference."""
        summed = Counter(dict(self.counts))
        summed.update(dict(other.counts))
        return Histogram({code: count for code, count in summed.items() if count})

    def buckets(self, kind: Kind) -> Iterator[tuple[int, int]]:
        """The buckets of one kind of end, ascending, with their runs."""
        for code, count in sorted(self.counts.items()):
            if code % KINDS == kind:
                yield code // KINDS, count

    @cached_property
    def curve(self) -> Curve:
        """The survival curve, as `Curve.of` gives it for the durations themselves (POLL-4).

        Of runs in one bucket those that were cut short count as longer than those that ended.
        """
        successes = sum(count for _, count in self.buckets(Kind.ENDED))
        few = successes < MIN_SUCCESSES
        ended: Counter[int] = Counter()
        censored: Counter[int] = Counter()
        for code, count in self.counts.items():
            bucket, kind = divmod(code, KINDS)
            is_sample = kind == Kind.ENDED or (few and kind == Kind.FAILED)
            (ended if is_sample else censored)[bucket] += count
        at_risk = sum(self.counts.values())
        ends: dict[float, tuple[int, int]] = {}
        longest = 0.0
        for bucket in sorted(ended.keys() | censored.keys()):
            longest = middle_s(bucket)
            if ended[bucket]:
                ends[longest] = at_risk, ended[bucket]
            at_risk -= ended[bucket] + censored[bucket]
        return Curve(tuple(ends), tuple(ends.values()), longest, sum(ended.values()))
