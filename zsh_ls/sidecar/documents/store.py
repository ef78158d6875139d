"""Open documents, what was read in them, and the scripts they source.

Each version of a text is parsed once, for all who ask; a long one in a thread.

A sourced file is read only when somebody asks where a name comes from, never
because a document was opened, and only a regular file of at most 1 MiB inside a
trusted workspace, at most 8 deep (DOC-8). Nothing here runs anything.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from zsh_ls.lazy import attrs
from zsh_ls.machine.side_process import SideProcess
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script, pipelines_within
from zsh_ls.model.words import Level
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.symbols import Names
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.reparse import reparse
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit
from zsh_ls.system.bounded_files import MIB, NotRead, read_with_status
from zsh_ls.system.programs import is_below

from .executor import Shared, let_go, run_in_thread, run_maybe_in_thread
from .findings import Findings
from .marks import DocumentState
from .parse_probe import ParseProbes
from .project_files import scripts_of

Made = TypeVar("Made")

BEGINNING = Span(0, 0)
TOO_COSTLY = (
    "This text of {length:,} characters costs too much to read: nothing is said of its lines. "
    "It can still be run."
)
# A question about names reads at most so many sourced files, so deep, each of so many bytes (DOC-8).
MOST_FILES = 50
DEEPEST = 8
SOURCED_BYTES = MIB
# Files looked into or open in this session, whose symbols can still be asked for.
MOST_REMEMBERED = 500


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
    lines: tuple[Span, ...]
    too_costly: int = 0

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
        self.beside = SideProcess()
        self._findings = Findings(self.beside)
        self._probes = ParseProbes()
        self.on_closed: Callable[[str], None] = lambda uri: None
        self.rules_on: Callable[[str], Set[str]] = lambda uri: frozenset()
        """The rules that are on in a document beside those that are on by default."""

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self._documents[uri] = DocumentState(uri, text, language_id, version)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits to an open document."""
        self._documents[uri].edit(edits, version)
        self._probes.edited(uri, sum(len(edit.text) for edit in edits))
        self._findings.edited(uri)
        self._parsed.pop(uri, None)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        document = self._documents.pop(uri, None)
        self._probes.closed(uri)
        self._findings.closed(uri)
        length = len(document.text) if document else 0
        parsing = self._parsed.pop(uri, None)
        let_go(length, [self._latest.pop(uri, None), self._read.pop(uri, None)])
        if parsing is not None:

            def let_go_of_result(parsed: asyncio.Task[ParsedDocument | None]) -> None:
                if not parsed.cancelled() and parsed.exception() is None:
                    let_go(length, [parsed.result()])

            parsing.add_done_callback(let_go_of_result)
        self.on_closed(uri)

    async def stop(self) -> None:
        """End what reads in the background."""
        await self._probes.stop()
        await self._findings.stop()
        await self.beside.stop()

    def uris(self) -> list[str]:
        """The documents that are open."""
        return list(self._documents)

    def find(self, uri: str | None) -> DocumentState | None:
        """The document, if it is open."""
        return self._documents.get(uri) if uri is not None else None

    def document(self, uri: str) -> DocumentState:
        """The open document; raises InvalidRequest where it is not open."""
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
        return dialect if await self._probes.is_readable(uri, text, dialect) else None

    async def parsed(self, uri: str) -> ParsedDocument | None:
        """The structure of the text of today, found out once for all who ask."""
        while (document := self._documents.get(uri)) is not None:
            if (task := self._parsed.get(uri)) is None:
                task = asyncio.get_running_loop().create_task(self._parse(document))
                self._parsed[uri] = task
            parsed = await asyncio.shield(task)
            if parsed is not None and uri in self._documents:
                _replace(self._latest, uri, parsed.script, len(document.text))
            if parsed is not None and self._parsed.get(uri) is task:
                return parsed
        return None

    async def reading(self, uri: str) -> Read | None:
        """What the text of today says; read again until no edit has come between."""
        while (parsed := await self.parsed(uri)) is not None:
            read = self._read.get(uri)
            if read is not None and read.script is parsed.script:
                return read
            read = await self._reads.run_maybe_in_thread(uri, parsed.script, partial(_read, parsed))
            if uri not in self._documents:
                let_go(len(parsed.script.text), [read])
                return None
            _replace(self._read, uri, read, len(parsed.script.text))
        return None

    async def findings(self, uri: str, read: Read) -> tuple[DocumentInsight, ...] | None:
        """What the rules say of a text as it was read; None where it has been edited since."""
        if read.too_costly:
            notice = Insight(Level.INFO, TOO_COSTLY.format(length=read.too_costly), span=BEGINNING)
            return (DocumentInsight(BEGINNING, notice),)
        found = await self._findings.of(uri, read.script, self.rules_on(uri))
        if found is None:
            return None
        return tuple(DocumentInsight(it.span, it) for it in found if it.span)

    async def _parse(self, document: DocumentState) -> ParsedDocument | None:
        """The structure of a document's text; none where it was edited before that began."""
        uri, version, text = document.uri, document.version, document.text
        dialect = await _dialect(document)
        if not await self._probes.is_readable(uri, text, dialect):
            return ParsedDocument(version, parse("", dialect), len(text))
        if document.text is not text:
            return None
        before = self._latest.get(uri)
        read = parse if before is None else partial(reparse, before)
        return ParsedDocument(
            version, await run_maybe_in_thread(len(text), partial(read, text, dialect))
        )


