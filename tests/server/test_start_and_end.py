"""How a server starts and ends: `initialize`, the exit status, clients that die."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.capabilities import ServerCapabilitiesBuilder

from zsh_ls.server import boot, known_shells
from zsh_ls.server.capabilities import initialize_result, zsh_methods
from zsh_ls.server.client import Client
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.config import Settings

from .fake_server import open_fake
from .rpc import FAKE, PATIENCE_S, ROOT, Peer, framed, peer

Start = Callable[..., Peer]
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
DIAGNOSTICS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


@pytest.mark.parametrize(
    "capabilities", [{}, DIAGNOSTICS, {"general": {"positionEncodings": ["utf-8"]}}]
)
def test_the_first_answer_says_what_pygls_would_build_from_the_features(
    capabilities: dict[str, object],
) -> None:
    server = ShellLanguageServer(open_fake, Settings(), {})
    client = Client.of({"capabilities": capabilities})
    said = initialize_result(client, {})["capabilities"]
    features = set(server.protocol.fm.features)
    if not client.pulls_diagnostics:
        features -= {types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC}
    converter = get_converter()
    built = converter.unstructure(
        ServerCapabilitiesBuilder(
            converter.structure(capabilities, types.ClientCapabilities),
            features,
            server.protocol.fm.feature_options,
            said["executeCommandProvider"]["commands"],
            types.TextDocumentSyncKind.Incremental,
            None,
            client.position_encoding,
        ).build()
    )
    del said["experimental"]
    # We neither watch files nor change folders under a running sidecar; pygls says so of every server.
    built["workspace"] = {"workspaceFolders": {"supported": True}}
    assert built == said


def test_every_zsh_module_is_a_method_and_a_command() -> None:
    server = ShellLanguageServer(open_fake, Settings(), {})
    ours = {method for method in server.protocol.fm.features if method.startswith("zsh/")}
    assert ours == set(zsh_methods())


def begin(tmp_path: Path, stream: bytes) -> tuple[boot.InitialHandshake, bytes]:
    """The result of `boot.begin` for a stream that then ends, and what it wrote."""
    source, said = tmp_path / "in", tmp_path / "out"
    source.write_bytes(stream)
    incoming = os.open(source, os.O_RDONLY)
    outgoing = os.open(said, os.O_WRONLY | os.O_CREAT)
    try:
        return boot.begin(
            boot.Wire(incoming, outgoing), lambda _: {"zsh": "5.9"}
        ), said.read_bytes()
    finally:
        os.close(incoming)
        os.close(outgoing)


def test_the_first_answer_needs_nothing_but_the_first_message(tmp_path: Path) -> None:
    rest = framed({"more": 1})[:10]
    beginning, said = begin(tmp_path, framed(INITIALIZE) + rest)
    assert (beginning.received, beginning.client) == (rest, Client())
    answer = json.loads(said.partition(b"\r\n\r\n")[2])
    assert answer["id"] == 1
    assert answer["result"]["capabilities"]["experimental"]["zshLs"]["shells"] == {"zsh": "5.9"}


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"garbage",
        b"x" * 10_000,
        framed(INITIALIZE)[:-5],
        b"Content-Length: x\r\n\r\n" + framed(INITIALIZE),
        b"Content-Length: 3\r\n\r\n{[}" + framed(INITIALIZE),
        framed([INITIALIZE]),
        framed({**INITIALIZE, "id": None}),
        framed({**INITIALIZE, "params": None}),
        framed({**INITIALIZE, "method": "shutdown"}),
        framed(b"[" * 100_000),
    ],
)
def test_any_other_beginning_is_left_to_the_server_unread(tmp_path: Path, stream: bytes) -> None:
    beginning, said = begin(tmp_path, stream)
    assert stream.startswith(beginning.received)
    assert (beginning.client, said) == (None, b"")


def test_shells_are_remembered_until_an_executable_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    zsh = tmp_path / "zsh"
    zsh.write_text("#!/bin/sh\n")
    zsh.chmod(0o755)
    assert known_shells.remembered() is None
    known_shells.remember({"zsh": "5.9"})
    assert known_shells.remembered() == {"zsh": "5.9"}
    zsh.write_text("#!/bin/sh\nexit\n")
    assert known_shells.remembered() is None


@pytest.mark.slow
def test_the_shells_of_this_machine_are_named(real: Start, home: dict[str, str]) -> None:
    for _ in range(2):  # the second start remembers what the first has asked
        with peer(env=home) as found:
            said = found.initialize()["capabilities"]["experimental"]["zshLs"]["shells"]
            health = found.call("zsh/health")["shells"]
        assert said == health
        assert said["zsh"][0].isdigit()


@pytest.mark.slow
def test_leaving_politely_gives_0(real: Start) -> None:
    assert real().leave() == 0


@pytest.mark.slow
def test_exit_without_shutdown_gives_1(stranger: Peer) -> None:
    stranger.initialize()
    stranger.notify("exit")
    assert stranger.process.wait(PATIENCE_S) == 1


@pytest.mark.slow
def test_exit_before_initialize_gives_1(stranger: Peer) -> None:
    stranger.notify("exit")
    assert stranger.process.wait(PATIENCE_S) == 1


@pytest.mark.slow
def test_a_pipe_that_is_closed_gives_1_and_answers_what_was_waiting(stranger: Peer) -> None:
    stranger.initialize()
    waiting = stranger.ask("zsh/run", {"command": "sleep 300"})
    assert stranger.process.stdin is not None
    stranger.process.stdin.close()
    assert stranger.answer_to(waiting)["error"]["code"] == -32800
    assert stranger.process.wait(PATIENCE_S) == 1


@pytest.mark.slow
def test_a_client_that_stops_listening_ends_the_server(stranger: Peer) -> None:
    stranger.initialize()
    assert stranger.process.stdout is not None
    stranger.process.stdout.close()
    stranger.ask("zsh/health")
    assert stranger.process.wait(PATIENCE_S) == 1


@pytest.mark.slow
def test_a_client_that_vanishes_in_the_middle_of_an_answer_ends_the_server(stranger: Peer) -> None:
    stranger.initialize()
    stranger.ask("zsh/run", {"command": "big 4000000"})
    while (
        stranger.process.stdout is not None
        and not select.select([stranger.process.stdout], [], [], 1)[0]
    ):
        assert stranger.process.poll() is None
    assert stranger.process.stdout is not None
    stranger.process.stdout.close()
    assert stranger.process.wait(PATIENCE_S) == 1


def test_requests_in_a_file_are_answered_in_a_file(tmp_path: Path) -> None:
    source, said = tmp_path / "in", tmp_path / "out"
    health = {"jsonrpc": "2.0", "id": 2, "method": "zsh/health"}
    leave = [
        {"jsonrpc": "2.0", "id": 3, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    source.write_bytes(b"".join(map(framed, [INITIALIZE, health, *leave])))
    with source.open("rb") as stdin, said.open("wb") as stdout:
        done = subprocess.run(
            FAKE, stdin=stdin, stdout=stdout, cwd=ROOT, timeout=PATIENCE_S, check=False
        )
    assert done.returncode == 0
    assert said.read_bytes().count(b"Content-Length: ") == 3


@pytest.mark.parametrize("reaped", [True, False])
def test_a_server_whose_client_died_goes_too(home: dict[str, str], reaped: bool) -> None:
    """The client's process has ended, reaped or not, but its pipe is still open elsewhere."""
    asleep = [sys.executable, "-c", "import time; time.sleep(300)"]
    with subprocess.Popen(asleep) as editor, peer(env=home) as found:
        found.call("initialize", {"processId": editor.pid, "capabilities": {}})
        found.call("zsh/health")
        editor.kill()
        if reaped:
            editor.wait()
        assert found.process.wait(PATIENCE_S) == 1


