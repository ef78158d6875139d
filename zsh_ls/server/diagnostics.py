"""Insights as diagnostics of open documents, each either pushed or pulled.

A result is dropped if its document was edited while it was computed; the edit
has already requested the next one.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any
from zlib import crc32

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from zsh_ls.sidecar.documents.executor import let_go, run_in_thread
from zsh_ls.sidecar.editor.types import DocumentInsight
from zsh_ls.sidecar.interface import SidecarInterface

from .diagnostic_fields import fields_of
from .documents import Document, Documents, Text
from .long_answers import is_long, worded

SHORTEST_GAP_S = 1.0
# Findings of a longer text take long enough that who has just typed would wait for them. What editors
# ask after a keystroke comes within the pause, and is answered first.
LONG_CHARS = 60_000
PAUSE_S = 0.015
MOST_WAITED_S = 0.25

log = logging.getLogger(__name__)


def diagnostic(found: DocumentInsight, text: Text) -> types.Diagnostic:
    """An insight as a diagnostic."""
    said = fields_of(found.insight, is_error=found.is_error)
    page = said.get("codeDescription")
    return types.Diagnostic(
        range=text.range(found.span),
        message=said["message"],
        severity=types.DiagnosticSeverity(said["severity"]),
        source=said["source"],
        code=said.get("code"),
        code_description=types.CodeDescription(page["href"]) if page else None,
        data=said.get("data"),
    )


def _as_json(said: types.Diagnostic) -> dict[str, Any]:
    """A diagnostic of ours as `first_findings` sends it."""
    start, end = said.range.start, said.range.end
    fields = {
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "message": said.message,
        "severity": said.severity,
        "source": said.source,
        "code": said.code,
        "codeDescription": said.code_description and {"href": said.code_description.href},
        "data": said.data,
    }
    return {name: value for name, value in fields.items() if value is not None}


class Refresh:
    """One kind of refresh request to the client, sent at most once per second."""

    def __init__(self, ask: Callable[[], Awaitable[object]]) -> None:
        """`ask` sends the request and waits for the client's answer."""
        self._ask = ask
        self._is_wanted = False
        self._asking: asyncio.Task[None] | None = None

    def wanted(self) -> None:
        """Send the request now, or when the last one is long enough ago."""
        self._is_wanted = True
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._while_wanted())

    async def _while_wanted(self) -> None:
        while self._is_wanted:
            self._is_wanted = False
            try:
                await self._ask()
            except JsonRpcException as refused:
                log.info("the client did not refresh: %s", refused)
            await asyncio.sleep(SHORTEST_GAP_S)
        self._asking = None


