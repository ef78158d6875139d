"""Renders a plan as text: kept lines, a line for each gap, and long lines shortened in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .plan import Plan
from .values import Elision

NO_ELISION = Elision(before=-1, lines=0)


def fill_single_gaps(plan: Plan) -> None:
    """Keep lines that are a gap by themselves: a line for the gap would not be shorter."""
    if not plan.kept:
        return
    kept = sorted(plan.kept)
    plan.keep(b - 1 for a, b in zip([-1, *kept], [*kept, plan.total], strict=True) if b - a == 2)


def body(plan: Plan, rows: Sequence[str], elision: Elision = NO_ELISION) -> Iterator[str]:
    """The kept lines with a line for each gap, including the elided lines."""
    previous, elided_at = -1, min(elision.before, plan.total)
    for at in [*sorted(plan.kept), plan.total]:
        hidden = at - previous - 1
        if previous < elided_at <= at:
            hidden += elision.lines
        if hidden and plan.shows_gaps:
            yield _gap(plan, previous + 1, at, hidden)
        if at < plan.total:
            yield clipped(rows[at], plan.long_line_chars)
        previous = at


def omitted_chars(plan: Plan, rows: Sequence[str]) -> int:
    """How many characters of long kept lines are left out."""
    most = plan.long_line_chars
    return 0 if most is None else sum(max(0, len(rows[at]) - most) for at in plan.kept)


def _gap(plan: Plan, start: int, stop: int, hidden: int) -> str:
    alike = hidden == stop - start and plan.look_alike.issuperset(range(start, stop))
    return f"... {hidden} lines {plan.word}" + (" (look-alike)" if alike else "")


def clipped(row: str, most: int | None) -> str:
    """A long line as head, number of omitted characters, and tail."""
    if most is None or len(row) <= most:
        return row
    head, tail = most * 2 // 3, most - most * 2 // 3
    return f"{row[:head]} ... {len(row) - most} characters omitted ... {row[-tail:]}"