@pytest.mark.slow
@pytest.mark.parametrize("way", ["closed pipe", "exit", "kill -9"])
def test_no_process_of_a_task_outlives_its_server(real: Start, tmp_path: Path, way: str) -> None:
    found, mark = real(), f"61.{os.getpid()}{len(way)}"
    found.call("zsh/run", {"command": f"sleep {mark} & sleep {mark}", "yield_after": 0})
    while len(sleepers(mark)) < 2:
        found.call("zsh/health")
    if way == "kill -9":
        found.process.send_signal(signal.SIGKILL)
    elif way == "exit":
        found.notify("exit")
    else:
        assert found.process.stdin is not None
        found.process.stdin.close()
    end = time.monotonic() + PATIENCE_S
    while sleepers(mark) and time.monotonic() < end:
        os.sched_yield()
    assert sleepers(mark) == []


def sleepers(mark: str) -> list[int]:
    """The processes that have `mark` as an argument."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if arguments[:2] == [b"sleep", mark.encode()]:
            found.append(int(process.name))
    return found


@pytest.mark.slow
def test_help_says_what_serve_is() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", "serve", "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
        check=True,
    )
    assert "--stdio" in done.stdout
    assert "what editors start" in done.stdout


def test_a_text_that_is_still_being_read_does_not_hold_up_the_end() -> None:
    reading = (
        "import time\n"
        "from zsh_ls.server.main import leave\n"
        "from zsh_ls.sidecar.documents.executor import _readers\n"
        "_readers.submit(time.sleep, 300)\n"
        "print('said')\n"
        "leave(7)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", reading],
        capture_output=True,
        cwd=ROOT,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (7, b"said\n")
