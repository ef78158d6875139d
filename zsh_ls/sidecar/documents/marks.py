"""The text of an open document, and the marks that runs leave on it.

A mark moves with the text as it is edited, and goes when the text it speaks of
changes or is run again (DOC-2). A traced run leaves one on each line whose list it ran
(DOC-3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum

from zsh_ls.insights import traced
from zsh_ls.lazy import attrs, re
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import TracedLine
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.status.context import contexts, innermost_at
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.statements import Statement, Statements
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit, LineHint


class LineSource(StrEnum):
    """What a mark of a whole line is of."""

    START = "start"
    REHEARSAL = "rehearsal"


@attrs.define
class RunMark:
    """Where a run of this document stands now, and what was found out about it.

    `span` is the run's range, `text` what stood there when it began; once the
    run has ended, the range of the pipeline its insights speak of, where that
    is known (`is_pipeline`). A mark that is `gone` has lost its text and takes no insights any more.
    `hint` is what a traced run says of its line in figures, `details` all that is known of it. Marks of a
    whole line say by `source` what they are of, a start of the shell or a rehearsal; with `is_result` it
    is how the run of that line ended. `result` is the mark for that, on the whole lines of
    the run: it stays until one of them changes. What is not `is_kept` goes with the document: a command
    that begins with a space. `failed_task` is the id of the task that failed on these lines, `""` where
    none did. The result of a whole script (`is_script`) stands behind its first line until any of it changes.
    """

    span: Span
    text: str
    insights: tuple[DocumentInsight, ...] = ()
    gone: bool = False
    is_pipeline: bool = False
    hint: str = ""
    details: str = ""
    source: LineSource | None = None
    is_result: bool = False
    is_kept: bool = True
    result: RunMark | None = None
    failed_task: str = ""
    is_script: bool = False

    def stands_on(self) -> Span:
        """The part of its text that it is shown on."""
        first_end = self.text.find("\n") if self.is_script else -1
        return Span(self.span.start, self.span.start + first_end) if first_end >= 0 else self.span


@attrs.define
class DocumentState:
    """The text of an open document and the marks on it; `has_results` once a run has left any."""

    uri: str
    text: str
    language_id: str
    version: int
    marks: list[RunMark] = attrs.field(factory=list)
    has_results: bool = False

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
        lines = self._lines_of(span)
        for mark in self.marks:
            end = lines.end if mark.is_result else span.end
            start = lines.start if mark.is_result else span.start
            there = mark.stands_on()
            mark.gone = mark.gone or (there.start < end and start < there.end)
        self._sweep()
        mark = self.mark(span)
        mark.result = self.mark(lines)
        mark.result.is_result = True
        return mark

    def begin_script(self) -> RunMark:
        """A run of the whole text begins: results of earlier ones, or on the first line, are removed."""
        whole = RunMark(Span(0, len(self.text)), self.text, is_result=True, is_script=True)
        first = whole.stands_on()
        for mark in self.marks:
            mark.gone = mark.gone or (mark.is_result and mark.span.start < max(first.end, 1))
        self._sweep()
        self.marks.append(whole)
        return whole

    def _lines_of(self, span: Span) -> Span:
        """The whole lines that a range touches, without the end of the last."""
        start = self.text.rfind("\n", 0, span.start) + 1
        end = self.text.find("\n", max(span.start, span.end - 1))
        return Span(start, end if end >= 0 else len(self.text))

    def mark(self, span: Span) -> RunMark:
        """A mark on `span`, where there is none."""
        mark = RunMark(span, self.text[span.start : span.end])
        self.marks.append(mark)
        return mark

    def mark_start(self, costs: Mapping[int, tuple[str, str]]) -> None:
        """Put what a start of the shell costs on its lines, from 0: each a text and what is said of it.

        The shell has read the file: where lines were added that are not saved, a line is known by its text if
        there is one such line.
        """
        self.unmark(LineSource.START)
        lines = LineIndex(self.text)
        texts = [self.text[lines.starts[it] : lines.line_end(it)] for it in range(lines.line_count)]
        for line, (text, hint) in costs.items():
            is_there = line < len(texts) and texts[line] == text
            at = line if is_there or texts.count(text) != 1 else texts.index(text)
            mark = self._mark_line(lines, at, LineSource.START, text)
            if mark is not None:
                mark.hint = hint

    def mark_rehearsal(self, text: str, notes: Mapping[int, tuple[str, str]]) -> None:
        """Put what a rehearsal of `text` found on its lines, from 0: a few words, and all that is known."""
        self.unmark(LineSource.REHEARSAL)
        lines, was = LineIndex(self.text), LineIndex(text)
        for line, (hint, details) in notes.items():
            if line < was.line_count:
                there = text[was.starts[line] : was.line_end(line)]
                mark = self._mark_line(lines, line, LineSource.REHEARSAL, there)
                if mark is not None:
                    mark.hint, mark.details = hint, details

    def unmark(self, source: LineSource) -> None:
        """Remove the marks of lines that are of `source`."""
        self.marks = [mark for mark in self.marks if mark.source is not source]

    def _mark_line(
        self, lines: LineIndex, line: int, source: LineSource, text: str
    ) -> RunMark | None:
        """A mark on a line, where its text is still the one in question."""
        if line >= lines.line_count:
            return None
        span = Span(lines.starts[line], lines.line_end(line))
        if self.text[span.start : span.end] != text:
            return None
        mark = self.mark(span)
        mark.source = source
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

    def hints(self) -> list[LineHint]:
        """What runs, traces, a start of the shell and a rehearsal have left behind the lines."""
        found = []
        for mark in self.marks:
            end = -1
            if mark.is_script:
                end = mark.stands_on().end
            elif mark.is_result:
                # A result stands on the first line that runs, not on a comment above it.
                above = _NOT_RUN.match(mark.text)
                start = mark.span.start + (above.end() if above else 0)
                end = self.text.find("\n", start)
            if mark.hint:
                at = end if 0 <= end < mark.span.end else mark.span.end
                found.append(LineHint(at, mark.hint, mark.details))
        return found

    def failed_tasks(self, span: Span) -> list[RunMark]:
        """The results of runs that failed on lines that a range touches."""
        found = ((mark, mark.stands_on()) for mark in self.marks if mark.failed_task)
        return [it for it, at in found if at.start <= span.end and span.start <= at.end]

    def _sweep(self) -> None:
        for mark in self.marks:
            start, end = mark.span
            mark.gone = mark.gone or self.text[start:end] != mark.text
            if mark.source is not None or mark.is_result:  # of the whole line
                around = self.text[start - 1 : start] + self.text[end : end + 1]
                mark.gone = mark.gone or bool(around.strip("\r\n"))
        self.marks = [mark for mark in self.marks if not mark.gone]


_NOT_RUN = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*(?=[ \t]*[^\s#])")


def settle(
    mark: RunMark,
    command: str,
    pipeline: Span | None,
    insights: Iterable[Insight],
    hint: str = "",
) -> bool:
    """Put the insights of the ended run of `command` on its mark; whether the mark could take them.

    `pipeline` is the range within `command` of the pipeline they speak of, `hint` how it ended.
    """
    found = tuple(insights)
    if mark.gone:
        return False
    if mark.result is not None and not mark.result.gone:
        mark.result.hint = hint
    offset = mark.text.find(command)
    if offset < 0:
        mark.insights = tuple(DocumentInsight(mark.span, insight) for insight in found)
        return bool(found or hint)
    base = mark.span.start + offset
    narrow = pipeline or Span(0, len(command))
    mark.insights = tuple(
        DocumentInsight((insight.span or narrow).shifted(base), insight) for insight in found
    )
    mark.text = command[narrow.start : narrow.end]
    mark.span = narrow.shifted(base)
    mark.is_pipeline = pipeline is not None
    return bool(found or hint)


@attrs.frozen
class ResultAlone:
    """Where the result of a run will stand that leaves nothing else on its lines: a script, a recipe."""

    document: DocumentState
    mark: RunMark

    def settle(self, hint: str, failed_task: str) -> bool:
        """Say how it ended; whether its text still stands. `failed_task` is `""` where it succeeded."""
        self.mark.hint, self.mark.failed_task = hint, failed_task
        if not self.mark.gone:
            self.document.has_results = True
        return not self.mark.gone


def _move(mark: RunMark, edit: Edit) -> None:
    if mark.is_script:
        mark.gone = True
        return
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

    def findings(self, ran: Sequence[TracedLine], ended_at: int | None = None) -> LineFindings:
        """What there is to say of each list that ran, by its line; looks through all of the script.

        `ended_at` is the line where errexit ended it.
        """
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
            if number == ended_at:
                # That the exit is a normal one is no comfort where it ended the script.
                insights = [*traced.without_normal(insights), traced.ERREXIT_ENDED]
            found[number] = traced.hint(by_line[number]), tuple(insights)
        return found

    def ended_by_errexit(
        self, ran: Sequence[TracedLine], exit_status: int, stopping: Iterable[Span]
    ) -> int | None:
        """The line where errexit ended the script; None where it did not, or that is not certain.

        `stopping` are the commands whose failure errexit ends the script at. Of a call and what
        failed within it, the latter took no longer.
        """
        starts = [it.start for it in stopping]
        failed = [
            it
            for it in ran
            if it.exit == exit_status != 0
            and (statement := self.statements.get(it.line)) is not None
            and any(statement.span.start <= at < statement.span.end for at in starts)
        ]
        if not failed:
            return None
        return min(failed, key=lambda it: (it.max_ms, -it.line)).line

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
