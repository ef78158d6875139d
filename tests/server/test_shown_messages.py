"""In clients that ignore results of commands, the end of a run from a lens is shown once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Peer

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.zsh"
MESSAGE = "window/showMessage"


def run(peer: Peer, **params: object) -> Any:
    command = {"command": "zsh.run", "arguments": [params]}
    return peer.call("workspace/executeCommand", command)


def told(peer: Peer) -> list[Any]:
    peer.call("zsh/health")
    return [it["params"]["message"] for it in peer.received if it.get("method") == MESSAGE]


def test_a_client_that_shows_no_results_is_shown_a_message(real: Callable[..., Peer]) -> None:
    peer = real()
    run(peer, command="echo made; false", origin="lens")
    shown = peer.news(MESSAGE)
    assert shown["type"] == 1
    assert shown["message"].startswith("made\n[FAILED ")
    run(peer, command="seq 100; true", verbosity="debug")
    lines = peer.news(MESSAGE)["message"].splitlines()
    assert lines[0] == "…"
    assert len(lines) == 21
    peer.call(
        "workspace/executeCommand", {"command": "zsh.explain", "arguments": [{"command": "cd"}]}
    )
    assert peer.news(MESSAGE)["message"].startswith("[SUMMARY]\n")
    peer.open(URI, "#!/bin/bash\nmake | tee log\n" + "true\n" * 40)
    failures = {"command": "zsh.failures", "arguments": [{"textDocument": {"uri": URI}}]}
    peer.call("workspace/executeCommand", failures)
    lines = peer.news(MESSAGE)["message"].splitlines()
    assert lines[0] == "line 2: make: only the last segment's exit counts (no pipefail)"
    assert lines[-2:] == [
        "and 23 more",
        "42 commands: 1 reported by the exit, 41 fail unnoticed",
    ]
    assert len(lines) == 20
    assert told(peer) == []


def test_what_outlives_its_answer_is_shown_at_its_end(real: Callable[..., Peer]) -> None:
    peer = real()
    task = run(peer, command="read; echo $REPLY; read", interactive=True, yield_after=0)
    assert task["status"] == "running"
    for typed in ("typed", "more"):
        peer.call("zsh/send", {"task_id": task["task_id"], "input": typed})
        peer.news("zsh/progress", lambda it: "typed" in it["output"] or it["status"] == "completed")
    shown = peer.news(MESSAGE)
    assert shown["type"] == 3
    assert "typed\n[COMPLETED " in shown["message"]


def test_requests_and_clients_that_speak_it_are_shown_nothing(real: Callable[..., Peer]) -> None:
    peer = real({"experimental": {"zshLs": {"version": 1}}})
    run(peer, command="false")
    assert told(peer) == []


def test_a_request_is_answered_and_nothing_more(real_one: Peer) -> None:
    real_one.received.clear()
    real_one.call("zsh/run", {"command": "false"})
    assert told(real_one) == []


def test_the_lenses_of_a_script_run_and_trace_it(real: Callable[..., Peer]) -> None:
    peer = real()
    peer.open(URI, "#!/bin/zsh\nprint a | read b\nfalse\n")
    lenses = peer.call("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert [it["command"]["title"] for it in lenses] == ["▷ run", "▷ trace", "▷ rehearse"]
    for lens in lenses[:2]:
        command = {key: lens["command"][key] for key in ("command", "arguments")}
        result = peer.call("workspace/executeCommand", command)
        assert result["exit"] == 1
        assert bool(result.get("lines")) is lens["command"]["title"].endswith("trace")
        assert peer.news(MESSAGE)["message"].startswith("[FAILED ")