def _replace(kept: dict[str, Made], uri: str, new: Made, length: int) -> None:
    """Keep `new`, and let go of what was kept before, which has most of its parts anew."""
    gone: list[object] = [] if kept.get(uri) is new else [kept.get(uri)]
    kept[uri] = new
    let_go(length, gone)


async def _dialect(document: DocumentState) -> Dialect:
    name = document.uri.rpartition("/")[2]
    find = partial(dialect_of, document.text, document.language_id, name)
    return await run_maybe_in_thread(len(document.text), find)


def _read(parsed: ParsedDocument) -> Read:
    script = parsed.script
    return Read(parsed.version, script, tuple(runnable_lines(script)), parsed.too_costly)


@attrs.frozen(eq=False)
class ScriptVersion:
    """One version of a script and its names; `version` is None for a file that is not open."""

    uri: str
    version: int | None
    names: Names
    lines: LineIndex

    @property
    def script(self) -> Script:
        """The script."""
        return self.names.script


@attrs.frozen
class ScriptGroup:
    """A script and what it sources; `is_whole` where every file of that could be read."""

    views: tuple[ScriptVersion, ...]
    is_whole: bool


def _sources_unknown(view: ScriptVersion) -> bool:
    """Whether a script sources a file by a name that is not constant."""
    sourcing = sum(
        segment.command_word in {".", "source"} and len(segment.words) > 1
        for pipeline in pipelines_within(view.script.pipelines)
        for segment in pipeline.segments
    )
    return sourcing > len(view.names.sourced)


