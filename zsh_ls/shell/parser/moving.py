"""Parts of a tree at another place of a text: what stands behind an edit is the same, further on."""

from __future__ import annotations

from collections.abc import Iterable

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Assignment,
    Body,
    Heredoc,
    Pipeline,
    Problem,
    Redirection,
    Segment,
    SegmentKind,
    Substitution,
)

from .plain import pipeline_of, segment_of

Inside = tuple[
    tuple[Assignment, ...], tuple[Redirection, ...], tuple[Body, ...], tuple[Substitution, ...]
]


class Moving:
    """Moves everything `by` so many characters. What is one object stays one."""

    def __init__(self, by: int) -> None:
        self.by = by
        self._functions: dict[int, Segment] = {}

    def span(self, span: Span) -> Span:
        """A range."""
        return span_of((span[0] + self.by, span[1] + self.by))

    def spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Ranges."""
        by = self.by
        return tuple([span_of((start + by, end + by)) for start, end in spans])

    def pipelines(self, pipelines: Iterable[Pipeline]) -> tuple[Pipeline, ...]:
        """The pipelines of a list."""
        return tuple([self.pipeline(each) for each in pipelines])

    def pipeline(self, pipeline: Pipeline) -> Pipeline:
        """A pipeline and all that is in it."""
        span, segments, *rest = pipeline
        moved = tuple([self.segment(each) for each in segments])
        # Most are one segment, and its range is theirs: one object.
        here = moved[0].span if segments and segments[0].span is span else self.span(span)
        return pipeline_of((here, moved, *rest))

    def segment(self, segment: Segment) -> Segment:
        """A segment and all that is in it."""
        kind, span, command_word, words, *inside = segment
        here, by = self.span(span), self.by
        spans = tuple([span_of((start + by, end + by)) for start, end in words]) if words else ()
        if not any(inside):
            return segment_of((kind, here, command_word, spans, (), (), (), ()))
        moved = segment_of((kind, here, command_word, spans, *self.inside(segment)))
        if kind is SegmentKind.FUNCTION:
            self._functions[id(segment)] = moved
        return moved

    def inside(self, segment: Segment) -> Inside:
        """What a segment has beside its words."""
        return (
            tuple([self.assignment(each) for each in segment.assignments]),
            tuple([self.redirection(each) for each in segment.redirections]),
            tuple([self.body(each) for each in segment.bodies]),
            self.substitutions(segment.substitutions),
        )

    def functions(self, functions: Iterable[Segment]) -> tuple[Segment, ...]:
        """The functions of a script, the same ones as in its pipelines where these were moved."""
        return tuple([self._functions.get(id(each)) or self.segment(each) for each in functions])

    def assignment(self, assignment: Assignment) -> Assignment:
        """An assignment."""
        moved, value = self.span(assignment.span), self.span(assignment.value)
        return assignment._replace(span=moved, value=value)

    def redirection(self, redirection: Redirection) -> Redirection:
        """A redirection."""
        moved, target = self.span(redirection.span), self.span(redirection.target)
        return redirection._replace(span=moved, target=target)

    def body(self, body: Body) -> Body:
        """A list inside a compound command."""
        return Body(body.role, body.form, self.pipelines(body.pipelines))

    def substitutions(self, substitutions: Iterable[Substitution]) -> tuple[Substitution, ...]:
        """Nested code."""
        return tuple(
            [
                Substitution(kind, self.span(span), self.pipelines(pipelines))
                for kind, span, pipelines in substitutions
            ]
        )

    def heredoc(self, heredoc: Heredoc) -> Heredoc:
        """A here-document and the code in it."""
        return heredoc._replace(
            redirection=self.span(heredoc.redirection),
            body=self.span(heredoc.body),
            span=self.span(heredoc.span),
            substitutions=self.substitutions(heredoc.substitutions),
        )

    def problem(self, problem: Problem) -> Problem:
        """What is wrong somewhere."""
        return problem._replace(span=self.span(problem.span))
