"""Ranges of text, counted in characters (code points), half open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import cast

from zsh_ls.lazy.typing import NamedTuple


class Span(NamedTuple):
    """The range `text[start:end]` of a text."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """The same range in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


# What `Span._make` does, without its check: the parser needs one for every word.
span_of = cast("Callable[[tuple[int, int]], Span]", partial(tuple.__new__, Span))


def merged(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans with overlapping ones merged and empty ones dropped."""
    current: Span | None = None
    for span in sorted(span for span in spans if span.start < span.end):
        if current is None:
            current = span
        elif span.start < current.end:
            current = Span(current.start, max(current.end, span.end))
        else:
            yield current
            current = span
    if current is not None:
        yield current
