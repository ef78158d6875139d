"""Open scripts and everything to be said on their lines: runs, history, rules, the shell's complaints.

What a reader can work out from the text comes at once; what needs a program
comes when it is ready, and listeners are told. What was found out about an
older version of a text is never shown on a newer one (DOC-1, DOC-2, DOC-4…6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import attrs

from zsh_ls.alan import Alan
from zsh_ls.insights import static_of
from zsh_ls.insights.history import hint, on_history
from zsh_ls.insights.suppression import without_ignored
from zsh_ls.machine.syntax_check import syntax_problems
from zsh_ls.model.faults import BadRequest
from zsh_ls.model.insight import Insight
from zsh_ls.model.past import Past
from zsh_ls.model.requests import DocumentRange
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.model.words import Level
from zsh_ls.shell.dialect import dialect_of, is_preprocessed, shebang_dialect
from zsh_ls.shell.heredocs import with_heredocs
from zsh_ls.shell.identity import identify
from zsh_ls.shell.lines import LineIndex
from zsh_ls.shell.parser import parse, reparse
from zsh_ls.shell.reported import reported_pipeline
from zsh_ls.shell.runnable import runnable_lines

from .documents import Document, settle
from .interface import DocumentInsight, Edit, LineHint, Unsubscribe
from .learning import short_output
from .trace_marks import TraceMarks
from .tracing import command_of
from .watch import Watch

NOT_ON_THE_LINE = "no-output"
# Above this a text is read in a thread, so that no other request waits for it.
LONG_TEXT = 5_000
IDLE_BEFORE_CHECK_S = 0.3
SHORTEST_REFRESH_S = 1.0


@attrs.frozen
class Parsed:
    """One version of a text and its structure."""

    version: int
    script: Script


@attrs.frozen
class Read:
    """What one version of a text says by itself."""

    version: int
    script: Script
    findings: tuple[DocumentInsight, ...]
    lines: tuple[Span, ...]

    def stands(self, pipeline: Span) -> bool:
        """Whether exactly this range is still a pipeline."""
        return any(found.span == pipeline for found in self.script.every_pipeline())


class Scripts:
    """The open documents, what was read in them, and who wants to know of changes."""

    def __init__(self, alan: Alan) -> None:
        self._alan = alan
        self._refresh: asyncio.TimerHandle | None = None
        self._remembered: set[str] = set()
        self._documents: dict[str, Document] = {}
        self._parsed: dict[str, asyncio.Task[Parsed]] = {}
        self._latest: dict[str, Script] = {}
        self._read: dict[str, Read] = {}
        self._complaints: dict[str, tuple[DocumentInsight, ...]] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._listeners: list[Callable[[str], None]] = []

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self.close(uri)
        self._documents[uri] = Document(uri, text, language_id, version)
        self._check(uri, 0.0)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits; the marks of runs move along or go."""
        if uri in self._documents:
            self._documents[uri].edit(edits, version)
            self._parsed.pop(uri, None)
            self._complaints.pop(uri, None)
            self._check(uri, IDLE_BEFORE_CHECK_S)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        self._documents.pop(uri, None)
        self._parsed.pop(uri, None)
        self._latest.pop(uri, None)
        self._read.pop(uri, None)
        self._complaints.pop(uri, None)
        if uri in self._checks:
            self._checks.pop(uri).cancel()

    async def stop(self) -> None:
        """End what goes on in the background."""
        if self._refresh is not None:
            self._refresh.cancel()
        checks = list(self._checks.values())
        for uri in list(self._documents):
            self.close(uri)
        await asyncio.gather(*checks, return_exceptions=True)

    def shell_named_by(self, where: DocumentRange | None) -> str | None:
        """The shell that the first line of the document names (RUN-13)."""
        document = self._documents.get(where.uri) if where else None
        dialect = shebang_dialect(document.text) if document else None
        return dialect.value if dialect else None

    def document(self, uri: str) -> Document:
        """The open document; raises BadRequest where it is not open."""
        if uri not in self._documents:
            raise BadRequest(f"textDocument.uri: expected an open document, got {uri!r}")
        return self._documents[uri]

    def begin(self, watch: Watch) -> None:
        """A run of a range begins: what earlier runs said of it goes."""
        where = watch.request.document
        document = self._documents.get(where.uri) if where else None
        if document is None or where is None:
            return
        start, end = (min(max(offset, 0), len(document.text)) for offset in where.span)
        watch.mark = document.begin(Span(start, end))
        self._changed(where.uri)

    def begin_script(self, document: Document, watch: Watch) -> None:
        """A traced run of all of a document begins: what earlier runs said of it goes."""
        script = watch.task.request.script
        if watch.trace is not None and script is not None and script.text == document.text:
            dialect = _dialect_of_shell(watch.task.request.shell)
            watch.trace_marks = TraceMarks.on(document, parse(script.text, dialect))
            self._changed(document.uri)

    def settle(self, watch: Watch) -> None:
        """Put what an ended run has to say on its lines, but not `No output produced.` (DOC-2, DOC-3)."""
        where, task = watch.request.document, watch.task
        if watch.trace_marks is not None and watch.trace is not None:
            self._changed(watch.trace_marks.fill(watch.trace.lines))
        if watch.mark is None or where is None:
            return
        spoken = [insight for insight in watch.after if insight.rule != NOT_ON_THE_LINE]
        dialect = _dialect_of_shell(task.request.shell)
        pipeline = reported_pipeline(
            watch.request.command,
            dialect,
            task.pipestatus,
            output=short_output(task),
        )
        if settle(watch.mark, watch.request.command, pipeline and pipeline.span, spoken):
            self._changed(where.uri)

    async def insights(self, uri: str) -> list[DocumentInsight]:
        """Everything to be said about the document as it stands now."""
        read = await self.reading(uri)
        document = self._documents.get(uri)
        if document is None or read is None:
            return []
        document.keep(read.stands)
        known = await self.pasts(read)
        warnings = [said for span, past in known for said in on_history(past, span)]
        warned = [
            DocumentInsight(said.span, said)
            for said in without_ignored(read.script, warnings)
            if said.span
        ]
        complaints = self._complaints.get(uri, ())
        found = [*document.insights(), *warned, *read.findings, *complaints]
        return sorted(found, key=lambda it: it.span)

    def traced_hints(self, uri: str) -> list[LineHint]:
        """The figures of the last traced run behind its lines."""
        document = self._documents.get(uri)
        marks = document.marks if document else ()
        return [LineHint(mark.span.end, mark.hint) for mark in marks if mark.hint]

    async def hints(self, uri: str) -> list[LineHint]:
        """The numbers of history behind the lines that it knows."""
        read = await self.reading(uri)
        if read is None:
            return []
        hints = [(span, hint(past)) for span, past in await self.pasts(read)]
        return [LineHint(span.end, text) for span, text in hints if text]

    def remembered(self, command: str) -> None:
        """A run was remembered: scripts with such a line say something else now, soon and not too often."""
        self._remembered.add(identify(command).template)
        if self._read and self._refresh is None:
            loop = asyncio.get_running_loop()
            self._refresh = loop.call_later(SHORTEST_REFRESH_S, self._tell_stale)

    def _tell_stale(self) -> None:
        templates, self._remembered, self._refresh = self._remembered, set(), None
        for uri, read in list(self._read.items()):
            lines = (read.script.source(line) for line in read.lines)
            if any(identify(line).template in templates for line in lines):
                self._changed(uri)

    async def pasts(self, read: Read) -> list[tuple[Span, Past]]:
        """The lines that memory knows and what it knows, in one question."""
        if not read.lines:
            return []
        run = with_heredocs(read.script, read.lines)
        pasts = await self._alan.pasts(read.script.source(span) for span in run)
        return [(line, past) for line, past in zip(read.lines, pasts, strict=True) if past]

    async def past_of_script(self, uri: str) -> Past:
        """What memory knows of runs of the whole document."""
        return await self._alan.past(command_of(self.document(uri)))

    def on_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def text(self, uri: str) -> str | None:
        """The text of an open document as it stands now."""
        document = self._documents.get(uri)
        return None if document is None else document.text

    async def read_lately(self, uri: str) -> Read | None:
        """What an earlier version of the text said, if it was read; a place within it may be off."""
        return self._read.get(uri) or await self.reading(uri)

    def uris(self) -> list[str]:
        """The documents that are open."""
        return list(self._documents)

    async def parsed(self, uri: str) -> Parsed | None:
        """The structure of the text of today, found out once for all who ask."""
        while (document := self._documents.get(uri)) is not None:
            if (task := self._parsed.get(uri)) is None:
                task = asyncio.get_running_loop().create_task(
                    _parsed(document, self._latest.get(uri))
                )
                self._parsed[uri] = task
            parsed = await asyncio.shield(task)
            if uri in self._documents:
                self._latest[uri] = parsed.script
            if self._parsed.get(uri) is task:
                return parsed
        return None

    async def reading(self, uri: str) -> Read | None:
        """What the text of today says; read again until no edit has come between."""
        while (parsed := await self.parsed(uri)) is not None:
            read = self._read.get(uri)
            if read is not None and read.script is parsed.script:
                return read
            if len(parsed.script.text) > LONG_TEXT:
                read = await asyncio.to_thread(_read, parsed)
            else:
                read = _read(parsed)
            self._read[uri] = read
        return None

    def _check(self, uri: str, delay_s: float) -> None:
        if uri in self._checks:
            self._checks.pop(uri).cancel()
        self._checks[uri] = asyncio.get_running_loop().create_task(self._complain(uri, delay_s))

    async def _complain(self, uri: str, delay_s: float) -> None:
        """What the shell's own compiler says, once nobody has typed for a moment."""
        await asyncio.sleep(delay_s)
        document = self._documents[uri]
        version, text = document.version, document.text
        if is_preprocessed(text, uri):
            return
        problems = await syntax_problems(text, _dialect(document))
        if self._documents.get(uri) is document and document.version == version:
            self._complaints[uri] = tuple(
                _on_lines(text, ((it.line, it.message) for it in problems))
            )
            if problems:
                self._changed(uri)

    def _changed(self, uri: str) -> None:
        for listener in self._listeners:
            listener(uri)


