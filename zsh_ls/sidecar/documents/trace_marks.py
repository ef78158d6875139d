"""The figures of a traced run on the lines of its document: they move with edits, and go with their text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from zsh_ls.insights import traced
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import TracedLine
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.status.context import contexts, innermost_at
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statement, Statements
from zsh_ls.sidecar.editor.types import DocumentInsight

from .store import DocumentState, RunMark

# By line: the figures behind it, and its insights.
Said = Mapping[int, tuple[str, tuple[Insight, ...]]]


@attrs.frozen
class TraceMarks:
    """Marks on the lines of a script that is about to run, to be filled when it has ended."""

    document: DocumentState
    script: Script
    marks: Mapping[int, RunMark]
    statements: Mapping[int, Statement]

    @classmethod
    def on(cls, document: DocumentState, script: Script) -> TraceMarks:
        """What earlier runs said of the document goes; each list gets a mark on its first line."""
        lines = LineIndex(script.text)
        found = {it.first_line: it for it in Statements(script, lines.starts).all}
        document.marks.clear()
        marks = {line: document.mark(_on_line(it, lines)) for line, it in found.items()}
        return cls(document, script, marks, found)

    def said(self, ran: Sequence[TracedLine]) -> Said:
        """What there is to say of each list that ran, by its line; looks through all of the script."""
        by_line = {line.line: line for line in ran if line.line in self.marks}
        lists = {number: self.statements[number] for number in by_line}
        around = innermost_at(contexts(self.script), [it.span.start for it in lists.values()])
        said: dict[int, tuple[str, tuple[Insight, ...]]] = {}
        for number, statement in lists.items():
            context = around.get(statement.span.start)
            insights = traced.insights_of(
                by_line[number],
                _text(self.script, statement),
                self.script.dialect,
                context and context.context,
            )
            said[number] = traced.hint(by_line[number]), tuple(insights)
        return said

    def fill(self, said: Said) -> str:
        """Put what each list did on its line, where its text is still the same.

        Gives the URI of the document.
        """
        for number, mark in self.marks.items():
            if number not in said:
                mark.gone = True
                continue
            mark.hint, insights = said[number]
            mark.insights = tuple(DocumentInsight(mark.span, insight) for insight in insights)
        self.document.marks[:] = [mark for mark in self.document.marks if not mark.gone]
        return self.document.uri


def _text(script: Script, statement: Statement) -> str:
    """What the exits speak of; those of a loop or a condition are of what ran within."""
    return "" if statement.is_compound or statement.is_shared else script.source(statement.span)


def _on_line(statement: Statement, lines: LineIndex) -> Span:
    """The list as far as its line goes; where it speaks for others of the line, all of these."""
    line_end = lines.line_end(statement.first_line)
    end = line_end if statement.is_shared else min(statement.span.end, line_end)
    return Span(statement.span.start, max(end, statement.span.start))
