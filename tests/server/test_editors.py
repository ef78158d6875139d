"""What clients with the capabilities of Neovim, VS Code, Helix and Emacs, and one without any, are sent."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from .rpc import ROOT

LINE = "echo test | grep nope"
RECORDED = ROOT / "tests/data/initialize"


def _hello(editor: str, root: Path) -> types.InitializeParams:
    """The capabilities of a real editor (tests/editors/hello), or those pytest-lsp has for an older one."""
    recorded = RECORDED / f"{editor}.json"
    if recorded.exists():
        text = recorded.read_text().replace("file:///project", root.as_uri())
        return get_converter().structure(json.loads(text), types.InitializeParams)
    known = types.ClientCapabilities() if editor == "none" else client_capabilities(editor)
    return types.InitializeParams(known, root_uri=root.as_uri())


@attrs.define
class Editor:
    """An initialized client of a real server, and the result of `initialize`."""

    client: LanguageClient
    said: types.ServerCapabilities
    root: Path
    refreshed: asyncio.Event
    finished: asyncio.Event

    @property
    def pulls(self) -> bool:
        return self.said.diagnostic_provider is not None

    async def command(self, name: str, **params: object) -> Any:
        """By the request that every client can send."""
        command = types.ExecuteCommandParams(name, [params])
        return await self.client.workspace_execute_command_async(command)

    async def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What the editor shows in the end, however it comes by it."""
        if self.pulls:
            await self.refreshed.wait()
            asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            report = await self.client.text_document_diagnostic_async(asked)
            return list(report.items)
        while not (found := self.client.diagnostics.get(uri)):
            await self.client.wait_for_notification("textDocument/publishDiagnostics")
        return list(found)


@pytest.fixture(
    params=[
        "vscode-1.139",
        pytest.param("neovim-0.12", marks=pytest.mark.slow),
        pytest.param("neovim-0.10", marks=pytest.mark.slow),
        pytest.param("neovim@v0.11.0", marks=pytest.mark.slow),
        pytest.param("neovim@v0.7.0", marks=pytest.mark.slow),
        pytest.param("visual_studio_code", marks=pytest.mark.slow),
        pytest.param("helix-25.01", marks=pytest.mark.slow),
        pytest.param("emacs-30.1", marks=pytest.mark.slow),
        pytest.param("none", marks=pytest.mark.slow),
    ]
)
async def editor(request: pytest.FixtureRequest, home: dict[str, str]) -> AsyncIterator[Editor]:
    serve = [sys.executable, "-m", "zsh_ls", "serve", "--stdio"]
    env = {**os.environ, **home, "PYTHONPATH": str(ROOT)}
    client = await ClientServerConfig(serve, server_env=env).start()
    assert isinstance(client, LanguageClient)
    root = Path(home["HOME"])
    said = await client.initialize_session(_hello(request.param, root))
    editor = Editor(client, said.capabilities, root, asyncio.Event(), asyncio.Event())
    _listen(editor)
    yield editor
    await client.shutdown_session()
    await client.stop()


def _listen(editor: Editor) -> None:
    del editor.client.protocol.fm.features[types.WORKSPACE_DIAGNOSTIC_REFRESH]

    @editor.client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
    def _refresh(_: None) -> None:
        editor.refreshed.set()

    @editor.client.feature("zsh/progress")
    def _progress(params: Any) -> None:
        if params.status != "running":
            editor.finished.set()


async def test_a_run_is_answered_and_its_insight_reaches_the_line(editor: Editor) -> None:
    uri = (editor.root / "a.zsh").as_uri()
    item = types.TextDocumentItem(uri, "zsh", 1, f"#!/bin/zsh\n{LINE}\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    where = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": len(LINE)}}
    document = {"uri": uri, "range": where}
    result = await editor.command("zsh.run", command=LINE, document=document)
    assert (result["exit"], result["pipestatus"]) == (1, [0, 1])
    async with asyncio.timeout(20):
        (found,) = await editor.diagnostics(uri)
    assert found.range == types.Range(types.Position(1, 12), types.Position(1, 21))
    assert (found.code, found.severity) == ("grep-no-match", types.DiagnosticSeverity.Information)
    assert not (editor.pulls and editor.client.diagnostics)


@pytest.mark.slow
async def test_a_long_run_is_shown_where_the_editor_can_show_it(editor: Editor) -> None:
    await editor.command("zsh.run", command="print go; sleep 0.5", yield_after=0)
    async with asyncio.timeout(20):
        await editor.finished.wait()
    await editor.command("zsh.health")
    window = editor.client.capabilities.window if editor.client.capabilities else None
    shows = bool(window and window.work_done_progress)
    kinds = [it.kind for reports in editor.client.progress_reports.values() for it in reports]
    assert (kinds[:1] + kinds[-1:] == ["begin", "end"]) == shows
