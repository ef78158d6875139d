"""What a difference of starts is worth: its median, its spread, and whether it can be told from noise."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from zsh_ls.lazy import attrs

# A spread above this, and above a share of the difference, asks for more pairs.
SMALL_SPREAD_MS = 1.0
SMALL_SHARE = 0.1
# What a computer does to a start by itself.
_LEAST_MS = 0.5
LEAST_PAIRS = 3
# The spread of the median of that many pairs is smaller by its root; twice that is a usual bound.
_BOUND = 2.0
_QUARTILE_TO_DEVIATION = 1.48


@attrs.frozen
class Difference:
    """The median of differences, half the distance of their quartiles, and whether it is no accident."""

    median_ms: float
    spread_ms: float
    certain: bool


def difference(saved_ms: Sequence[float]) -> Difference:
    """What pairs of starts say: each number is one start as it is, less one without the lines.

    It is certain where the median is further from zero than its own uncertainty, twice the
    deviation of a median, and nearly all pairs agree.
    """
    median = statistics.median(saved_ms)
    spread = half_quartiles(saved_ms)
    bound = _bound(spread, len(saved_ms))
    agreeing = sum((it > 0) == (median > 0) for it in saved_ms)
    certain = (
        len(saved_ms) >= LEAST_PAIRS
        and abs(median) > max(bound, _LEAST_MS)
        and agreeing >= 0.8 * len(saved_ms)
    )
    return Difference(median, spread, certain)


def _bound(spread_ms: float, pairs: int) -> float:
    """How far from zero the median of so many pairs must be."""
    return _BOUND * _QUARTILE_TO_DEVIATION * 1.25 * spread_ms / math.sqrt(pairs)


def half_quartiles(values: Sequence[float]) -> float:
    """Half the distance of the quartiles; 0 of one value."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


def is_hopeless(saved_ms: Sequence[float], most_ms: float, most_pairs: int) -> bool:
    """Whether even so many pairs, as different as these, could not tell a difference of at most `most_ms`."""
    if len(saved_ms) < LEAST_PAIRS:
        return False
    told = difference(saved_ms)
    return max(abs(told.median_ms), most_ms) < _bound(told.spread_ms, most_pairs)


def wants_more(saved_ms: Sequence[float]) -> bool:
    """Whether the spread is so large that more pairs would tell more."""
    told = difference(saved_ms)
    return told.spread_ms > max(SMALL_SPREAD_MS, SMALL_SHARE * abs(told.median_ms))
