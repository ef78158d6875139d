"""An output as lines: which are standard error's, and which look alike."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import attrs

_DIGITS = str.maketrans("123456789", "000000000")
_ZEROS = re.compile("00+")


@attrs.define
class Lines:
    """The lines of a rendered output. `stderr` flags those of standard error, None where unknown."""

    text: str
    rows: list[str]
    stderr: list[bool] | None = None

    @classmethod
    def of(cls, text: str) -> Lines:
        """The lines of `text`; a line end at its end begins no line."""
        rows = text.split("\n")
        if rows[-1] == "":
            rows.pop()
        return cls(text, rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def templates(self) -> list[str]:
        """Each line with every number read as 0, so that look-alikes are equal."""
        return _ZEROS.sub("0", self.text.translate(_DIGITS)).split("\n")[: len(self.rows)]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each template occurs."""
        return Counter(self.templates)

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins in the text."""
        return [0, *accumulate(len(row) + 1 for row in self.rows)]

    def at(self, offset: int) -> int:
        """The number of the line that holds the character at `offset`."""
        return min(bisect_right(self.starts, offset), len(self.rows)) - 1


def flag_stderr(lines: Lines, stderr: Sequence[str]) -> list[bool]:
    """Which lines are those of `stderr`, taken in order as far as they can be told apart."""
    wanted = Counter(row.rstrip() for row in stderr)
    flags = [False] * len(lines)
    for at, row in enumerate(lines.rows):
        key = row.rstrip()
        if wanted.get(key, 0) > 0:
            wanted[key] -= 1
            flags[at] = True
    return flags
