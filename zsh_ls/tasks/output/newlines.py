"""A line index for output of any size: the newlines before each MiB; the rest is counted on request."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable

Read = Callable[[int, int], bytes]

STEP_BYTES = 1 << 20


class NewlineIndex:
    """The newlines before each MiB of a stream that is fed to it in order.

    Lines are numbered from 1; `read(start, end)` gives the stream's bytes.
    """

    def __init__(self) -> None:
        self.size_bytes = 0
        self.newlines = 0
        self._before_step = array("Q", [0])
        self._last_byte = b"\n"

    @classmethod
    def of(
        cls, before_step: bytes, newlines: int, size_bytes: int, *, ends_in_line: bool
    ) -> NewlineIndex:
        """The index whose `dump` gave `before_step`."""
        index = cls()
        index._before_step = array("Q")
        index._before_step.frombytes(before_step)
        index.newlines, index.size_bytes = newlines, size_bytes
        index._last_byte = b"." if ends_in_line else b"\n"
        return index

    def dump(self) -> bytes:
        """The table of the index, to be restored with `of`."""
        return self._before_step.tobytes()

    @property
    def ends_in_line(self) -> bool:
        """Whether the last line has no newline yet."""
        return self._last_byte != b"\n"

    @property
    def total_lines(self) -> int:
        """All lines, including a last one without a newline."""
        return self.newlines + self.ends_in_line

    def feed(self, data: bytes) -> None:
        """Count the next bytes of the stream."""
        start = 0
        while self.size_bytes + len(data) - start >= (
            boundary := len(self._before_step) * STEP_BYTES
        ):
            end = start + boundary - self.size_bytes
            self._count(data, start, end)
            self._before_step.append(self.newlines)
            start = end
        self._count(data, start, len(data))
        if data:
            self._last_byte = data[-1:]

    def _count(self, data: bytes, start: int, end: int) -> None:
        self.newlines += data.count(b"\n", start, end)
        self.size_bytes += end - start

    def line_at(self, offset: int, read: Read) -> int:
        """The number of the line that holds the byte at `offset`."""
        step = min(offset // STEP_BYTES, len(self._before_step) - 1)
        return self._before_step[step] + read(step * STEP_BYTES, offset).count(b"\n") + 1

    def start_of_line(self, line: int, read: Read) -> int:
        """Where line `line` begins; the end of the stream for one beyond the last."""
        newline = line - 1
        if newline <= 0:
            return 0
        if newline > self.newlines:
            return self.size_bytes
        step = bisect_left(self._before_step, newline) - 1
        start = step * STEP_BYTES
        block = read(start, min(start + STEP_BYTES, self.size_bytes))
        return start + _after_newline(block, newline - self._before_step[step])


def _after_newline(block: bytes, count: int) -> int:
    """The position after the `count`-th newline of `block`, found by binary search."""
    low, high = 0, len(block)
    while high - low > 1:
        middle = (low + high) // 2
        in_first_half = block.count(b"\n", low, middle)
        if count <= in_first_half:
            high = middle
        else:
            low, count = middle, count - in_first_half
    return high
