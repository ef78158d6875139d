"""Maps lines of a script to lists of pipelines, for the line numbers of a tracer.

A list is one or more pipelines joined by `&&` and `||`, up to its `;`, `&` or
line end. If several begin on one line (`a; b`, a loop on one line, the condition of
a `while`), the first outermost one represents them all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Script, SegmentKind

_NOWHERE = -1


@attrs.frozen
class Statement:
    """A list by its lines (zero-based, inclusive) and the range from its first to its last pipeline.

    `parent` is the index of the enclosing list within the same function, -1 if there
    is none. `is_shared` says that other lists begin on its line, `has_parts` that it
    has more than one command, `is_compound` that it contains lists, `defines` that it
    only defines functions. `last` is the last list of its line, by its pipelines.
    """

    first_line: int
    last_line: int
    span: Span
    parent: int
    is_compound: bool
    has_parts: bool
    defines: bool
    last: Sequence[Pipeline]
    is_shared: bool = False


class Statements:
    """The lists of a script, found by line."""

    def __init__(self, script: Script, line_starts: Sequence[int]) -> None:
        self._line_starts = line_starts
        self.all: list[Statement] = []
        self._by_line: dict[int, int] = {}
        self._walk(script.pipelines, _NOWHERE)
        # Outer lists come first and are overwritten by inner ones.
        self._innermost = {
            line: place
            for place, statement in enumerate(self.all)
            for line in range(statement.first_line, statement.last_line + 1)
        }

    def at(self, line: int) -> int | None:
        """The index in `all` of the innermost list that `line` belongs to; None if there is none."""
        return self._innermost.get(line)

    def is_within(self, inner: int, outer: int) -> bool:
        """Whether a list is `outer` or inside it."""
        while inner not in (outer, _NOWHERE):
            inner = self.all[inner].parent
        return inner == outer

    def _walk(self, pipelines: Sequence[Pipeline], parent: int) -> None:
        for group in _lists(pipelines):
            place = self._add(group, parent)
            for segment in (segment for pipeline in group for segment in pipeline.segments):
                inner = _NOWHERE if segment.kind is SegmentKind.FUNCTION else place
                for body in segment.bodies:
                    self._walk(body.pipelines, inner)
                for substitution in segment.substitutions:
                    self._walk(substitution.pipelines, place)

    def _add(self, group: Sequence[Pipeline], parent: int) -> int:
        """Add a list; returns its index, or that of the list that begins on the same line."""
        span = Span(group[0].span.start, group[-1].span.end)
        first, last = self._line_of(span.start), self._line_of(max(span.start, span.end - 1))
        segments = [segment for pipeline in group for segment in pipeline.segments]
        if (known := self._by_line.get(first)) is not None:
            there = self.all[known]
            follows = span.start >= there.last[-1].span.end
            self.all[known] = attrs.evolve(
                there,
                is_shared=True,
                last_line=max(last, there.last_line),
                last=group if follows else there.last,
            )
            return known
        compound = any(segment.bodies for segment in segments)
        defines = all(it.kind is SegmentKind.FUNCTION and not it.command_word for it in segments)
        has_parts = len(segments) > 1
        self.all.append(Statement(first, last, span, parent, compound, has_parts, defines, group))
        self._by_line[first] = len(self.all) - 1
        return len(self.all) - 1

    def _line_of(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset) - 1


def _lists(pipelines: Iterable[Pipeline]) -> Iterator[list[Pipeline]]:
    group: list[Pipeline] = []
    for pipeline in pipelines:
        group.append(pipeline)
        if pipeline.connector is Connector.NONE:
            yield group
            group = []
    if group:
        yield group
