"""Which lines of an output are shown, and the text of those with their gaps."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain

from zsh_ls.lazy import attrs

from .values import Elision

LONG_LINE_CHARS = 2000
NO_ELISION = Elision(before=-1, lines=0)


@attrs.define
class Plan:
    """The numbers of the lines to show, of `total` lines; a range where it is all of them.

    With `everything`, nothing may be left out, not even of a long line. With
    `shortens`, all lines are shown if the plan would not make the text shorter.
    `look_alike` are hidden lines that are similar to a shown one. `word` describes
    gaps; without `shows_gaps` only the first line of the output mentions them. `below`
    is an additional last line, `instead` replaces the whole output.
    """

    total: int
    everything: bool = False
    shortens: bool = True
    kept: set[int] | range = attrs.field(factory=set)
    look_alike: set[int] = attrs.field(factory=set)
    word: str = "omitted"
    shows_gaps: bool = True
    below: str | None = None
    instead: str | None = None
    long_line_chars: int | None = LONG_LINE_CHARS

    def keep(self, numbers: Iterable[int]) -> None:
        """Show these lines too; numbers outside the output are ignored."""
        if isinstance(self.kept, set):  # a range has all of them
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

    def fill_single_gaps(self) -> None:
        """Keep lines that are a gap by themselves: a line for the gap would not be shorter."""
        if self.kept and isinstance(self.kept, set):
            kept = sorted(self.kept)
            pairs = zip([-1, *kept], [*kept, self.total], strict=True)
            self.keep(after - 1 for before, after in pairs if after - before == 2)

    def omitted_chars(self, rows: Sequence[str]) -> int:
        """How many characters of long kept lines are left out; an `instead` leaves out none."""
        most = self.long_line_chars
        if most is None or self.instead is not None:
            return 0
        return sum(max(0, len(rows[at]) - most) for at in self.kept)

    def body(self, rows: Sequence[str], elision: Elision = NO_ELISION) -> Iterator[str]:
        """The kept lines with a line for each gap, including the elided lines."""
        previous, elided_at = -1, min(elision.before, self.total)
        kept = sorted(self.kept) if isinstance(self.kept, set) else self.kept
        for at in chain(kept, (self.total,)):
            hidden = at - previous - 1
            if previous < elided_at <= at:
                after = at - elided_at
                hidden = yield from self._elided(elision, hidden - after)
                hidden += after
                yield from self._gap(hidden)
            elif hidden:
                alike = self.look_alike.issuperset(range(previous + 1, at))
                yield from self._gap(hidden, alike=alike)
            if at < self.total:
                yield _clipped(rows[at], self.long_line_chars)
            previous = at

    def _elided(self, elision: Elision, hidden: int) -> Generator[str, None, int]:
        """The telling lines of an elision that comes after `hidden` lines; gives how many follow the last."""
        past = 0
        for before, text in elision.telling:
            yield from self._gap(hidden + before - past)
            yield text
            hidden, past = 0, before + 1
        return hidden + elision.lines - past

    def _gap(self, hidden: int, *, alike: bool = False) -> Iterator[str]:
        if hidden and self.shows_gaps:
            # Elided lines were never compared with others, so a gap that has some claims nothing.
            yield f"... {hidden} lines {self.word}" + (" (look-alike)" if alike else "")


def all_lines(total: int) -> Plan:
    """A plan with every line; long ones are clipped."""
    return Plan(total, kept=range(total))


def whole(total: int) -> Plan:
    """A plan with everything, long lines included."""
    return Plan(total, everything=True, kept=range(total), long_line_chars=None)


def _clipped(row: str, most: int | None) -> str:
    """A long line as head, number of omitted characters, and tail."""
    if most is None or len(row) <= most:
        return row
    head, tail = most * 2 // 3, most - most * 2 // 3
    return f"{row[:head]} ... {len(row) - most} characters omitted ... {row[-tail:]}"
