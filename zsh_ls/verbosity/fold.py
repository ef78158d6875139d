"""Folds what a runner says of passed tests, where clients would cut a long answer themselves (VERB-9).

For answers to agents alone: the language server, the command line and `fit` fold nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.lazy import attrs

from .lines import RenderedLines
from .results import passed_lines

FOLDED_FROM_CHARS = 24_000
# A line for the fold would not be shorter.
MIN_FOLDED_LINES = 2


@attrs.frozen
class FoldedText:
    """The rows of an output, each with its line number, without one where it counts `hidden` lines."""

    rows: tuple[tuple[int | None, str], ...]
    hidden: int


def folded(output: str, first_line: int = 1) -> FoldedText | None:
    """The `output` of a failed test with the lines that report passed tests as counts with their numbers.

    Every other line stays whole. None where nothing is folded: of up to FOLDED_FROM_CHARS, and
    where no runner is known for certain. `first_line` is the number of its first line.
    """
    if len(output) <= FOLDED_FROM_CHARS:
        return None
    lines = RenderedLines.of(output)
    ranges = [(a, b) for a, b in _ranges(passed_lines(lines)) if b - a >= MIN_FOLDED_LINES]
    if not ranges:
        return None
    hidden = sum(stop - start for start, stop in ranges)
    return FoldedText(tuple(_with_folds(lines.rows, ranges, first_line)), hidden)


def _with_folds(
    rows: Sequence[str], ranges: Sequence[tuple[int, int]], first_line: int
) -> Iterator[tuple[int | None, str]]:
    at = 0
    for start, stop in ranges:
        yield from enumerate(rows[at:start], at + first_line)
        numbers = f"{start + first_line}-{stop + first_line - 1}"
        yield None, f"... {stop - start} lines of passed tests folded, lines {numbers}"
        at = stop
    yield from enumerate(rows[at:], at + first_line)


def _ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Adjacent numbers as half-open ranges."""
    start = previous = None
    for at in numbers:
        if previous is None or at != previous + 1:
            if start is not None and previous is not None:
                yield start, previous + 1
            start = at
        previous = at
    if start is not None and previous is not None:
        yield start, previous + 1
