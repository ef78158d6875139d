"""A plan: which lines of an output are shown, and how the gaps are described."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

LONG_LINE_CHARS = 2000


@attrs.define
class Plan:
    """The numbers of the lines to show, of `total` lines.

    With `everything`, nothing may be left out, not even of a long line. With
    `shortens`, all lines are shown if the plan would not make the text shorter.
    `look_alike` are hidden lines that are similar to a shown one. `word` describes
    gaps; without `shows_gaps` only the first line of the output mentions them. `below`
    is an additional last line, `instead` replaces the whole output.
    """

    total: int
    everything: bool = False
    shortens: bool = True
    kept: set[int] = attrs.field(factory=set)
    look_alike: set[int] = attrs.field(factory=set)
    word: str = "omitted"
    shows_gaps: bool = True
    below: str | None = None
    instead: str | None = None
    long_line_chars: int | None = LONG_LINE_CHARS

    def keep(self, numbers: Iterable[int]) -> None:
        """Show these lines too; numbers outside the output are ignored."""
        self.kept.update(at for at in numbers if 0 <= at < self.total)

    def keep_first(self, count: int) -> None:
        """Show the first lines."""
        self.keep(range(count))

    def keep_last(self, count: int) -> None:
        """Show the last lines."""
        self.keep(range(self.total - count, self.total))

    def keep_around(self, at: int, lines: int) -> None:
        """Show a line with `lines` before and after it."""
        self.keep(range(at - lines, at + lines + 1))


def all_lines(total: int) -> Plan:
    """A plan with every line; long ones are clipped."""
    return Plan(total, kept=set(range(total)))


def whole(total: int) -> Plan:
    """A plan with everything, long lines included."""
    return Plan(total, everything=True, kept=set(range(total)), long_line_chars=None)
