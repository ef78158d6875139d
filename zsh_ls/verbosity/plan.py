"""Which lines of an output are shown, and with what words about the rest."""

from __future__ import annotations

from collections.abc import Iterable

import attrs


@attrs.define
class Plan:
    """Lines to show; `everything` where nothing may be left out, not even of a long line.

    `before` are lines put above, `after` below; `word` says in a gap what
    happened to its lines; `instead` is shown in place of all lines.
    """

    total: int
    everything: bool = False
    kept: set[int] = attrs.field(factory=set)
    look_alike: set[int] = attrs.field(factory=set)
    word: str = "omitted"
    before: list[str] = attrs.field(factory=list)
    after: list[str] = attrs.field(factory=list)
    instead: str | None = None
    long_line_chars: int | None = 2000

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

    def keep_all(self) -> None:
        """Show every line; long ones may still be clipped."""
        self.keep(range(self.total))


def whole(total: int) -> Plan:
    """Everything: no line, no byte, no long line is left out."""
    return Plan(total, everything=True, kept=set(range(total)), long_line_chars=None)
