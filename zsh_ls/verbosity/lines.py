"""An output as lines, with those of standard error marked, and look-alike lines grouped."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from zsh_ls.lazy import attrs
from zsh_ls.model.terminal_text import split_lines

_DIGITS = bytes.maketrans(b"123456789", b"000000000")
MAX_REPRESENTATIVE_CHARS = 2000
# Counting so many takes a millisecond.
MANY_LINES = 10_000


def number_normalised(text: str) -> str:
    """`text` with every number replaced by 0; works on bytes, which is fastest."""
    data = text.encode("utf-8", "surrogatepass").translate(_DIGITS)
    # Four first: long numbers shrink in few passes.
    while b"00" in data:
        data = data.replace(b"0000", b"0").replace(b"00", b"0")
    return data.decode("utf-8", "surrogatepass")


@attrs.define
class RenderedLines:
    """The lines of a rendered output. `stderr` flags those of standard error, None if unknown."""

    text: str
    rows: list[str]
    stderr: list[bool] | None = None

    @classmethod
    def of(cls, text: str) -> RenderedLines:
        """The lines of `text`; a final line end does not begin another line."""
        rows = split_lines(text)
        if rows[-1] == "":
            rows.pop()
        return cls(text, rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def templates(self) -> list[str]:
        """Each line with numbers replaced by 0, so that look-alike lines are equal."""
        return split_lines(number_normalised(self.text))[: len(self.rows)]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each template occurs."""
        counts: Counter[str] = Counter()
        for start in range(0, len(self.templates), MANY_LINES):  # others run between two of them
            counts.update(self.templates[start : start + MANY_LINES])
        return counts

    @cached_property
    def distinct(self) -> str:
        """The last line of each template, joined, for searches that need not see look-alike lines."""
        last: dict[str, str] = {}
        for start in range(0, len(self.rows), MANY_LINES):  # others run between two of them
            some = slice(start, start + MANY_LINES)
            last.update(zip(self.templates[some], self.rows[some], strict=True))
        return "\n".join(row[:MAX_REPRESENTATIVE_CHARS] for row in last.values())

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line in the text."""
        return [0, *accumulate(len(row) + 1 for row in self.rows)]

    def at(self, offset: int) -> int:
        """The number of the line that holds the character at `offset`."""
        return min(bisect_right(self.starts, offset), len(self.rows)) - 1

    def alike(self, row: str) -> list[str]:
        """All lines with the template of `row`, or `row` itself if there is none."""
        return self._alike.get(number_normalised(row), [row])

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for row, template in zip(self.rows, self.templates, strict=True):
            found.setdefault(template, []).append(row)
        return found


def flag_stderr(lines: RenderedLines, stderr: Sequence[str]) -> list[bool]:
    """For each line whether it is one of `stderr`, by equal text, in order."""
    flags = [False] * len(lines)
    wanted = Counter(row.rstrip() for row in stderr)
    if not wanted:
        return flags
    for at, row in enumerate(lines.rows):
        key = row.rstrip()
        if wanted.get(key, 0) > 0:
            wanted[key] -= 1
            flags[at] = True
    return flags
