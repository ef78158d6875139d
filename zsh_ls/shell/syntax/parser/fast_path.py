"""Commands whose words hold no code, the most of all there are, passed at once.

Everything here could be read by the layers above as well, word by word; these
patterns find the same in a fraction of the time, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import partial
from typing import cast

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Assignment,
    Body,
    Connector,
    Pipeline,
    Redirection,
    Segment,
    SegmentKind,
    Substitution,
)

from .words import Words

_Fields = tuple[
    SegmentKind,
    Span,
    str,
    tuple[Span, ...],
    tuple[Assignment, ...],
    tuple[Redirection, ...],
    tuple[Body, ...],
    tuple[Substitution, ...],
]
# Without the calls in Python between: there is one of each for almost every line.
segment_of = cast("Callable[[_Fields], Segment]", partial(tuple.__new__, Segment))
pipeline_of = cast("Callable[[tuple[object, ...]], Pipeline]", partial(tuple.__new__, Pipeline))


def lone(segment: Segment) -> Pipeline:
    """A pipeline of one segment, with nothing before or after it."""
    return pipeline_of((segment[1], (segment,), (), False, False, False, Connector.NONE, ""))


def assigning(assignment: Assignment) -> Segment:
    """A segment of one assignment and nothing else."""
    return segment_of((SegmentKind.SIMPLE, assignment.span, "", (), (assignment,), (), (), ()))


class PlainCommands(Words):
    """Passes commands of plain words."""

    # Words that begin more than a simple command, or end a list.
    not_plain: frozenset[str]

    def plain_lines(self, pipelines: list[Pipeline], closers: Collection[str]) -> bool:
        """Add the commands that end with their lines; True before a word that closes the list."""
        match = self.plain.line.match
        while not self.pending:
            line = match(self.text, self.pos, self.end)
            if line is None and self.plain_array(pipelines):
                continue
            if line is None:
                return False
            word = line[2]
            if word in self.not_plain:
                return word in closers
            segment = self.plain_assignment(line) if "=" in word else self.plain_segment(line)
            if segment is None:
                return False
            pipelines.append(lone(segment))
            self.pos = line.end()
            if line[3]:
                self.separators()
        return False

    def plain_array(self, pipelines: list[Pipeline]) -> bool:
        """Add the assignment of an array that ends with its line; False where none is here."""
        found = self.plain.array_line.match(self.text, self.pos, self.end)
        if found is None:
            return False
        self.token_end = found.end(1)
        span, value = span_of(found.span(1)), span_of(found.span(4))
        pipelines.append(lone(assigning(Assignment(span, found[2], value, True, bool(found[3])))))
        self.pos = found.end()
        if found[5]:
            self.separators()
        return True

    def plain_command(self) -> Segment | None:
        """Pass a command that something else follows; None, and nothing passed, where none is."""
        found = self.plain.command.match(self.text, self.pos, self.end)
        if found is None or found[2] in self.not_plain or "=" in found[2]:
            return None
        segment = self.plain_segment(found)
        if segment is not None:
            self.pos = found.end()
        return segment

    def plain_segment(self, found: re.Match[str]) -> Segment | None:
        """The command of the words in group 1; None where the first of them may assign."""
        if "[" in found[2]:
            return None
        words = self.plain.argument.finditer(self.text, *found.span(1))
        spans = tuple([span_of(word.span(1)) for word in words])
        span = span_of((found.start(1), found.end(1)))
        self.token_end = span.end
        command_word = self.written(spans[0])
        return segment_of((SegmentKind.SIMPLE, span, command_word, spans, (), (), (), ()))

    def plain_assignment(self, found: re.Match[str]) -> Segment | None:
        """The assignment that is all of group 1; None where that is anything else."""
        start, end = found.span(1)
        match = self.plain.assignment.match(self.text, start, end)
        if match is None or match.end() < end:
            return None
        self.token_end = end
        value = span_of(match.span(3))
        return assigning(Assignment(span_of((start, end)), match[1], value, False, bool(match[2])))
