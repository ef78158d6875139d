"""The text of a plan: kept lines, gaps with their counts, clipped long lines, and the first line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .plan import Plan

MIN_GAP_LINES = 2


def fill_small_gaps(plan: Plan, rows: Sequence[str]) -> None:
    """Shows what a gap line would cost more than: gaps of one line."""
    previous = -1
    for at in [*sorted(plan.kept), plan.total]:
        if 0 < at - previous - 1 < MIN_GAP_LINES and plan.kept:
            plan.kept.update(range(previous + 1, at))
        previous = at


def body(plan: Plan, rows: Sequence[str]) -> Iterator[str]:
    """The kept lines with a line for each gap."""
    previous = -1
    for at in sorted(plan.kept):
        if at - previous > 1:
            yield _gap(plan, previous + 1, at)
        yield clipped(rows[at], plan.long_line_chars)
        previous = at
    if plan.total - previous > 1:
        yield _gap(plan, previous + 1, plan.total)


def _gap(plan: Plan, start: int, stop: int) -> str:
    alike = all(at in plan.look_alike for at in range(start, stop))
    return f"... {stop - start} lines {plan.word}" + (" (look-alike)" if alike else "")


def clipped(row: str, most: int | None) -> str:
    """A line too long keeps its head and tail, with the count of what is between."""
    if most is None or len(row) <= most:
        return row
    head, tail = most * 2 // 3, most - most * 2 // 3
    return f"{row[:head]}... {len(row) - most} characters omitted ...{row[-tail:]}"
