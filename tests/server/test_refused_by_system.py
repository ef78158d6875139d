"""What the operating system refuses is said in a sentence, and is asked for again by the next request."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.mcp.server import call_result
from zsh_ls.mcp.tools import zsh as tool
from zsh_ls.model.errors import refused_by_system

from . import fake_server
from .inside import Inside
from .rpc import ROOT, Peer, peer

FULL = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
SAID = "The system refused what this needs: "


def unreadable() -> sqlite3.Error:
    """As SQLite raises it where a disk cannot be read."""
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorname = "SQLITE_IOERR"
    return fault


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (FULL, "Too many open files"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "/x"), "directory: /x"),
        (MemoryError(), "no memory is left"),
        (RuntimeError("can't start new thread"), "no thread is left"),
        (OSError(), "OSError"),
        (unreadable(), "cannot be used: disk I/O error (SQLITE_IOERR)"),
    ],
)
def test_it_is_said_what(fault: Exception, said: str) -> None:
    assert str(refused_by_system(fault)).startswith(SAID)
    assert str(refused_by_system(fault)).endswith(said)


@pytest.mark.parametrize("fault", [RuntimeError("no"), ValueError(), KeyError("new thread")])
def test_a_mistake_of_ours_is_none(fault: Exception) -> None:
    assert refused_by_system(fault) is None


async def test_a_request_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = Inside()
    await inside.initialize()
    monkeypatch.setattr(fake_server.FakeSidecar, "run", _raises)
    error = await inside.refusal("zsh/run", {"command": "true"})
    assert (error["code"], error["message"]) == (-32803, SAID + "Too many open files")


async def test_a_tool_answers_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "answer", _raises)
    result: Any = await call_result(tool, {"command": "true"}, None)  # type: ignore[arg-type]
    assert (result.is_error, result.content[0].text) == (True, SAID + "Too many open files")


async def test_a_sidecar_that_cannot_be_opened_is_opened_by_the_next_request() -> None:
    inside = Inside()
    faults = [FULL, RuntimeError("can't start new thread")]

    async def open_once_there_is_room(*given: Any) -> Any:
        if faults:
            raise faults.pop(0)
        return await fake_server.open_fake(*given)

    inside.server._open_sidecar = open_once_there_is_room
    await inside.initialize()
    inside.notify("textDocument/didOpen", {"textDocument": _document("sleep 1\n")})
    for _ in range(2):
        error = await inside.refusal("zsh/run", {"command": "true"})
        assert error["message"].startswith(SAID)
        if not faults:
            break
    assert (await inside.call("zsh/run", {"command": "true"}))["exit"] == 0


async def _raises(*_: object, **__: object) -> Any:
    raise FULL


def _document(text: str) -> dict[str, object]:
    return {"uri": "file:///x.sh", "languageId": "shellscript", "version": 1, "text": text}


@pytest.fixture
def gone(home: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Peer]]:
    """Starts a server whose own folder is removed when it has started."""
    found: list[Any] = []

    def start(root: Path | None) -> Peer:
        folder = tmp_path / "gone"
        folder.mkdir()
        serve = ["env", f"--chdir={folder}", sys.executable, "-m", "zsh_ls", "serve"]
        found.append(peer(serve, home | {"PYTHONPATH": str(ROOT)}))
        server: Peer = found[-1].__enter__()
        server.initialize(rootUri=None if root is None else root.as_uri())
        server.call("zsh/health")
        folder.rmdir()
        return server

    yield start
    for one in found:
        one.__exit__(None, None, None)


@pytest.mark.slow
def test_a_server_whose_folder_has_gone_runs_in_its_workspace(
    gone: Callable[..., Peer], tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    server = gone(workspace)
    assert server.call("zsh/run", {"command": "pwd -P"})["output"] == f"{workspace}\n"
    assert server.call("zsh/why")["summary"]


@pytest.mark.slow
def test_where_no_folder_is_left_to_run_in_the_run_is_refused(
    gone: Callable[..., Peer], tmp_path: Path
) -> None:
    server = gone(None)
    error = server.refusal("zsh/run", {"command": "touch x"})
    assert "does not exist any more" in error["message"]
    there = {"command": "pwd -P", "cwd": str(tmp_path)}
    assert server.call("zsh/run", there)["output"] == f"{tmp_path}\n"
    server.open("file:///nowhere/at/all/x.sh", "#!/bin/sh\ntrue | false\n")
    assert server.call("zsh/why")["summary"]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    document = {"textDocument": {"uri": "file:///nowhere/at/all/x.sh"}, "range": whole}
    assert server.call("textDocument/inlayHint", document) in ([], None)
