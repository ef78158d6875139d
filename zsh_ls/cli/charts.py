"""Durations as text on a terminal: over time, and as a histogram; runs that were cut short stand apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from zsh_ls.lazy.typing import NamedTuple

COLUMNS = 80
ROWS = 8
BINS = 8
LONGEST_BAR = 40
ENDED, CUT_SHORT = "•", "×"
ENDED_BAR = "█"
# Above this ratio of the longest to the shortest, steps are of equal ratio.
WIDE = 20.0
SHORTEST_S = 0.001
MOST_DIGITS = 4


class Drawn(NamedTuple):
    """A run to draw; one that `was_cut_short` timed out or was killed: it would have taken longer."""

    duration_s: float
    was_cut_short: bool


class _Scale:
    """Steps of duration from the shortest to the longest run."""

    def __init__(self, runs: Sequence[Drawn], steps: int) -> None:
        lengths = [max(run.duration_s, SHORTEST_S) for run in runs]
        self._low, self._high, self._steps = min(lengths), max(lengths), steps
        self.is_logarithmic = self._high / self._low > WIDE
        self._digits = self._digits_needed()

    def step(self, run: Drawn) -> int:
        """The number of the run's step, from 0."""
        length = self._position(max(run.duration_s, SHORTEST_S))
        return min(self._steps - 1, int(length * self._steps))

    def _position(self, length: float) -> float:
        if self._high == self._low:
            return 0.0
        if self.is_logarithmic:
            return math.log(length / self._low) / math.log(self._high / self._low)
        return (length - self._low) / (self._high - self._low)

    def beginning_s(self, step: int) -> float:
        """The duration with which a step begins."""
        share = step / self._steps
        if self.is_logarithmic:
            return float(self._low * (self._high / self._low) ** share)
        return self._low + share * (self._high - self._low)

    def label(self, step: int) -> str:
        """That duration in seconds, with as many digits as tell the steps apart: `2.5s`, `0.045s`."""
        return f"{self.beginning_s(step):.{self._digits}f}s"

    def _digits_needed(self) -> int:
        beginnings = [self.beginning_s(step) for step in range(self._steps + 1)]
        wanted = 1 if self._high == self._low else len(beginnings)
        for digits in range(1, MOST_DIGITS):
            labels = {f"{it:.{digits}f}" for it in beginnings}
            if len(labels) == wanted and float(min(labels)) > 0:
                return digits
        return MOST_DIGITS


def over_time(runs: Sequence[Drawn]) -> Iterator[str]:
    """A row for each step of duration, the longest above; a column for each run, the oldest first."""
    if not runs:
        return
    scale = _Scale(runs, ROWS)
    steps = [scale.step(run) for run in runs]
    for row in reversed(range(ROWS)):
        marks = (
            (CUT_SHORT if run.was_cut_short else ENDED) if step == row else " "
            for run, step in zip(runs, steps, strict=True)
        )
        yield f"{scale.label(row):>10} ┤{''.join(marks)}".rstrip()
    axis, note = f"{'':10} └{'─' * len(runs)}", f"{len(runs)} runs, the oldest first{_note(scale)}"
    if len(axis) + 1 + len(note) <= COLUMNS:
        yield f"{axis} {note}"
    else:
        yield axis
        yield f"{'':12}{note}"


def histogram(runs: Sequence[Drawn]) -> Iterator[str]:
    """A row for each step of duration: how many runs ended in it, and how many were cut short."""
    if not runs:
        return
    scale = _Scale(runs, BINS)
    counts = [[0, 0] for _ in range(BINS)]
    for run in runs:
        counts[scale.step(run)][run.was_cut_short] += 1
    full = max(map(sum, counts))
    unit = max(1.0, full / LONGEST_BAR)
    width = len(scale.label(BINS))
    for step, (ended, cut_short) in enumerate(counts):
        bars = ENDED_BAR * math.ceil(ended / unit) + CUT_SHORT * math.ceil(cut_short / unit)
        words = [f"{ended} ended"] * bool(ended) + [f"{cut_short} cut short"] * bool(cut_short)
        end = scale.label(step + 1)
        yield f"{scale.label(step):>10} to {end:{width}}  {bars} {', '.join(words)}".rstrip()


def _note(scale: _Scale) -> str:
    return "; steps of equal ratio" if scale.is_logarithmic else ""
