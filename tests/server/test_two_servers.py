"""Two servers of one user in one workspace: one task list, and each ends its own tasks alone (KEEP-6)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.ipc.connection import LOST

from .rpc import ROOT, Peer
from .shared import place, server_of, started, wait_until

pytestmark = pytest.mark.slow

Home = tuple[dict[str, str], Path]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with place(tmp_path) as found:
        yield found


@pytest.fixture
def first(home: Home) -> Iterator[Peer]:
    found = started(*home)
    yield found
    found.end()


@pytest.fixture
def second(home: Home, first: Peer) -> Iterator[Peer]:
    found = started(*home)
    yield found
    found.end()


def begun(server: Peer, command: str, **more: Any) -> str:
    """The id of a command that the server has begun and not waited for."""
    task_id: str = server.call("zsh/run", {"command": command, "yield_after": 0, **more})["task_id"]
    return task_id


def listed(server: Peer, *, with_ended: bool = False) -> dict[str, dict[str, Any]]:
    return {it["task_id"]: it for it in server.call("zsh/tasks", {"all": with_ended})["tasks"]}


# KEEP-6
def test_each_lists_polls_types_into_and_kills_the_tasks_of_the_other(
    first: Peer, second: Peer
) -> None:
    own = begun(second, "sleep 60")
    talk = begun(first, "read x; print got $x; sleep 60", pty=True, description="asks for a word")
    assert listed(second).keys() == {own, talk}
    assert listed(first).keys() == {own, talk}
    assert listed(second)[talk]["description"] == "asks for a word"
    assert second.call("zsh/send", {"task_id": talk, "input": "hello"})["success"]
    matched = {"task_id": talk, "listen": 60}
    seen = second.call("zsh/poll", matched)["output"]
    while "got hello" not in seen:
        seen += second.call("zsh/poll", matched)["output"]
    assert second.call("zsh/resize", {"task_id": talk, "cols": 90, "rows": 30})["success"]
    assert "got hello" in second.call("zsh/output", {"task_id": talk})["output"]
    assert second.call("zsh/kill", {"task_id": talk})["exit"] == 137
    assert (
        first.call("zsh/poll", {"task_id": talk, "until": "end", "listen": 60})["status"]
        == "killed"
    )
    assert listed(first).keys() == {own}
    assert listed(second, with_ended=True)[talk]["status"] == "killed"


def test_who_polls_through_another_server_has_a_cursor_of_its_own(
    first: Peer, second: Peer
) -> None:
    task = begun(first, "read x; print hi$x; sleep 60", pty=True)
    assert first.call("zsh/send", {"task_id": task, "input": "2"})["success"]
    there = {"task_id": task, "listen": 60}
    for server in (first, second):
        seen = ""
        while "hi2" not in seen:
            seen += server.call("zsh/poll", there)["output"]


def test_a_task_nobody_has_is_unknown(first: Peer, second: Peer) -> None:
    error = second.refusal("zsh/poll", {"task_id": "0badcafe"})
    assert (error["code"], error["message"]) == (-32602, "Unknown task: 0badcafe")


@pytest.mark.parametrize("politely", [True, False])
def test_when_one_goes_its_own_tasks_end_and_nobody_elses(
    first: Peer, second: Peer, politely: bool
) -> None:
    kept, lost = begun(first, "sleep 61"), begun(second, "sleep 62")
    assert listed(first).keys() == {kept, lost}
    if politely:
        assert second.leave() == 0
    else:
        os.kill(server_of(second), signal.SIGKILL)
    wait_until(lambda: listed(first).keys() == {kept})
    error = first.refusal("zsh/poll", {"task_id": lost})
    assert error["message"] == LOST
    assert first.call("zsh/poll", {"task_id": kept, "listen": 0})["status"] == "running"


def test_one_that_is_stopped_is_left_out_until_it_goes_on(first: Peer, second: Peer) -> None:
    kept, theirs = begun(first, "sleep 61"), begun(second, "sleep 62")
    assert listed(first).keys() == {kept, theirs}
    stopped = server_of(second)
    os.kill(stopped, signal.SIGSTOP)
    try:
        assert listed(first).keys() == {kept}
    finally:
        os.kill(stopped, signal.SIGCONT)
    wait_until(lambda: listed(first).keys() == {kept, theirs})


def test_trust_stays_each_editors_own(home: Home, first: Peer) -> None:
    talk = begun(first, "read x; print got $x; sleep 60", pty=True)
    wary = started(*home, options={"trusted": False})
    try:
        assert listed(wary).keys() == {talk}
        refused = wary.refusal("zsh/send", {"task_id": talk, "input": "ls"})
        assert refused["code"] == -32803
        assert wary.call("zsh/kill", {"task_id": talk})["success"]
    finally:
        wary.end()


# A process that joined either server sees the tasks of both.
def test_the_command_line_lists_the_tasks_of_both(home: Home, first: Peer, second: Peer) -> None:
    tasks = {begun(first, "sleep 61", description="a nap"), begun(second, "sleep 62")}
    environment, project = home

    def printed(*options: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "zsh_ls", "tasks", *options],
            cwd=project,
            env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    assert {it["task_id"] for it in json.loads(printed("--json"))["tasks"]} == tasks
    assert "sleep 61 # a nap" in printed()
