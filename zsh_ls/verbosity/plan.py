"""Which lines of an output are shown, and with what words about the rest."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

LONG_LINE_CHARS = 2000


@attrs.define
class Plan:
    """The lines of `total` to show, by number.

    `everything`: nothing may be left out, not even of a long line. `shortens`:
    where it would not, all lines are shown instead. `look_alike` are hidden
    lines like one that is shown, `word` says in a gap what happened to its
    lines (without `shows_gaps` only the first line says it), `below` is a last
    line, `instead` is shown in place of all.
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
        """Show these lines too; numbers outside the output are passed over."""
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
    """Every line; long ones are clipped."""
    return Plan(total, kept=set(range(total)))


def whole(total: int) -> Plan:
    """Everything: no line, no byte, no long line is left out."""
    return Plan(total, everything=True, kept=set(range(total)), long_line_chars=None)
