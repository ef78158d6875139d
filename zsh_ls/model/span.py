"""Ranges of text, counted in characters (code points), half open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast


class Span(NamedTuple):
    """The range `text[start:end]` of a text."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


# What `Span._make` does, without its check: the parser needs one for every word.
span_of = cast("Callable[[tuple[int, int]], Span]", partial(tuple.__new__, Span))
