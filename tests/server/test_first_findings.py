"""The findings of the first script come before the rest of the server is loaded, and once (DOC-1)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.server import first_findings
from zsh_ls.server.boot import InitialHandshake, Wire, messages_in
from zsh_ls.server.client import Client
from zsh_ls.sidecar.config import Places
from zsh_ls.sidecar.documents.kept_marks import KeptMark, KeptMarks

from .rpc import ROOT, Peer, framed, peer
from .test_start_and_end import DIAGNOSTICS

URI = "file:///tmp/script.sh"
TEXT = '#!/bin/bash\n\ncd "é𝄞$d"\nrm -rf *\n'
PUBLISH = "textDocument/publishDiagnostics"
PULL = "textDocument/diagnostic"


def opened(text: str = TEXT, uri: str = URI, language: str = "shellscript") -> bytes:
    item = {"uri": uri, "languageId": language, "version": 7, "text": text}
    return notification("textDocument/didOpen", {"textDocument": item})


def notification(method: str, params: object) -> bytes:
    return framed({"jsonrpc": "2.0", "method": method, "params": params})


def pull(number: int | str = 5, uri: str = URI) -> bytes:
    params = {"textDocument": {"uri": uri}}
    return framed({"jsonrpc": "2.0", "id": number, "method": PULL, "params": params})


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def told() -> Iterator[Callable[..., tuple[list[Any], InitialHandshake]]]:
    """What is told to a client that has sent these bytes, some of them after its `initialize`."""
    descriptors: list[int] = []

    def of(
        *messages: bytes, capabilities: object = None, late: bytes = b""
    ) -> tuple[list[Any], InitialHandshake]:
        (theirs, ours), (read, write) = os.pipe(), os.pipe()
        descriptors.extend((theirs, ours, read, write))
        os.write(ours, late)
        client = Client.of({"capabilities": capabilities or {}})
        left = first_findings.tell(
            Wire(theirs, write), InitialHandshake(b"".join(messages), client)
        )
        os.close(write)
        descriptors.remove(write)
        with os.fdopen(os.dup(read), "rb") as said:
            return [message for _, message in messages_in(said.read())], left

    yield of
    for descriptor in descriptors:
        os.close(descriptor)


Told = Callable[..., tuple[list[Any], InitialHandshake]]


def test_a_script_that_is_open_by_then_has_its_findings(told: Told) -> None:
    sent = [notification("initialized", {}), opened()]
    (said,), left = told(*sent)
    assert said["method"] == PUBLISH
    assert (said["params"]["uri"], said["params"]["version"]) == (URI, 7)
    codes = {it["code"]: it["range"]["start"] for it in said["params"]["diagnostics"]}
    assert codes["unchecked-cd"] == {"line": 2, "character": 0}
    assert left.received == b"".join(sent)
    assert left.published == said["params"]


def test_what_came_since_the_first_answer_is_read_too(told: Told) -> None:
    (said,), left = told(late=opened())
    assert said["method"] == PUBLISH
    assert left.received == opened()


def test_a_client_that_pulls_has_them_as_its_answer_and_the_server_never_sees_the_question(
    told: Told,
) -> None:
    (said,), left = told(opened(), pull("a"), capabilities=DIAGNOSTICS)
    assert said["id"] == "a"
    assert said["result"]["kind"] == "full"
    assert "unchecked-cd" in {it["code"] for it in said["result"]["items"]}
    assert left.received == opened()
    assert left.published is None


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param((), id="nothing is open"),
        pytest.param((opened()[:-1],), id="incomplete"),
        pytest.param((opened("#!/bin/bash\ntrue\n"),), id="nothing is found"),
        pytest.param((opened(TEXT + "# x\n" * 10_001),), id="long"),
        pytest.param((opened(TEXT * 500),), id="repeats itself"),
        pytest.param((opened(uri="file:///tmp/README.md", language="markdown"),), id="Markdown"),
        pytest.param((opened(uri="file:///tmp/Makefile", language="makefile"),), id="a Makefile"),
        pytest.param((notification("textDocument/didOpen", {"textDocument": 1}),), id="damaged"),
        pytest.param((notification("exit", None), opened()), id="it leaves"),
    ],
)
def test_anything_else_is_left_to_the_server_as_it_is(told: Told, sent: tuple[bytes, ...]) -> None:
    said, left = told(*sent)
    assert said == []
    assert (left.received, left.published) == (b"".join(sent), None)


@pytest.mark.parametrize(
    "sent",
    [(opened(),), (pull(), opened()), (opened(), pull(uri="file:///tmp/other.sh"))],
    ids=["no pull yet", "a pull before", "a pull for another"],
)
def test_a_client_that_pulls_is_sent_nothing_that_it_has_not_asked_for(
    told: Told, sent: tuple[bytes, ...]
) -> None:
    said, left = told(*sent, capabilities=DIAGNOSTICS)
    assert said == []
    assert left.received == b"".join(sent)


def test_where_a_run_has_left_something_on_its_lines_the_server_tells_all(told: Told) -> None:
    KeptMarks(Places.of_this_user().lines).write(
        URI, [KeptMark(0, 1, "", 0, 1, "✓", is_result=True)]
    )
    assert told(opened())[0] == []


def test_neither_the_protocol_nor_the_loop_is_loaded_for_it(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from zsh_ls.server import first_findings\n"
        "from zsh_ls.server.boot import InitialHandshake, Wire\n"
        "from zsh_ls.server.client import Client\n"
        f"handshake = InitialHandshake({opened()!r}, Client())\n"
        "left = first_findings.tell(Wire(os.open('/dev/null', 0), 1), handshake)\n"
        "assert left.published\n"
        "dear = {'asyncio', 'pygls', 'lsprotocol', 'cattrs', 'attrs', 'sqlite3'}\n"
        "print(dear & {*sys.modules}, file=sys.stderr)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False
    )
    assert done.stderr == "set()\n"


# On the real server: what was told first is what it finds itself.


@pytest.fixture
def real(home: dict[str, str]) -> Iterator[Peer]:
    with peer(env=home) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_is_pushed_first_is_not_pushed_again(real: Peer, encoding: str) -> None:
    general = {"general": {"positionEncodings": [encoding]}}
    begin = {"processId": os.getpid(), "rootUri": None, "capabilities": general}
    real.send_bytes(
        framed({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": begin})
        + notification("initialized", {})
        + opened()
    )
    first = real.news(PUBLISH)
    assert first["version"] == 7
    found = real.call("zsh/failures", {"textDocument": {"uri": URI}})
    assert found["commands"]
    real.change(URI, 8, {"text": TEXT + "\n"})
    again = real.news(PUBLISH)
    assert again["version"] == 8
    assert again["diagnostics"] == first["diagnostics"]
    end = {"utf-8": 13, "utf-16": 10}[encoding]
    assert {it["range"]["end"]["character"] for it in first["diagnostics"]} == {end}
    assert real.leave() == 0


@pytest.mark.slow
def test_a_client_that_writes_on_before_it_reads_is_answered(real: Peer) -> None:
    """Findings that do not fit into the pipe are left to the loop, which reads while it writes."""
    lines = [f"if ! make t{it * 7919 % 10007}; then exit $?; fi\n" for it in range(400)]
    begin = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    real.send_bytes(
        framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin})
        + notification("initialized", {})
        + opened("#!/bin/bash\n" + "".join(lines))
        + notification("$/setTrace", {"value": "off", "padding": "x" * 4 * 1024 * 1024})
    )
    assert len(real.news(PUBLISH)["diagnostics"]) == 400
    assert real.leave() == 0


@pytest.mark.slow
def test_a_pull_is_answered_once(real: Peer) -> None:
    begin = {"processId": os.getpid(), "rootUri": None, "capabilities": DIAGNOSTICS}
    real.send_bytes(
        framed({"jsonrpc": "2.0", "id": 100, "method": "initialize", "params": begin})
        + notification("initialized", {})
        + opened()
        + pull(101)
    )
    first = real.answer_to(101)["result"]
    again = real.call(PULL, {"textDocument": {"uri": URI}})
    assert again["items"] == first["items"]
    assert real.leave() == 0
    assert [it for it in real.received if it.get("id") == 101] == []
