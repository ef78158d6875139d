r"""Offsets in a text and positions in its lines, as the Language Server Protocol counts them.

Lines end at `\n`, `\r\n` or `\r` and nowhere else (not at U+2028 or a form feed).
An offset is a number of code points from the beginning; a position is a
zero-based line and a number of code units of the agreed encoding into it.
Positions beyond a line or the text mean its end, as the protocol says.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]

LINE_END = re.compile(r"\r\n|\n|\r")


# A regular expression holds the GIL; it searches this many characters in about a millisecond.
PIECE = 20_000
# As long as no line of a script is.
LONGEST_LINE = 100_000


def pieces(text: str, longest_line: int | None = None) -> Iterator[str]:
    """`text` in pieces of whole lines, for searches within lines that must not block other threads.

    Where `longest_line` is given a longer one comes in parts, whose ends are not those of a line.
    """
    start = 0
    while start < len(text):
        longest = len(text) if longest_line is None else start + longest_line
        end = text.find("\n", start + PIECE, longest) + 1 or min(longest, len(text))
        yield text[start:end]
        start = end


class LinePosition(NamedTuple):
    """A position: zero-based line, and code units of some encoding within it."""

    line: int
    character: int


class LineIndex:
    """The starts of the lines of one text. Immutable, and built in linear time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        self._is_ascii = text.isascii()

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends with a line end has an empty last one."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line that `offset` is in."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def line_end(self, line: int) -> int:
        """The offset of the end of `line`, without its line end."""
        if line + 1 >= len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        return end - self.text.startswith("\r\n", end - 1)

    def position(self, offset: int, encoding: Encoding = "utf-16") -> LinePosition:
        """The position of an offset; for one within a line end, the end of the line."""
        line = self.line_of(offset)
        start = self.starts[line]
        stop = min(self._within(offset), self.line_end(line))
        return LinePosition(line, self.units(start, stop, encoding))

    def offset(
        self, position: LinePosition | tuple[int, int], encoding: Encoding = "utf-16"
    ) -> int:
        """The offset of a position; for one within a character's code units, that of the character."""
        line, character = position
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.line_end(line)
        if self._is_ascii or encoding == "utf-32":
            return min(start + max(character, 0), end)
        units = character
        for offset in range(start, end):
            units -= self.units(offset, offset + 1, encoding)
            if units < 0:
                return offset
        return end

    def _within(self, offset: int) -> int:
        return max(0, min(offset, len(self.text)))

    def units(self, start: int, stop: int, encoding: Encoding) -> int:
        """Code units of `text[start:stop]`."""
        if self._is_ascii or encoding == "utf-32":
            return stop - start
        part = self.text[start:stop]
        if encoding == "utf-8":
            return len(part.encode("utf-8", "surrogatepass"))
        return len(part.encode("utf-16-le", "surrogatepass")) // 2
