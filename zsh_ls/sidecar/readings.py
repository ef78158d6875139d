"""Open documents and what can be read in them: each version of a text is read once, for all who ask.

Long texts are read beside the event loop, those that look like no script only where a process of its own
has shown that they can be; nothing is run, and nothing but the text is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial

import attrs

from zsh_ls.insights import static_of
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.model.words import Level
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse, reparse

from .documents import DocumentState
from .executor import ParseProbes, Shared, let_go, run_maybe_in_thread
from .interface import DocumentInsight, Edit

BEGINNING = Span(0, 0)
TOO_COSTLY = (
    "This text of {length:,} characters costs too much to read: nothing is said of its lines. "
    "It can still be run."
)


@attrs.frozen
class ParsedDocument:
    """One version of a text and its structure; that of no text where reading it costs too much."""

    version: int
    script: Script
    too_costly: int = 0


@attrs.frozen
class Read:
    """What one version of a text says by itself."""

    version: int
    script: Script
    findings: tuple[DocumentInsight, ...]
    lines: tuple[Span, ...]

    def standing(self, pipelines: Set[Span]) -> Set[Span]:
        """Which of these ranges are still exactly a pipeline's."""
        if not pipelines:
            return pipelines
        return pipelines & {found.span for found in self.script.every_pipeline()}


class Readings:
    """The open documents, and their texts as they were last read."""

    def __init__(self) -> None:
        self._documents: dict[str, DocumentState] = {}
        self._parsed: dict[str, asyncio.Task[ParsedDocument | None]] = {}
        self._latest: dict[str, Script] = {}
        self._read: dict[str, Read] = {}
        self._reads: Shared[Read] = Shared()
        self._trials = ParseProbes()
        self.on_closed: Callable[[str], None] = lambda uri: None

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self._documents[uri] = DocumentState(uri, text, language_id, version)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits to an open document."""
        self._documents[uri].edit(edits, version)
        self._trials.edited(uri, sum(len(edit.text) for edit in edits))
        self._parsed.pop(uri, None)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        document = self._documents.pop(uri, None)
        self._trials.closed(uri)
        length = len(document.text) if document else 0
        parsing = self._parsed.pop(uri, None)
        let_go(length, [self._latest.pop(uri, None), self._read.pop(uri, None)])
        if parsing is not None:
            parsing.add_done_callback(partial(_let_go_of_result, length))
        self.on_closed(uri)

    async def stop(self) -> None:
        """End what reads in the background."""
        await self._trials.stop()

    def uris(self) -> list[str]:
        """The documents that are open."""
        return list(self._documents)

    def find(self, uri: str | None) -> DocumentState | None:
        """The document, if it is open."""
        return self._documents.get(uri) if uri is not None else None

    def document(self, uri: str) -> DocumentState:
        """The open document; raises BadRequest where it is not open."""
        if uri not in self._documents:
            raise InvalidRequest(f"textDocument.uri: expected an open document, got {uri!r}")
        return self._documents[uri]

    def text(self, uri: str) -> str | None:
        """The text of an open document as it stands now."""
        document = self._documents.get(uri)
        return None if document is None else document.text

    def latest(self) -> Mapping[str, Read]:
        """What was last read of each document as of now, maybe of an older version of its text."""
        return self._read

    async def read_lately(self, uri: str) -> Read | None:
        """What an earlier version of the text said, if it was read; a place within it may be off."""
        return self._read.get(uri) or await self.reading(uri)

    async def readable_dialect(self, document: DocumentState) -> Dialect | None:
        """The shell it is written for; None where its text costs too much to read."""
        uri, text = document.uri, document.text
        dialect = await _dialect(document)
        return dialect if await self._trials.is_readable(uri, text, dialect) else None

    async def parsed(self, uri: str) -> ParsedDocument | None:
        """The structure of the text of today, found out once for all who ask."""
        while (document := self._documents.get(uri)) is not None:
            if (task := self._parsed.get(uri)) is None:
                task = asyncio.get_running_loop().create_task(self._parse(document))
                self._parsed[uri] = task
            parsed = await asyncio.shield(task)
            if parsed is not None and uri in self._documents:
                self._latest[uri] = parsed.script
            if parsed is not None and self._parsed.get(uri) is task:
                return parsed
        return None

    async def reading(self, uri: str) -> Read | None:
        """What the text of today says; read again until no edit has come between."""
        while (parsed := await self.parsed(uri)) is not None:
            read = self._read.get(uri)
            if read is not None and read.script is parsed.script:
                return read
            self._read[uri] = await self._reads.at_leisure(
                uri, parsed.script, partial(_read, parsed)
            )
        return None

    async def _parse(self, document: DocumentState) -> ParsedDocument | None:
        """The structure of a document's text; none where it was edited before that began."""
        uri, version, text = document.uri, document.version, document.text
        dialect = await _dialect(document)
        if not await self._trials.is_readable(uri, text, dialect):
            return ParsedDocument(version, parse("", dialect), len(text))
        if document.text is not text:
            return None
        before = self._latest.get(uri)
        read = parse if before is None else partial(reparse, before)
        return ParsedDocument(
            version, await run_maybe_in_thread(len(text), partial(read, text, dialect))
        )


def _let_go_of_result(length: int, parsing: asyncio.Task[ParsedDocument | None]) -> None:
    if not parsing.cancelled() and parsing.exception() is None:
        let_go(length, [parsing.result()])


async def _dialect(document: DocumentState) -> Dialect:
    name = document.uri.rpartition("/")[2]
    told = partial(dialect_of, document.text, document.language_id, name)
    return await run_maybe_in_thread(len(document.text), told)


def _read(parsed: ParsedDocument) -> Read:
    script = parsed.script
    findings = tuple(
        DocumentInsight(insight.span, insight) for insight in static_of(script) if insight.span
    )
    if parsed.too_costly:
        said = Insight(Level.INFO, TOO_COSTLY.format(length=parsed.too_costly), span=BEGINNING)
        findings = (DocumentInsight(BEGINNING, said),)
    return Read(parsed.version, script, findings, tuple(runnable_lines(script)))
