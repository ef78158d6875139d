"""A task's output as text: what is new since a cursor, and lines by number.

Lines are those of the raw bytes, numbered from 1. Text is what a terminal would
show of them; only the requested part is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import attrs
from zsh_ls.model.clock import Clock
from zsh_ls.model.terminal_text import MAX_HELD_BYTES, complete_prefix, render_bytes

from .newlines import STEP_BYTES, NewlineIndex
from .spool import Spool, SpoolGap

MESSAGE_LIMIT_BYTES = 4 << 20
PIECE_BYTES = 1 << 20
# An incomplete escape sequence and an incomplete character.
MOST_HELD_BACK_BYTES = MAX_HELD_BYTES + 4


@attrs.frozen
class Delta:
    """Output after a cursor: lines `from_line` to `to_line` (None if there is none), and the next cursor."""

    text: str
    from_line: int | None
    to_line: int | None
    new_bytes: int
    cursor: int
    more: bool = False


@attrs.frozen
class RawOutput:
    """Bytes as they were written, and where to go on; `data` is empty at the end."""

    data: bytes
    next_byte: int


@attrs.frozen
class OutputLines:
    """Requested lines; `more` if they did not all fit, `gap` if some of them are not kept."""

    text: str
    from_line: int | None
    to_line: int | None
    total_lines: int
    more: bool = False
    gap: SpoolGap | None = None


class Output:
    """The output of one task, growing while it runs.

    `unread` is what the system said where the rest of it could not be read.
    """

    def __init__(
        self, spool: Spool, index: NewlineIndex | None = None, clock: Clock | None = None
    ) -> None:
        self._spool = spool
        self._index = index or NewlineIndex()
        self._clock = clock
        self.last_output_at: float | None = None
        self.is_final = False
        self.unread: OSError | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes printed so far, including those that are not kept."""
        return self._spool.size_bytes

    @property
    def total_lines(self) -> int:
        """Lines printed so far, including a last one without a newline."""
        return self._index.total_lines

    @property
    def gap(self) -> SpoolGap | None:
        """The bytes that are not kept, if any."""
        return self._spool.gap

    @property
    def lost_lines(self) -> int:
        """How many lines fall into the gap, wholly or in part."""
        gap = self.gap
        if gap is None:
            return 0
        after = self.line_at(gap.to_byte) if gap.to_byte < self.size_bytes else self.total_lines
        return max(1, after - self.line_at(gap.from_byte))

    @property
    def index(self) -> NewlineIndex:
        """The index of its lines."""
        return self._index

    @property
    def spool(self) -> Spool:
        """The spool of its raw bytes."""
        return self._spool

    def append(self, data: bytes) -> None:
        """Add the next bytes that the task printed."""
        self._spool.append(data)
        self._index.feed(data)
        self.last_output_at = self._clock.monotonic() if self._clock else None

    def pour(self, descriptor: int, limit_bytes: int) -> int:
        """Add bytes from a pipe without counting their lines; returns how many, 0 at its end."""
        poured = self._spool.pour(descriptor, limit_bytes)
        self.last_output_at = self._clock.monotonic() if self._clock else None
        return poured

    @property
    def uncounted_bytes(self) -> int:
        """Bytes added by `pour` whose lines are not counted yet."""
        return self._spool.size_bytes - self._index.size_bytes

    def count_lines(self) -> int:
        """Count the lines of the next piece added by `pour`; returns its size in bytes."""
        start = self._index.size_bytes
        end = min(self._spool.size_bytes, start + STEP_BYTES)
        # Bytes that neither disk nor memory keeps count as part of one line.
        self._index.feed(self.read(start, end).ljust(end - start, b"."))
        return end - start

    def read(self, start: int, end: int) -> bytes:
        """Raw bytes from `start` up to `end`; those of the gap are missing."""
        return self._spool.read(start, end)

    def raw(self, start: int, limit_bytes: int = PIECE_BYTES) -> RawOutput:
        """At most `limit_bytes` raw bytes from `start` on; the gap is skipped."""
        start = self._over_the_gap(start)
        data = self.read(start, self._reach(start, limit_bytes))
        return RawOutput(data, start + len(data))

    def text(self, limit_bytes: int = MESSAGE_LIMIT_BYTES) -> str:
        """The text of the first `limit_bytes`."""
        return render_bytes(self.read(0, limit_bytes))

    def texts(self, piece_bytes: int = PIECE_BYTES) -> Iterator[str]:
        """The whole text in pieces, of whole lines if possible; the gap is missing."""
        start = 0
        while start < self.size_bytes:
            start = self._over_the_gap(start)
            data = self.read(start, self._reach(start, piece_bytes))
            data = data[: self._showable(data, start)]
            if not data:
                return
            yield render_bytes(data)
            start += len(data)

    def has_news(self, cursor: int) -> bool:
        """Whether `delta` would give anything; an incomplete character or escape is held back."""
        start = self._over_the_gap(cursor)
        held = self.read(start, min(self.size_bytes, start + MOST_HELD_BACK_BYTES))
        return self._showable(held, start) > 0

    def delta(self, cursor: int, limit_bytes: int = MESSAGE_LIMIT_BYTES) -> Delta:
        """Output after `cursor`, at most `limit_bytes` of text.

        An incomplete character or escape sequence at the end is held back.
        """
        start = self._over_the_gap(cursor)
        data = self.read(start, self._reach(start, limit_bytes))
        data = data[: self._showable(data, start)]
        text, used = _fitting(data, limit_bytes)
        if not used:
            return Delta("", None, None, 0, cursor)
        from_line = self._index.line_at(start, self.read)
        to_line = from_line + data.count(b"\n", 0, used - 1)
        end = start + used
        more = end < self.size_bytes and (
            used < len(data)
            or self.is_final
            # Not if all that follows is held back: asked for again, it would give nothing.
            or complete_prefix(self.read(end, end + (8 << 10))) > 0
        )
        return Delta(text, from_line, to_line, used, end, more)

    def lines(
        self,
        from_line: int | None = None,
        to_line: int | None = None,
        limit_bytes: int = MESSAGE_LIMIT_BYTES,
    ) -> OutputLines:
        """Lines `from_line` to `to_line` (both included; default all), at most `limit_bytes` of text."""
        total = self.total_lines
        first, last = max(1, from_line or 1), min(total, to_line or total)
        if first > last:
            return OutputLines("", None, None, total)
        start, end = self._offset(first), self._offset(last + 1)
        gap = (
            self.gap if self.gap and start < self.gap.to_byte and end > self.gap.from_byte else None
        )
        missing = min(end, gap.to_byte) - max(start, gap.from_byte) if gap else 0
        stop = min(end, start + limit_bytes + missing)
        data = self.read(start, stop)
        text, used = _fitting(data[: len(data) if stop == end else _whole_lines(data)], limit_bytes)
        more = stop < end or used < len(data)
        shown_to = self._index.line_at(max(start, stop - len(data) + used - 1), self.read)
        return OutputLines(text, first, min(last, shown_to), total, more, gap)

    def line_at(self, position: int) -> int:
        """The number of the line that holds the byte at `position`."""
        return self._index.line_at(position, self.read)

    def bytes_of_lines(self, from_line: int, to_line: int) -> tuple[int, int]:
        """The byte range, half open, of lines `from_line` to `to_line`, both included."""
        return self._offset(from_line), self._offset(to_line + 1)

    def _offset(self, line: int) -> int:
        return self._index.start_of_line(line, self.read)

    def _over_the_gap(self, cursor: int) -> int:
        gap = self.gap
        return gap.to_byte if gap and gap.from_byte <= cursor < gap.to_byte else cursor

    def _reach(self, start: int, limit_bytes: int) -> int:
        gap = self.gap
        end = min(self.size_bytes, start + limit_bytes)
        return min(end, gap.from_byte) if gap and start < gap.from_byte else end

    def _showable(self, data: bytes, start: int) -> int:
        if start + len(data) < self.size_bytes:
            return _whole_lines(data)
        return len(data) if self.is_final else complete_prefix(data)


def _whole_lines(data: bytes) -> int:
    """How many bytes of a cut text to show: whole lines, else whole characters, else all."""
    return data.rfind(b"\n") + 1 or complete_prefix(data) or len(data)


def _fitting(data: bytes, limit_bytes: int) -> tuple[str, int]:
    """The text of as much of `data` as fits into `limit_bytes` of UTF-8, and the bytes used."""
    used = len(data)
    text = render_bytes(data)
    while (
        used and len(text) * 4 > limit_bytes and len(text.encode("utf-8", "replace")) > limit_bytes
    ):
        used = _whole_lines(data[: used // 2])
        text = render_bytes(data[:used])
    return text, used