class Library:
    """The views of open documents and of files."""

    def __init__(
        self,
        readings: Readings,
        workspace: str | None,
        on_closed: Callable[[str], None] = lambda uri: None,
    ) -> None:
        self._readings = readings
        self._on_closed = on_closed
        readings.on_closed = self._closed
        self._workspace = workspace
        self.reads_files = True
        self._open: dict[str, ScriptVersion] = {}
        self._views: Shared[ScriptVersion] = Shared()
        self._files: dict[str, tuple[int, ScriptVersion]] = {}
        self._uris_met: dict[str, None] = {}

    async def view(self, uri: str) -> ScriptVersion | None:
        """An open document as it stands now; None where it is not open."""
        parsed = await self._readings.parsed(uri)
        if parsed is None:
            self._open.pop(uri, None)
            return None
        known = self._open.get(uri)
        if known is not None and known.script is parsed.script:
            return known
        self._remember(uri)
        earlier = known.names if known is not None else None
        view = await self._views.run_maybe_in_thread(
            uri, parsed.script, partial(_viewed, uri, parsed.version, parsed.script, earlier)
        )
        if self._readings.find(uri) is not None:
            self._open[uri] = view
        if known is not None:
            gone: list[object] = [known.names, known.lines]
            del known, earlier
            let_go(len(view.script.text), gone)
        return view

    def _closed(self, uri: str) -> None:
        view = self._open.pop(uri, None)
        if view is not None:
            length, gone = len(view.script.text), list[object]([view])
            del view
            let_go(length, gone)
        self._on_closed(uri)

    def is_open(self, uri: str) -> bool:
        """Whether it is an open document."""
        return self._readings.find(uri) is not None

    async def group(self, uri: str) -> ScriptGroup | None:
        """An open document and all that it sources, one way or another; the document comes first."""
        first = await self.view(uri)
        if first is None:
            return None
        found, is_whole = {uri: first}, True
        waiting = deque([(first, 0)])
        while waiting:
            view, depth = waiting.popleft()
            for path in self._sourced(view, first):
                may_read = len(found) < MOST_FILES and depth < DEEPEST
                read = await self._at(path, first) if may_read else None
                is_whole = is_whole and read is not None
                if read is not None and read.uri not in found:
                    found[read.uri] = read
                    waiting.append((read, depth + 1))
        return ScriptGroup(tuple(found.values()), is_whole)

    async def given_by_files(self, uri: str) -> dict[Span, frozenset[str]]:
        """The functions that each file gives which an open document sources, by the word that names it.

        With `""` where it may give others too: a file of its own was not read.
        """
        first = await self.view(uri)
        found: dict[Span, frozenset[str]] = {}
        if first is None:
            return found
        for sourced in first.names.sourced:
            reached: dict[str, ScriptVersion] = {}
            is_whole = True
            waiting = [(self.place_of(first, sourced.path) or "", 0)]
            while waiting:
                path, depth = waiting.pop()
                may_read = len(reached) < MOST_FILES and depth < DEEPEST
                read = await self._at(path, first) if may_read else None
                is_whole = is_whole and read is not None and not _sources_unknown(read)
                if read is not None and read.uri not in reached:
                    reached[read.uri] = read
                    waiting += [(it, depth + 1) for it in self._sourced(read, first)]
            functions = {
                it.name
                for view in reached.values()
                for it in view.names.definitions
                if it.kind is NameKind.FUNCTION
            }
            found[sourced.span] = frozenset(functions if is_whole else functions | {""})
        return found

    async def without_files(self, uri: str) -> ScriptGroup | None:
        """An open document alone, as far as what it sources is not open itself: no file is read (DOC-8)."""
        first = await self.view(uri)
        if first is None:
            return None
        is_open = {path_of(other): other for other in self._readings.uris()}
        sourced = [is_open.get(path) for path in self._sourced(first, first)]
        views = [
            await self.view(other) for other in dict.fromkeys(sourced) if other and other != uri
        ]
        return ScriptGroup((first, *filter(None, views)), is_whole=None not in sourced)

    async def neighbourhood(self, uri: str) -> ScriptGroup | None:
        """The same, with the open documents that source it and what these source."""
        own = await self.group(uri)
        if own is None:
            return None
        views, is_whole = {view.uri: view for view in own.views}, own.is_whole
        for other in self._readings.uris():
            around = await self.group(other) if other != uri else None
            if around is not None and any(view.uri == uri for view in around.views):
                views.update((view.uri, view) for view in around.views if view.uri not in views)
                is_whole = is_whole and around.is_whole
        return ScriptGroup(tuple(views.values()), is_whole)

    async def known(self) -> list[ScriptVersion]:
        """What is open, the scripts of the project, and the files that were looked into in this session.

        A person asks for this; the project's are read in a trusted workspace only, and kept.
        """
        views = {uri: await self.view(uri) for uri in self._readings.uris()}
        if self.reads_files and self._workspace is not None:
            for script in await asyncio.to_thread(scripts_of, self._workspace):
                uri = Path(script).as_uri()
                if uri not in views:
                    views[uri] = await self._file(script)
        for uri in list(self._uris_met):
            if uri not in views:
                path = path_of(uri)
                views[uri] = await self._file(path) if path else None
        return [view for view in views.values() if view is not None]

    def place_of(self, view: ScriptVersion, path: str) -> str | None:
        """The file that `source path` in a script means; None where there is none."""
        return next(
            (it for it in self._candidates(view, path) if _changed_ns(it) is not None), None
        )

    def _sourced(self, view: ScriptVersion, first: ScriptVersion) -> Iterator[str]:
        """The files a script sources: as they are found, or as they were looked for in vain."""
        for sourced in view.names.sourced:
            yield self.place_of(view, sourced.path) or self.place_of(first, sourced.path) or ""

    def _candidates(self, view: ScriptVersion, path: str) -> Iterable[str]:
        """A relative name is looked for beside the script and then in the workspace."""
        expanded = os.path.expanduser(path)
        own = path_of(view.uri)
        folders = [os.path.dirname(own)] if own else []
        folders += [self._workspace] if self._workspace else []
        return [os.path.normpath(os.path.join(folder, expanded)) for folder in folders or ["/"]]

    async def _at(self, path: str, first: ScriptVersion) -> ScriptVersion | None:
        """The script in a file that one sources, as it stands in the editor where it is open there."""
        if not path:
            return None
        for uri in self._readings.uris():
            if path_of(uri) == path:
                return await self.view(uri)
        if not self.reads_files or not await asyncio.to_thread(self._is_inside, path, first):
            return None
        return await self._file(path)

    def _is_inside(self, path: str, first: ScriptVersion) -> bool:
        """Whether a file lies in the workspace, links followed; of a script outside, beside that script."""
        real = os.path.realpath(path)
        own = os.path.dirname(os.path.realpath(path_of(first.uri) or "/nowhere/"))
        if self._workspace is not None:
            root = os.path.realpath(self._workspace)
            return is_below(real, root if is_below(own, root) else own)
        return is_below(real, own)

    async def _file(self, path: str) -> ScriptVersion | None:
        changed = await asyncio.to_thread(_changed_ns, path)
        known = self._files.get(path)
        if changed is not None and known is not None and known[0] == changed:
            return known[1]
        self._files.pop(path, None)
        try:
            data, status = await asyncio.to_thread(read_with_status, path, SOURCED_BYTES)
            text = data.decode()
        except (NotRead, UnicodeDecodeError):
            return None
        uri = Path(path).as_uri()
        dialect = dialect_of(text, "", os.path.basename(path))
        view = await run_in_thread(lambda: _viewed(uri, None, parse(text, dialect)))
        self._files[path] = (status.st_mtime_ns, view)
        self._remember(uri)
        return view

    def _remember(self, uri: str) -> None:
        self._uris_met[uri] = None
        while len(self._uris_met) > MOST_REMEMBERED:
            oldest = next(iter(self._uris_met))
            del self._uris_met[oldest]
            self._files.pop(path_of(oldest) or "", None)


def _viewed(
    uri: str, version: int | None, script: Script, earlier: Names | None = None
) -> ScriptVersion:
    return ScriptVersion(uri, version, names_of(script, earlier), LineIndex(script.text))


def _changed_ns(path: str) -> int | None:
    """When a regular file was last changed; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns if stat.S_ISREG(found.st_mode) else None


def path_of(uri: str) -> str | None:
    """The path of a `file:` URI of this machine."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    is_here = parts.scheme == "file" and parts.netloc.lower() in {"", "localhost"}
    return path if is_here and path else None
