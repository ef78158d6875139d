"""Sorting very many values without holding up other threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import merge
from itertools import chain, pairwise
from typing import Any, TypeVar

Value = TypeVar("Value")

# No other thread runs while so many keys are compared: some milliseconds. Of 400,000 it was up to a second.
AT_ONCE = 10_000


def sorted_in_turns(values: Iterable[Value], key: Callable[[Value], Any]) -> list[Value]:
    """What `sorted` gives, some values at a time; `key` is a function of Python, not of C."""
    every = list(values)
    if len(every) <= AT_ONCE:
        return sorted(every, key=key)
    starts = range(0, len(every), AT_ONCE)
    parts = [sorted(every[start : start + AT_ONCE], key=key) for start in starts]
    if all(key(first[-1]) <= key(second[0]) for first, second in pairwise(parts)):
        return list(chain.from_iterable(parts))
    return list(merge(*parts, key=key))
