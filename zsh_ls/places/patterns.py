"""Patterns that read any line in a time that grows with its length, and what stands in where there are none.

RE2 is compiled, so it is missing in an editor's extension, which has to run everywhere. There Python's
own patterns do; as their time may grow faster than the line, they are asked of short lines alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zsh_ls.lazy import re

try:
    import re2
except ImportError:
    re2 = None

LONGEST_LINE_OF_PYTHONS_CHARS = 400


def compiled(pattern: str) -> Any:
    """A pattern for a line of text."""
    return re.compile(pattern) if re2 is None else re2.compile(pattern)


def compiled_for_bytes(pattern: str) -> Any:
    """A pattern for the bytes of an output."""
    return re.compile(pattern.encode()) if re2 is None else re2.compile(pattern)


class PatternSet:
    """Says in one pass which of several patterns are found in a line."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._each: tuple[re.Pattern[str], ...] = ()
        if re2 is None:
            self._each = tuple(map(re.compile, patterns))
            return
        self._together = re2.Set.SearchSet()
        for pattern in patterns:
            self._together.Add(pattern)
        self._together.Compile()

    def found_in(self, line: str) -> list[int]:
        """The numbers of those that are found, in their order."""
        if re2 is not None:
            return sorted(self._together.Match(line) or ())
        if len(line) > LONGEST_LINE_OF_PYTHONS_CHARS:
            return []
        return [number for number, pattern in enumerate(self._each) if pattern.search(line)]
