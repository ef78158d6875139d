"""The text of an open document, and the marks that runs leave on it.

A mark moves with the text as it is edited, and goes when the text it speaks of
changes or is run again (DOC-2). A traced run leaves one on each line whose list it ran
(DOC-3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from zsh_ls.insights import traced
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import TracedLine
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.status.context import contexts, innermost_at
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statement, Statements
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit


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
        """Apply edits one after the other; marks move along, and those whose text changed are removed."""
        for edit in edits:
            start, end = edit.span
            self.text = self.text[:start] + edit.text + self.text[end:]
            for mark in self.marks:
                _move(mark, edit)
        self.version = version
        self._sweep()

    def begin(self, span: Span) -> RunMark:
        """A run of `span` begins: the marks of earlier runs on it are removed."""
        for mark in self.marks:
            overlaps = mark.span.start < span.end and span.start < mark.span.end
            mark.gone = mark.gone or overlaps
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
    # Text typed right before a command may become part of its first word.
    joins = bool(edit.text) and not edit.text[-1].isspace() and edit.text[-1] not in ";|&("
    if end <= mark.span.start and not (start == end == mark.span.start and joins):
        mark.span = mark.span.shifted(grown)
        mark.insights = tuple(attrs.evolve(it, span=it.span.shifted(grown)) for it in mark.insights)
    elif start < mark.span.end:
        mark.gone = True


# By line: the figures behind it, and its insights.
LineFindings = Mapping[int, tuple[str, tuple[Insight, ...]]]


@attrs.frozen
class TraceMarks:
    """Marks on the lines of a script that is about to run, to be filled when it has ended."""

    document: DocumentState
    script: Script
    marks: Mapping[int, RunMark]
    statements: Mapping[int, Statement]

    @classmethod
    def on(cls, document: DocumentState, script: Script) -> TraceMarks:
        """Remove the marks of earlier runs, and put one on the first line of each list."""
        lines = LineIndex(script.text)
        found = {it.first_line: it for it in Statements(script, lines.starts).all}
        document.marks.clear()
        marks = {}
        for line, statement in found.items():
            # A list as far as its line goes; where it speaks for others of the line, all of these.
            start, line_end = statement.span.start, lines.line_end(line)
            end = line_end if statement.is_shared else min(statement.span.end, line_end)
            marks[line] = document.mark(Span(start, max(end, start)))
        return cls(document, script, marks, found)

    def findings(self, ran: Sequence[TracedLine]) -> LineFindings:
        """What there is to say of each list that ran, by its line; looks through all of the script."""
        by_line = {line.line: line for line in ran if line.line in self.marks}
        lists = {number: self.statements[number] for number in by_line}
        around = innermost_at(contexts(self.script), [it.span.start for it in lists.values()])
        found: dict[int, tuple[str, tuple[Insight, ...]]] = {}
        for number, statement in lists.items():
            context = around.get(statement.span.start)
            # The exits of a loop or a condition are those of what ran within, not of its own text.
            is_within = statement.is_compound or statement.is_shared
            insights = traced.insights_of(
                by_line[number],
                "" if is_within else self.script.source(statement.span),
                self.script.dialect,
                context and context.context,
            )
            found[number] = traced.hint(by_line[number]), tuple(insights)
        return found

    def fill(self, findings: LineFindings) -> str:
        """Put what each list did on its line, where its text is still the same.

        Gives the URI of the document.
        """
        for number, mark in self.marks.items():
            if number not in findings:
                mark.gone = True
                continue
            mark.hint, insights = findings[number]
            mark.insights = tuple(DocumentInsight(mark.span, insight) for insight in insights)
        self.document.marks[:] = [mark for mark in self.document.marks if not mark.gone]
        return self.document.uri
