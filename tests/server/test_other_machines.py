"""Documents of other machines are not run (RUN-18), however the run is requested."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import Message, Peer, range_of

Start = Callable[..., Peer]
SAID = "scp://prod/etc/x.zsh lies on `prod` by scp, not on this machine; nothing was run."
URIS = [
    "scp://prod/etc/x.zsh",
    "vscode-remote://ssh-remote+prod/x.zsh",
    "vscode-vfs://github/o/r/x.zsh",
    "git:/r/x.zsh?{}",
    "output:x",
    "oil-ssh://prod//x.zsh",
    "fugitive:///r/.git//0/x.zsh",
    "zipfile:///a.zip::x.zsh",
    "http://example.org/x.zsh",
    "file://nas/x.zsh",
    "/x.zsh",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def server(real: Start, folder: Path) -> Peer:
    return real(rootUri=folder.as_uri())


def ways(uri: str, command: str) -> list[tuple[str, Any]]:
    where = {"uri": uri, "range": range_of((0, 0), (0, len(command)))}
    line = {"command": command, "document": where}
    script = {"textDocument": {"uri": uri}}
    return [
        ("zsh/run", line),
        ("zsh/run", {**line, "cwd": "/", "origin": "lens"}),
        ("zsh/runScript", script),
        ("zsh/runScript", {**script, "trace": False}),
        ("workspace/executeCommand", {"command": "zsh.run", "arguments": [line]}),
        ("workspace/executeCommand", {"command": "zsh.runScript", "arguments": [script]}),
    ]


def refused_everywhere(server: Peer, uri: str, folder: Path) -> list[str]:
    said = []
    for method, params in ways(uri, f"touch {folder}/ran"):
        error: Message = server.refusal(method, params)
        assert error["code"] == -32803, (method, error)
        said.append(error["message"])
    assert not (folder / "ran").exists()
    assert server.call("zsh/tasks", {"all": True})["count"] == 0
    assert server.call("zsh/stats")["observations"] == 0
    return said


@pytest.mark.parametrize("is_open", [True, False])
def test_a_buffer_of_another_machine_is_refused_with_where_it_lies(
    server: Peer, folder: Path, is_open: bool
) -> None:
    uri = "scp://prod/etc/x.zsh"
    if is_open:
        server.open(uri, f"touch {folder}/ran\n")
    assert set(refused_everywhere(server, uri, folder)) == {SAID}


@pytest.mark.slow
@pytest.mark.parametrize("uri", URIS)
def test_whatever_is_no_file_of_this_machine_is_refused(
    server: Peer, folder: Path, uri: str
) -> None:
    server.open(uri, f"touch {folder}/ran\n")
    for said in refused_everywhere(server, uri, folder):
        assert said.startswith(uri.partition("?")[0])
        assert said.endswith("; nothing was run.")


def test_what_lenses_and_actions_of_such_a_document_carry_is_refused_too(
    server: Peer, folder: Path
) -> None:
    uri = "scp://prod/etc/x.zsh"
    server.open(uri, f"touch {folder}/ran\n")
    document = {"textDocument": {"uri": uri}}
    asked = {**document, "range": range_of((0, 0), (0, 0)), "context": {"diagnostics": []}}
    carried = [lens["command"] for lens in server.call("textDocument/codeLens", document)]
    carried += [
        action["command"]
        for action in server.call("textDocument/codeAction", asked)
        if action["kind"] == "zsh-ls.run"
    ]
    for command in carried:
        taken = {"command": command["command"], "arguments": command["arguments"]}
        error = server.refusal("workspace/executeCommand", taken)
        assert (error["code"], error["message"]) == (-32803, SAID)
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    "begins", ["file://", "file:", "FILE://", "file://localhost", "file://LocalHost"]
)
def test_however_a_file_of_this_machine_is_named_it_runs_in_its_folder(
    server: Peer, folder: Path, begins: str
) -> None:
    """The names of schemes and hosts have no case (RFC 3986)."""
    uri = f"{begins}{folder}/x.zsh"
    server.open(uri, "pwd\n")
    script = {"textDocument": {"uri": uri}, "yield_after": 60}
    assert server.call("zsh/runScript", script)["output"] == f"{folder}\n"
    cwd = {"command": "pwd", "cwd": f"{begins}{folder}", "yield_after": 60}
    assert server.call("zsh/run", cwd)["output"] == f"{folder}\n"


def test_what_was_never_saved_runs(server: Peer) -> None:
    server.open("untitled:Untitled-1", "echo hi\n")
    script = {"textDocument": {"uri": "untitled:Untitled-1"}, "yield_after": 60}
    assert server.call("zsh/runScript", script)["output"] == "hi\n"
    where = {"uri": "untitled:Untitled-1", "range": range_of((0, 0), (0, 7))}
    line = {"command": "echo hi", "document": where, "yield_after": 60}
    assert server.call("zsh/run", line)["output"] == "hi\n"
