"""Tasks whose server has gone: how each ended can still be asked of any server of the workspace."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer
from .shared import place, server_of, started, wait_until

pytestmark = pytest.mark.slow

Home = tuple[dict[str, str], Path]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with place(tmp_path) as found:
        yield found


def left_by_one_that_went(home: Home, command: str, **more: Any) -> str:
    """The id of a task that ended before its server left."""
    server = started(*home)
    try:
        result = server.call("zsh/run", {"command": command, "yield_after": 60, **more})
        assert result["status"] != "running"
        assert server.leave() == 0
    finally:
        server.end()
    return str(result["task_id"])


@pytest.fixture
def other(home: Home) -> Iterator[Peer]:
    found = started(*home)
    yield found
    found.end()


@pytest.mark.parametrize(
    ("command", "exits", "said"),
    [
        ("print a | grep -q z", (1, [0, 1]), ("info", "grep exit 1 = no match (normal)")),
        ("ls /none | cat", (0, [2, 0]), ("warning", "(masked by downstream)")),
    ],
)
def test_what_the_exits_of_a_task_meant_is_told_when_its_server_has_gone(
    home: Home, other: Peer, command: str, exits: object, said: tuple[str, str]
) -> None:
    task = left_by_one_that_went(home, command)
    told = other.call("zsh/poll", {"task_id": task})
    assert (told["status"], told["command"]) == ("completed", command)
    assert (told["exit"], told["pipestatus"]) == exits
    level, words = said
    assert any(words in it for it in told["insights"][level])
    assert words in told["formatted"]


def test_of_a_script_the_exit_counts_and_no_pipeline_in_it(home: Home, other: Peer) -> None:
    """As in the answer to the run itself."""
    (home[1] / "lists.zsh").write_text("#!/bin/zsh\nprint a | grep b | cat\n")
    server = started(*home)
    uri = (home[1] / "lists.zsh").as_uri()
    text = {
        "uri": uri,
        "languageId": "zsh",
        "version": 1,
        "text": (home[1] / "lists.zsh").read_text(),
    }
    server.notify("textDocument/didOpen", {"textDocument": text})
    run = server.call("zsh/runScript", {"textDocument": {"uri": uri}, "yield_after": 60})
    assert (run["exit"], run["pipestatus"]) == (0, [0, 1, 0])
    assert server.leave() == 0
    server.end()
    told = other.call("zsh/poll", {"task_id": run["task_id"]})
    assert told["pipestatus"] == run["pipestatus"]
    assert "warning" not in {**(run.get("insights") or {}), **(told.get("insights") or {})}


def test_a_task_that_timed_out_is_told_as_that(home: Home, other: Peer) -> None:
    task = left_by_one_that_went(home, "print begun; sleep 60", timeout=0.5)
    told = other.call("zsh/poll", {"task_id": task})
    assert (told["status"], told["output"], told["success"]) == ("timeout", "begun\n", False)
    assert told["error"].startswith("Command timed out")


def test_the_last_of_a_long_output_is_told_and_all_of_it_when_that_is_asked(
    home: Home, other: Peer
) -> None:
    task = left_by_one_that_went(home, "seq 1000")
    last = other.call("zsh/poll", {"task_id": task})
    assert (last["from_line"], last["to_line"]) == (801, 1000)
    whole = other.call("zsh/poll", {"task_id": task, "full_output": True})
    assert (whole["from_line"], whole["to_line"]) == (1, 1000)


@pytest.mark.parametrize("with_supervisor", [False, True])
def test_a_task_whose_server_was_killed_is_in_the_list(
    home: Home, *, with_supervisor: bool
) -> None:
    """Nobody was left to write down how it ended."""
    server = started(*home)
    run = server.call("zsh/run", {"command": "print kept; sleep 300", "yield_after": 0})
    task = run["task_id"]
    wait_until(lambda: any(Path(home[0]["HOME"]).rglob(f"{task}/begun.json")))
    for pid in [server_of(server), *([server.process.pid] if with_supervisor else [])]:
        os.kill(pid, signal.SIGKILL)
    server.end()
    other = started(*home)
    try:
        assert listed(other)[task] == "killed"
        told = other.call("zsh/poll", {"task_id": task})
    finally:
        other.end()
    assert (told["status"], told["output"], told["success"]) == ("killed", "kept\n", False)
    assert told["elapsed_seconds"] < 300


def listed(server: Peer) -> dict[str, str]:
    """The status of each task of the list."""
    return {it["task_id"]: it["status"] for it in server.call("zsh/tasks", {"all": True})["tasks"]}


def test_nothing_can_be_done_to_it(home: Home, other: Peer) -> None:
    task = left_by_one_that_went(home, "true")
    for method, more in (("zsh/kill", {}), ("zsh/send", {"input": "x"})):
        refused = other.refusal(method, {"task_id": task, **more})
        assert refused["code"] == -32803
        assert f"Task {task} has already ended" in refused["message"]
