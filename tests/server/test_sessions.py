"""Sessions on the wire: `session`, `missing` and `zsh/session` (SESS-1…4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer, position, range_of

pytestmark = pytest.mark.slow

TEXT = "#!/bin/zsh\nprefix=/tmp/é\nother=$prefix/x\nprint $other\n"
ASKS = {"experimental": {"zshLs": {"version": 1, "asks": True}}}
LENSES = {"workspace": {"codeLens": {"refreshSupport": True}}}


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "a.zsh").as_uri()


def line(uri: str, number: int, **more: object) -> dict[str, Any]:
    text = TEXT.splitlines()[number]
    where = {"uri": uri, "range": range_of((number, 0), (number, len(text)))}
    return {"command": text, "document": where, "yield_after": 60, **more}


def test_a_named_session_is_listed_shown_and_reset(real: Callable[..., Peer]) -> None:
    peer = real()
    run = {"yield_after": 60, "session": "mine"}
    first = peer.call("zsh/run", {**run, "command": "x=1; f() { :; }; cd /"})
    assert first["session"] == "mine"
    assert "session" not in peer.call("zsh/run", {"command": ":", "yield_after": 60})
    assert peer.call("zsh/run", {**run, "command": "print $x; pwd"})["output"] == "1\n/\n"
    [found] = peer.call("zsh/session", {})["sessions"]
    assert found.keys() == {
        *("session", "shell", "cwd", "runs", "variables", "functions", "restored_ms"),
    }
    assert (found["session"], found["shell"], found["cwd"], found["runs"]) == (
        "mine",
        "zsh",
        "/",
        2,
    )
    held = peer.call("zsh/session", {"action": "show", "session": "mine"})["held"]
    assert {"name": "x", "kind": "variable", "value": "1"} in held
    assert peer.refusal("zsh/run", {**run, "command": ":", "shell": "bash"})["code"] == -32803
    assert peer.refusal("zsh/run", {**run, "command": ":", "shell": "sh"})["code"] == -32803
    assert peer.refusal("zsh/session", {"action": "show", "session": "no"})["code"] == -32602
    assert peer.call("zsh/session", {"action": "reset"})["sessions"] == []


def test_who_declares_asks_is_told_what_is_missing_and_what_gives_it(
    real: Callable[..., Peer], uri: str
) -> None:
    peer = real(ASKS)
    peer.open(uri, TEXT)
    error = peer.refusal("zsh/run", line(uri, 3))
    assert error["code"] == -32803
    assert error["message"] == "other given on line 3, not in this session."
    assert error["data"]["missing"] == [{"name": "other", "kind": "variable", "line": 2}]
    assert error["data"]["offer"] == {
        "ranges": [range_of((1, 0), (1, 13)), range_of((2, 0), (2, 15))]
    }
    assert error["data"]["answer"]["kind"] == "error"
    done = peer.call("zsh/run", line(uri, 3, missing="first"))
    assert (done["output"], done["session"]) == ("/tmp/é/x\n", uri)
    assert peer.call("zsh/run", line(uri, 3))["output"] == "/tmp/é/x\n"


def test_who_does_not_gets_the_run_and_a_warning(real: Callable[..., Peer], uri: str) -> None:
    peer = real()
    peer.open(uri, TEXT)
    done = peer.call("zsh/run", line(uri, 3))
    assert done["output"] == "\n"
    assert done["insights"]["warning"] == ["other given on line 3, not in this session."]
    assert peer.refusal("zsh/run", line(uri, 3, missing="ask"))["code"] == -32803


@pytest.mark.parametrize(
    ("choice", "output"),
    [("Run what gives them first", "/tmp/é/x\n"), ("Run the line alone", "\n"), (None, None)],
)
@pytest.mark.parametrize("origin", ["lens", "editor"])
def test_a_lens_and_an_action_ask_in_any_client(
    real: Callable[..., Peer], uri: str, origin: str, choice: str | None, output: str | None
) -> None:
    peer = real(LENSES)
    peer.open(uri, TEXT)
    if origin == "lens":
        arguments = line(uri, 3, origin="lens")
    else:
        where = {"start": position(3, 0), "end": position(3, 0)}
        asked = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
        actions = peer.call("textDocument/codeAction", asked)
        [run] = [it for it in actions if it["command"]["command"] == "zsh.run"]
        arguments = {**run["command"]["arguments"][0], "yield_after": 60}
    msg_id = peer.ask("workspace/executeCommand", {"command": "zsh.run", "arguments": [arguments]})
    question = peer.until(lambda it: it.get("method") == "window/showMessageRequest")
    assert question["params"]["message"] == "other given on line 3, not in this session."
    titles = [it["title"] for it in question["params"]["actions"]]
    assert titles == ["Run what gives them first", "Run the line alone"]
    peer.send({"jsonrpc": "2.0", "id": question["id"], "result": choice and {"title": choice}})
    answer = peer.answer_to(msg_id)
    if output is None:
        assert answer["error"]["code"] == -32803
    else:
        assert answer["result"]["output"] == output