async def _parsed(document: Document, before: Script | None) -> Parsed:
    version, text, dialect = document.version, document.text, _dialect(document)
    read = parse if before is None else partial(reparse, before)
    if len(text) > LONG_TEXT:
        return Parsed(version, await asyncio.to_thread(read, text, dialect))
    return Parsed(version, read(text, dialect))


def _read(parsed: Parsed) -> Read:
    script = parsed.script
    findings = tuple(
        DocumentInsight(insight.span, insight) for insight in static_of(script) if insight.span
    )
    return Read(parsed.version, script, findings, tuple(runnable_lines(script)))


def _on_lines(text: str, complaints: Iterable[tuple[int, str]]) -> Iterable[DocumentInsight]:
    """The shell's complaints on their lines, without the white space around them."""
    lines = LineIndex(text)
    for number, message in complaints:
        line = min(number, lines.line_count - 1)
        start, end = lines.starts[line], lines.line_end(line)
        content = text[start:end]
        start += len(content) - len(content.lstrip())
        end = max(start, end - (len(content) - len(content.rstrip())))
        insight = Insight(Level.WARNING, message, "syntax-error", Span(start, end))
        yield DocumentInsight(Span(start, end), insight, is_error=True)


def _dialect(document: Document) -> Dialect:
    return dialect_of(document.text, document.language_id, document.uri.rpartition("/")[2])


def _dialect_of_shell(kind: str) -> Dialect:
    return Dialect(kind) if kind in set(Dialect) else Dialect.SH
