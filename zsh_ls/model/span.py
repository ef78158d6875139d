"""Ranges of text, counted in characters (code points), half open."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """`text[start:end]` of the text it speaks of."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)
