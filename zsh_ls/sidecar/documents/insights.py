"""Open scripts and the insights on their lines: from runs, history, rules and the shell's compiler.

What a reader can work out from the text comes at once; what needs a program
comes when it is ready, and listeners are told. What was found out about an
older version of a text is never shown on a newer one (DOC-1, DOC-2, DOC-4…6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from zsh_ls.alan import Alan
from zsh_ls.insights import traced
from zsh_ls.insights.history import hint, on_history
from zsh_ls.insights.news import for_a_person
from zsh_ls.insights.suppression import without_ignored
from zsh_ls.machine.syntax_check import complaints as complaints_of
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import DocumentRange
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script, SyntaxProblem
from zsh_ls.model.words import Level, Outcome
from zsh_ls.shell.fates import Rule
from zsh_ls.shell.ide.cursor import with_heredocs
from zsh_ls.shell.syntax.dialect import shebang_dialect
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.template.identity import identify
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit, LineHint
from zsh_ls.sidecar.interface import Unsubscribe
from zsh_ls.sidecar.runs.launch import folder_of
from zsh_ls.sidecar.runs.progress import notify_all
from zsh_ls.sidecar.runs.run import Run
from zsh_ls.sidecar.runs.tracing import command_of, structure_of
from zsh_ls.system.projects import scope_of
from zsh_ls.system.sorting import sorted_in_turns

from .executor import run_maybe_in_thread
from .fates import FateMaps, failures_beside_the_loop
from .kept_marks import KeptMarks, kept_of, placed
from .marks import DocumentState, ResultAlone, TraceMarks, settle
from .store import Read, Readings, path_of

NOT_ON_THE_LINE = "no-output"
IDLE_BEFORE_CHECK_S = 0.3
SHORTEST_REFRESH_S = 1.0
BY_ERREXIT = frozenset({Rule.ERREXIT, Rule.PIPEFAIL, Rule.CALL_FAILS})
# Shells that look at documents at once; a page of Markdown may have a hundred blocks.
MOST_CHECKS = 4


class Scripts:
    """The insights on the lines of open documents, and the listeners for changes."""

    def __init__(self, alan: Alan, workspace: str | None, kept: Path | None = None) -> None:
        """`kept` is the folder for what stands on lines of documents that are closed; None keeps nothing."""
        self.readings = Readings()
        self._kept = KeptMarks(kept)
        self._alan = alan
        self._workspace = workspace
        self._shows_history_warnings = False
        """Whether what history warns of is a diagnostic (DOC-4)."""
        self._refresh: asyncio.Task[None] | None = None
        self._remembered: set[str] = set()
        self._complaints: dict[str, tuple[DocumentInsight, ...]] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(MOST_CHECKS)
        self._listeners: list[Callable[[str], None]] = []
        self.fates = FateMaps(self.readings, self.tell_changed)
        self._start_costs: dict[str, dict[int, tuple[str, str]]] = {}

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self.close(uri)
        self.readings.open(uri, text, language_id, version)
        document = self.readings.document(uri)
        document.marks += placed(self._kept.read(uri), text)
        document.has_results = bool(document.marks)
        self._mark_start(uri)
        self._check(uri, 0.0)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits; the marks of runs move along or go."""
        if self.readings.find(uri) is not None:
            self.readings.edit(uri, edits, version)
            self._complaints.pop(uri, None)
            self.fates.close(uri)
            self._check(uri, IDLE_BEFORE_CHECK_S)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        self._keep(uri)
        self.readings.close(uri)
        self.fates.close(uri)
        self._complaints.pop(uri, None)
        if uri in self._checks:
            self._checks.pop(uri).cancel()

    async def stop(self) -> None:
        """End what goes on in the background."""
        if self._refresh is not None:
            self._refresh.cancel()
        await self.fates.stop()
        await self.readings.stop()
        checks = list(self._checks.values())
        for uri in self.readings.uris():
            self.close(uri)
        await asyncio.gather(*checks, return_exceptions=True)

    def _keep(self, uri: str) -> None:
        """Write down what stands on the lines of an open document, for when it is opened again."""
        document = self.readings.find(uri)
        if document is not None and document.has_results and path_of(uri) is not None:
            self._kept.write(uri, kept_of(document.marks, document.text))

    def shell_named_by(self, where: DocumentRange | None) -> str | None:
        """The shell that the first line of the document names (RUN-13)."""
        document = self.readings.find(where.uri if where else None)
        dialect = shebang_dialect(document.text) if document else None
        return dialect.value if dialect else None

    def begin(self, run: Run) -> None:
        """A run of a range begins: insights of earlier runs on it are removed."""
        where = run.request.document
        if where is not None:
            self.begin_at(run, where.uri, where.span)

    def begin_at(self, run: Run, uri: str, span: Span) -> None:
        """A run of this range of a document begins."""
        document = self.readings.find(uri)
        if document is None:
            return
        start, end = (min(max(offset, 0), len(document.text)) for offset in span)
        run.mark = document.begin(Span(start, end))
        self.tell_changed(uri)

    def begin_script(self, document: DocumentState, run: Run) -> None:
        """A run of a whole document begins: it leaves its result on the first line, traced on all."""
        script = run.task.request.script
        if script is None or script.text != document.text:
            return
        if run.trace is not None:
            shell = run.task.request.shell
            dialect = Dialect(shell) if shell in set(Dialect) else Dialect.SH
            run.trace_marks = TraceMarks.on(document, structure_of(script.text, dialect))
        else:
            run.result_alone = ResultAlone(document, document.begin_script())
        self.tell_changed(document.uri)

    async def settle(self, run: Run) -> None:
        """Put what an ended run has to say on its lines, but not `No output produced.` (DOC-2, DOC-3)."""
        where = run.request.document
        if run.trace_marks is not None and run.trace is not None:
            marks, length = run.trace_marks, len(run.trace_marks.script.text)
            ended_at = await self._ended_by_errexit(run)
            findings = await run_maybe_in_thread(
                length, partial(marks.findings, run.trace.lines, ended_at)
            )
            uri = marks.fill(findings)
            marks.document.has_results = True
            self._keep(uri)
            self.tell_changed(uri)
        if run.result_alone is not None and run.completed is not None:
            has_failed = run.completed.outcome is not Outcome.SUCCESS
            hint = traced.result_hint(run.completed, run.after)
            if run.result_alone.settle(hint, run.task.task_id if has_failed else ""):
                uri = run.result_alone.document.uri
                self._keep(uri)
                self.tell_changed(uri)
        if run.mark is None or where is None:
            return
        shown = [insight for insight in run.after if insight.rule != NOT_ON_THE_LINE]
        if run.only_news:
            shown = for_a_person(shown, in_an_editor=True)
        pipeline, hint = None, ""
        if run.completed is not None:
            pipeline, hint = run.completed.pipeline, traced.result_hint(run.completed, run.after)
        if run.mark.result is not None:
            if run.request.command.startswith(" "):
                run.mark.is_kept = run.mark.result.is_kept = False
            elif run.completed is not None and run.completed.outcome is not Outcome.SUCCESS:
                run.mark.result.failed_task = run.task.task_id
        if settle(run.mark, run.request.command, pipeline and pipeline.span, shown, hint):
            document = self.readings.find(where.uri)
            if document is not None:
                document.has_results = True
            self._keep(where.uri)
            self.tell_changed(where.uri)

    async def _ended_by_errexit(self, run: Run) -> int | None:
        """The line where errexit ended a traced script, by the fates of its commands."""
        marks, trace, exit_status = run.trace_marks, run.trace, run.task.exit
        if marks is None or trace is None or not exit_status:
            return None
        try:
            fates = (await failures_beside_the_loop(marks.script)).commands
        except RequestRejected:
            return None
        stopping = [it.span for it in fates if it.rule in BY_ERREXIT]
        return marks.ended_by_errexit(trace.lines, exit_status, stopping)

    async def insights(self, uri: str) -> list[DocumentInsight]:
        """All insights on the document as it stands now."""
        by_rules = None
        while (read := await self.readings.reading(uri)) is not None:
            by_rules = await self.readings.findings(uri, read)
            if by_rules is not None:
                break
        document = self.readings.find(uri)
        if document is None or read is None or by_rules is None:
            return []
        length = len(read.script.text)
        standing = await run_maybe_in_thread(length, partial(read.standing, document.spans()))
        if document.version == read.version:
            document.keep(standing.__contains__)
        known = await self.histories(uri, read) if self._shows_history_warnings else []
        warnings = await run_maybe_in_thread(length, partial(_warnings, read.script, known))
        complaints = self._complaints.get(uri, ())
        found = (document.insights(), warnings, by_rules, complaints)
        return await run_maybe_in_thread(
            length, lambda: sorted_in_turns(chain.from_iterable(found), lambda it: it.span)
        )

    def show_history_warnings(self, shown: bool) -> None:
        """Let what history warns of stand on its lines, or no longer (DOC-4)."""
        if shown is not self._shows_history_warnings:
            self._shows_history_warnings = shown
            for uri in self.readings.uris():
                self.tell_changed(uri)

    def started(self, costs: dict[str, dict[int, tuple[str, str]]]) -> None:
        """A start of the shell was measured: what is said of lines, by file, with their texts (START-4)."""
        before, self._start_costs = self._start_costs, costs
        for uri in self.readings.uris():
            path = path_of(uri)
            if path is not None and (path in costs or path in before):
                self._mark_start(uri)
                self.tell_changed(uri)

    def _mark_start(self, uri: str) -> None:
        path, document = path_of(uri), self.readings.find(uri)
        if document is not None and path is not None and self._start_costs:
            document.mark_start(self._start_costs.get(path, {}))

    def rehearsed(self, uri: str, text: str, notes: Mapping[int, tuple[str, str]]) -> None:
        """A document's `text` was rehearsed: what is said of its lines, from 0 (REH-2)."""
        document = self.readings.find(uri)
        if document is not None:
            document.mark_rehearsal(text, notes)
            self.tell_changed(uri)

    def run_hints(self, uri: str) -> list[LineHint]:
        """The figures that runs of lines and the last traced run have left behind them."""
        document = self.readings.find(uri)
        return document.hints() if document else []

    async def hints(self, uri: str) -> list[LineHint]:
        """The numbers of history behind the lines that it knows."""
        read = await self.readings.reading(uri)
        if read is None:
            return []
        known = await self.histories(uri, read)

        def hints() -> list[LineHint]:
            texts = ((span, hint(history)) for span, history in known)
            return [LineHint(span.end, text) for span, text in texts if text]

        return await run_maybe_in_thread(len(read.script.text), hints)

    def learnt(self, templates: Collection[str]) -> None:
        """Of these templates something is new: scripts with such a line say something else, soon."""
        if not templates or not self.readings.latest():
            return
        self._remembered.update(templates)
        if self._refresh is None:
            loop = asyncio.get_running_loop()
            self._refresh = loop.create_task(self._tell_stale())

    async def _tell_stale(self) -> None:
        """Report documents that have a line with a newly remembered command, until none is left."""
        while self._remembered:
            await asyncio.sleep(SHORTEST_REFRESH_S)
            templates, self._remembered = self._remembered, set()
            for uri, read in list(self.readings.latest().items()):
                script = read.script
                lines = map(script.source, read.lines)
                has_any = partial(any, (identify(line).template in templates for line in lines))
                if await run_maybe_in_thread(len(script.text), has_any):
                    self.tell_changed(uri)
        self._refresh = None

    async def past(self, uri: str, command: str) -> CommandHistory:
        """What memory knows of one command of a document."""
        return await self._alan.past(command, self._scope_of(uri))

    def _scope_of(self, uri: str) -> str:
        """The folder by which memory counts what runs from a document."""
        try:
            return scope_of(folder_of(None, uri, self._workspace), self._workspace)
        except RequestRejected:  # nothing can run from it now: what ran is told of all folders
            return ""

    async def histories(self, uri: str, read: Read) -> list[tuple[Span, CommandHistory]]:
        """The lines that memory knows and what it knows in the document's project, in one question."""
        if not read.lines:
            return []
        script, lines = read.script, read.lines
        commands = await run_maybe_in_thread(
            len(script.text), lambda: [script.source(it) for it in with_heredocs(script, lines)]
        )
        found = await self._alan.pasts(commands, self._scope_of(uri))
        known = ((line, past) for line, past in zip(lines, found, strict=True) if past)
        return await run_maybe_in_thread(len(script.text), partial(list, known))

    async def history_of_script(self, uri: str) -> CommandHistory:
        """What memory knows of runs of the whole document."""
        command = command_of(self.readings.document(uri))
        return await self._alan.past(command, self._scope_of(uri))

    def on_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _check(self, uri: str, delay_s: float) -> None:
        if uri in self._checks:
            self._checks.pop(uri).cancel()
        self._checks[uri] = asyncio.get_running_loop().create_task(self._complain(uri, delay_s))

    async def _complain(self, uri: str, delay_s: float) -> None:
        """What the shell's own compiler says, once nobody has typed for a moment."""
        await asyncio.sleep(delay_s)
        document = self.readings.document(uri)
        version, text = document.version, document.text
        dialect = await self.readings.readable_dialect(document)
        if dialect is None:
            return
        async with self._slots:
            problems = await complaints_of(text, dialect, uri.rpartition("/")[2])
        complaints = await run_maybe_in_thread(len(text), lambda: tuple(_on_lines(text, problems)))
        if self.readings.find(uri) is document and document.version == version:
            self._complaints[uri] = complaints
            if complaints:
                self.tell_changed(uri)

    def tell_changed(self, uri: str) -> None:
        """Call the listeners: what is said of a document may have changed."""
        notify_all(self._listeners, uri)


def _warnings(
    script: Script, known: Sequence[tuple[Span, CommandHistory]]
) -> list[DocumentInsight]:
    """What history warns of on its lines."""
    found = [insight for span, history in known for insight in on_history(history, span)]
    return [DocumentInsight(it.span, it) for it in without_ignored(script, found) if it.span]


def _on_lines(text: str, complaints: Sequence[SyntaxProblem]) -> Iterator[DocumentInsight]:
    """The shell's complaints on their lines, without the white space around them."""
    if not complaints:
        return
    lines = LineIndex(text)
    for number, message in ((each.line, each.message) for each in complaints):
        line = min(number, lines.line_count - 1)
        start, end = lines.starts[line], lines.line_end(line)
        content = text[start:end]
        start += len(content) - len(content.lstrip())
        end = max(start, end - (len(content) - len(content.rstrip())))
        insight = Insight(Level.WARNING, message, "syntax-error", Span(start, end))
        yield DocumentInsight(Span(start, end), insight, is_error=True)