class Diagnostics:
    """Computes the diagnostics of open documents and sends them to the client."""

    def __init__(
        self,
        documents: Documents,
        publish: Callable[[types.PublishDiagnosticsParams], None],
        publish_later: Callable[[types.PublishDiagnosticsParams], Awaitable[Callable[[], None]]],
        refresh: Refresh | None,
        nobody_waits: asyncio.Event,
    ) -> None:
        """`publish_later` serializes a long list in a thread and gives a function that sends it.

        `nobody_waits` is set while no question about a document is being answered.

        `refresh` asks a client that pulls to pull again; None for a client that does not pull.
        """
        self._documents = documents
        self._publish = publish
        self._publish_later = publish_later
        self._refresh = refresh
        self._nobody_waits = nobody_waits
        self._sidecar: SidecarInterface | None = None
        self._pulled: set[str] = set()
        self._stale: set[str] = set()
        self._edited: set[str] = set()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._published_before: dict[str, Any] | None = None
        self.held = False

    def published_before(self, params: dict[str, Any] | None) -> None:
        """These have been sent before the server was there: they are not sent again."""
        self._published_before = params

    def serve(self, sidecar: SidecarInterface) -> None:
        """Start computing, with the documents that are already open."""
        self._sidecar = sidecar
        for document in self._documents:
            self.touched(document.uri)

    def touched(self, uri: str, *, edited: bool = False) -> None:
        """Handle a document that was opened or edited; a client that pulls does so by itself."""
        if self._refresh is None and uri not in self._pulled:
            if edited:
                self._edited.add(uri)
            self._stale.add(uri)
            self._push_soon(uri)

    def insights_changed(self, uri: str) -> None:
        """Handle new insights without an edit: a run has ended, or a check has finished."""
        if self._refresh is None:
            self.touched(uri)
        else:
            self._refresh.wanted()

    def closed(self, uri: str) -> None:
        """Handle a closed document: remove its diagnostics."""
        self._stale.discard(uri)
        self._edited.discard(uri)
        if self._refresh is None and uri not in self._pulled:
            self._publish(types.PublishDiagnosticsParams(uri, []))
        self._pulled.discard(uri)

    async def pull(self, uri: str, known: str | None) -> types.DocumentDiagnosticReport:
        """The report on a document; `unchanged` if its result id is `known`."""
        if self._refresh is None and uri not in self._pulled:
            # It has begun to pull: what was pushed would stand there twice.
            self._pulled.add(uri)
            self._stale.discard(uri)
            self._publish(types.PublishDiagnosticsParams(uri, []))
        found = await self._current(uri)
        result_id = (
            await run_in_thread(partial(_digest, found)) if is_long(found) else _digest(found)
        )
        if result_id == known:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=result_id)

    async def pull_in_workspace(
        self, document: Document, known: str | None
    ) -> types.WorkspaceDocumentDiagnosticReport:
        """The report on a document as part of a report on the workspace."""
        version, report = document.version, await self.pull(document.uri, known)
        match report:
            case types.RelatedFullDocumentDiagnosticReport():
                return types.WorkspaceFullDocumentDiagnosticReport(
                    document.uri, report.items, version, result_id=report.result_id
                )
        return types.WorkspaceUnchangedDocumentDiagnosticReport(
            document.uri, report.result_id, version
        )

    def release(self) -> None:
        """Send what was held back, since the client reads again."""
        self.held = False
        for uri in list(self._stale):
            self._push_soon(uri)

    def _push_soon(self, uri: str) -> None:
        if self._sidecar is None or self.held or uri in self._running:
            return
        task = asyncio.get_running_loop().create_task(self._push(uri))
        self._running[uri] = task
        task.add_done_callback(partial(self._pushed, uri))

    def _pushed(self, uri: str, task: asyncio.Task[None]) -> None:
        del self._running[uri]
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("no diagnostics for %s", uri, exc_info=fault)
        if uri in self._stale:
            self._push_soon(uri)

    async def _push(self, uri: str) -> None:
        while uri in self._stale and not self.held:
            self._stale.discard(uri)
            document = self._documents.get(uri)
            if document is None:
                return
            if uri in self._edited:
                self._edited.discard(uri)
                if sum(map(len, document.text.lines)) > LONG_CHARS:
                    await self._let_others_first()
            version = document.version
            found = await self._found(document)
            if found is None:
                continue
            params = types.PublishDiagnosticsParams(uri, found, version)
            publish = (
                await self._publish_later(params)
                if is_long(found)
                else partial(self._publish, params)
            )
            is_current = document.version == version and self._documents.get(uri) is document
            if is_current and uri not in self._pulled and not self._was_published(params):
                publish()
            gone: list[object] = [found]
            params.diagnostics = []
            del found, publish
            let_go(sum(map(len, document.text.lines)), gone)

    def _was_published(self, params: types.PublishDiagnosticsParams) -> bool:
        before = self._published_before
        if before is None or before["uri"] != params.uri:
            return False
        self._published_before = None
        now = params.version, [_as_json(one) for one in params.diagnostics]
        return now == (before["version"], before["diagnostics"])

    async def _let_others_first(self) -> None:
        await asyncio.sleep(PAUSE_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(MOST_WAITED_S):
                await self._nobody_waits.wait()

    async def _current(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics of the version that is current when they are ready."""
        while (document := self._documents.get(uri)) is not None:
            version = document.version
            found = await self._found(document)
            if document.version == version:
                return found or []
        return []

    async def _found(self, document: Document) -> list[types.Diagnostic] | None:
        """The diagnostics of a document; None if it was edited before they were ready."""
        if self._sidecar is None:
            return None
        version = document.version
        insights = await self._sidecar.insights_for(document.uri)
        if document.version != version:
            return None
        found = await worded(
            document.text,
            len(insights),
            lambda text: [diagnostic(insight, text) for insight in insights],
        )
        return found if document.version == version else None


def _digest(found: list[types.Diagnostic]) -> str:
    """A checksum that is the same in every process."""
    parts = [(str(one.range), one.message, one.code, int(one.severity or 0)) for one in found]
    return f"{crc32(json.dumps(parts).encode()):08x}"
