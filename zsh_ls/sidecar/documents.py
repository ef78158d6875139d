"""Open documents and the insights of runs that stand on their lines (DOC-2).

A mark moves with the text as it is edited, and goes when the text it speaks of
changes or is run again. Nothing here runs anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span

from .interface import DocumentInsight, Edit


@attrs.define
class RunMark:
    """Where a run of this document stands now, and what was found out about it.

    `span` is the run's range, `text` what stood there when it began; once the
    run has ended, the range of the pipeline its insights speak of, where that
    is known (`is_pipeline`). A mark that is `gone` has lost its text and takes no insights any more.
    `hint` is what a traced run says of its line in figures.
    """

    span: Span
    text: str
    insights: tuple[DocumentInsight, ...] = ()
    gone: bool = False
    is_pipeline: bool = False
    hint: str = ""


@attrs.define
class DocumentState:
    """The text of an open document and the marks on it."""

    uri: str
    text: str
    language_id: str
    version: int
    marks: list[RunMark] = attrs.field(factory=list)

    def edit(self, edits: Sequence[Edit], version: int) -> None:
        """Apply edits one after the other; marks move along, those whose text changed go."""
        for edit in edits:
            start, end = edit.span
            self.text = self.text[:start] + edit.text + self.text[end:]
            for mark in self.marks:
                _move(mark, edit)
        self.version = version
        self._sweep()

    def begin(self, span: Span) -> RunMark:
        """A run of `span` begins: what earlier runs said of it goes."""
        for mark in self.marks:
            mark.gone = mark.gone or _overlap(mark.span, span)
        self._sweep()
        return self.mark(span)

    def mark(self, span: Span) -> RunMark:
        """A mark on `span`, where there is none."""
        mark = RunMark(span, self.text[span.start : span.end])
        self.marks.append(mark)
        return mark

    def spans(self) -> frozenset[Span]:
        """The pipelines that marks stand on."""
        return frozenset(mark.span for mark in self.marks if mark.is_pipeline)

    def keep(self, stands: Callable[[Span], bool]) -> None:
        """Drop the marks whose pipeline is no longer one: text was joined to it."""
        self.marks = [mark for mark in self.marks if not mark.is_pipeline or stands(mark.span)]

    def insights(self) -> list[DocumentInsight]:
        """What runs have left on the lines, in the order of the text."""
        return sorted(
            (found for mark in self.marks for found in mark.insights), key=lambda it: it.span
        )

    def _sweep(self) -> None:
        for mark in self.marks:
            mark.gone = mark.gone or self.text[mark.span.start : mark.span.end] != mark.text
        self.marks = [mark for mark in self.marks if not mark.gone]


def settle(mark: RunMark, command: str, pipeline: Span | None, insights: Iterable[Insight]) -> bool:
    """Put the insights of the ended run of `command` on its mark; whether the mark could take them.

    `pipeline` is the range within `command` of the pipeline they speak of.
    """
    found = tuple(insights)
    if mark.gone:
        return False
    offset = mark.text.find(command)
    if offset < 0:
        mark.insights = tuple(DocumentInsight(mark.span, insight) for insight in found)
        return bool(found)
    base = mark.span.start + offset
    narrow = pipeline or Span(0, len(command))
    mark.insights = tuple(
        DocumentInsight((insight.span or narrow).shifted(base), insight) for insight in found
    )
    mark.text = command[narrow.start : narrow.end]
    mark.span = narrow.shifted(base)
    mark.is_pipeline = pipeline is not None
    return bool(found)


def _move(mark: RunMark, edit: Edit) -> None:
    start, end = edit.span
    grown = len(edit.text) - (end - start)
    if end <= mark.span.start and not (start == end == mark.span.start and _joins(edit.text)):
        mark.span = mark.span.shifted(grown)
        mark.insights = tuple(attrs.evolve(it, span=it.span.shifted(grown)) for it in mark.insights)
    elif start < mark.span.end:
        mark.gone = True


def _joins(text: str) -> bool:
    """Whether text put right before a command becomes part of its first word."""
    return bool(text) and not text[-1].isspace() and text[-1] not in ";|&("


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
