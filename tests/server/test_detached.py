"""Detached runs (RUN-20): they outlive their server however it ends, and the next one finds them."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.survivors import alive_with

from .rpc import PATIENCE_S, Peer
from .shared import place, server_of, started, wait_until

pytestmark = pytest.mark.slow

Home = tuple[dict[str, str], Path]

WAYS: dict[str, Callable[[Peer], object]] = {
    "closed pipe": lambda it: it.process.stdin and it.process.stdin.close(),
    "-9 of the server": lambda it: os.kill(server_of(it), signal.SIGKILL),
    "-9 of the process the editor started": lambda it: it.process.kill(),
    "-9 of its whole process group": lambda it: [
        os.kill(pid, signal.SIGKILL) for pid in (server_of(it), it.process.pid)
    ],
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with place(tmp_path) as found:
        environment, _ = found
        yield found
        for pid in keepers(environment):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not keepers(environment))


@pytest.fixture
def server(home: Home) -> Iterator[Peer]:
    found = started(*home)
    yield found
    found.end()


def keepers(environment: dict[str, str]) -> list[int]:
    """The living keepers of a home."""
    folder = Path(environment["XDG_RUNTIME_DIR"]) / "zsh-ls" / "keepers"
    names = [it.name.partition("-")[0] for it in folder.glob("*")]
    return [int(pid) for pid in names if Path(f"/proc/{pid}/stat").exists()]


def children_of(pid: int) -> list[int]:
    return [int(it) for it in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def detached(server: Peer, command: str, **more: Any) -> dict[str, Any]:
    given = {"command": command, "detached": True, "yield_after": 0, **more}
    result: dict[str, Any] = server.call("zsh/run", given)
    return result


def listed(server: Peer, *, everywhere: bool = False) -> dict[str, dict[str, Any]]:
    return {it["task_id"]: it for it in server.call("zsh/tasks", {"all": everywhere})["tasks"]}


def at_its_end(server: Peer, task_id: str) -> dict[str, Any]:
    result: dict[str, Any] = server.call(
        "zsh/poll", {"task_id": task_id, "until": "end", "listen": PATIENCE_S}
    )
    return result


def remembered(environment: dict[str, str]) -> list[tuple[str, int]]:
    (database,) = Path(environment["HOME"]).rglob("alan.db")
    with closing(sqlite3.connect(database)) as memory:
        return memory.execute("SELECT outcome_type, exit_code FROM observations").fetchall()


@pytest.mark.parametrize("way", WAYS)
def test_it_outlives_its_server_and_is_found_typed_into_and_ended_by_the_next(
    home: Home, server: Peer, way: str
) -> None:
    token = f"1{os.getpid():07}"
    talk = f"print begun; read x; print got $x; sleep 1000.{token}"
    task = detached(server, talk, pty=True, description="talks")
    assert task["status"] == "running"
    plain = {"command": f"sleep 2000.{token}", "yield_after": 0}
    server.call("zsh/run", plain)
    WAYS[way](server)
    server.process.wait(PATIENCE_S)
    wait_until(lambda: not alive_with(f"2000.{token}"))

    second = started(*home)
    try:
        found = listed(second)
        assert found.keys() == {task["task_id"]}
        (it,) = found.values()
        assert (it["detached"], it["status"], it["description"]) == (True, "running", "talks")
        here = {"task_id": task["task_id"]}
        health = second.call("zsh/health")
        assert health["detached"] == [{**here, "command": talk}]
        assert health["active_tasks"] == 1
        assert second.call("zsh/send", {**here, "input": "hello"})["success"]
        seen = ""
        while "got hello" not in seen:
            seen += second.call("zsh/poll", {**here, "listen": PATIENCE_S})["output"]
        assert "begun" in second.call("zsh/output", here)["output"]
        wait_until(lambda: alive_with(f"1000.{token}"))
        killed = second.call("zsh/kill", here)
        assert (killed["success"], killed["exit"]) == (True, 137)
        assert not alive_with(token)
        assert listed(second) == {}
        assert second.call("zsh/health")["detached"] == []
        assert at_its_end(second, task["task_id"])["status"] == "killed"
    finally:
        second.end()


def test_what_ends_while_no_server_is_there_is_remembered_and_told(
    home: Home, server: Peer, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    command = f"until [[ -e {gate} ]]; do sleep 0.05; done; print all | (exit 3)"
    task_id = detached(server, command)["task_id"]
    os.kill(server_of(server), signal.SIGKILL)
    server.process.wait(PATIENCE_S)
    gate.touch()
    environment, _ = home
    wait_until(lambda: remembered(environment))
    assert remembered(environment) == [("FAILURE", 3)]

    for keeper_is_there in (True, False):
        if not keeper_is_there:
            for pid in keepers(environment):
                os.kill(pid, signal.SIGTERM)
            wait_until(lambda: not keepers(environment))
        other = started(*home)
        try:
            end = at_its_end(other, task_id)
            assert (end["status"], end["exit"], end["pipestatus"]) == ("completed", 3, [0, 3])
            assert f"[FAILED task_id={task_id}" in end["formatted"]
            assert listed(other) == {}
            ended = listed(other, everywhere=True)[task_id]
            assert (ended["exit"], ended["detached"]) == (3, True)
            assert other.refusal("zsh/kill", {"task_id": task_id})["code"] == -32803
        finally:
            other.end()


def test_no_limit_holds_but_its_own(home: Home) -> None:
    environment, project = home
    limits = {"NEVERHANG_TIMEOUT_DEFAULT": "0.2", "NEVERHANG_TIMEOUT_MAX": "0.3"}
    server = started({**environment, **limits}, project, options={"timeout": 0.2})
    try:
        limited = detached(server, "sleep 61", timeout=0.5, origin="agent")["task_id"]
        endless = detached(server, "sleep 62", origin="agent")["task_id"]
        zero = detached(server, "sleep 63", origin="agent", timeout=0)
        end = at_its_end(server, limited)
        assert (end["status"], end["error"]) == ("timeout", "Command timed out after 0.5s")
        assert "insights" not in zero or "Time limit" not in str(zero["insights"])
        assert listed(server).keys() == {endless, zero["task_id"]}
        plain = server.call(
            "zsh/run", {"command": "sleep 64", "origin": "agent", "timeout": 0, "yield_after": 30}
        )
        assert plain["status"] == "timeout"
        cut = "Time limit cut to 0.3s; a server or watcher runs with detached."
        assert cut in plain["insights"]["info"]
    finally:
        server.end()


def test_what_is_refused_starts_nothing(home: Home, server: Peer) -> None:
    run = {"command": "sleep 65", "detached": True}
    assert server.refusal("zsh/run", {**run, "session": "one"})["code"] == -32803
    wrong = server.refusal("zsh/run", {**run, "cwd": "/not/there"})
    assert (wrong["code"], "/not/there" in wrong["message"]) == (-32602, True)
    wary = started(*home, options={"trusted": False})
    try:
        assert wary.refusal("zsh/run", run)["code"] == -32803
    finally:
        wary.end()
    assert keepers(home[0]) == []
    assert listed(server) == {}


def test_other_workspaces_reach_it_and_list_it_with_all(
    home: Home, server: Peer, tmp_path: Path
) -> None:
    task_id = detached(server, "print there; sleep 66")["task_id"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = started(home[0], elsewhere)
    try:
        assert listed(other) == {}
        assert listed(other, everywhere=True).keys() == {task_id}
        assert [it["task_id"] for it in other.call("zsh/health")["detached"]] == [task_id]
        wait_until(lambda: other.call("zsh/output", {"task_id": task_id})["output"] == "there\n")
        assert other.call("zsh/kill", {"task_id": task_id})["success"]
    finally:
        other.end()
    assert listed(server) == {}


# Both have the first tag of their own server, and one is a descendant of the other's.
def test_a_kill_of_another_task_leaves_it_alone(home: Home, server: Peer) -> None:
    token = f"2{os.getpid():07}"
    task_id = detached(server, f"sleep 1000.{token}")["task_id"]
    plain = {"command": "sleep 67 & sleep 68", "yield_after": 0}
    other = server.call("zsh/run", plain)["task_id"]
    assert server.call("zsh/kill", {"task_id": other})["success"]
    assert alive_with(token)
    assert listed(server).keys() == {task_id}


def test_progress_of_it_is_told(home: Home, server: Peer) -> None:
    task_id = detached(server, "sleep 0.3; print news; sleep 69", yield_after=0.1)["task_id"]
    server.news("zsh/progress", lambda it: it["task_id"] == task_id and "news" in it["output"])


# Nothing runs on that nobody knows of.
def test_when_its_keeper_is_killed_the_task_ends(home: Home, server: Peer) -> None:
    token = f"3{os.getpid():07}"
    command = f"setsid sleep 1000.{token} & sleep 1000.{token}"
    task_id = detached(server, command)["task_id"]
    wait_until(lambda: len(alive_with(token)) == 2)
    (keeper,) = keepers(home[0])
    # Beside its server it has a reaper; which has the larger number is chance, as numbers are used again.
    server_of_it = max(children_of(keeper), key=lambda pid: len(children_of(pid)))
    os.kill(server_of_it, signal.SIGKILL)
    wait_until(lambda: not alive_with(token))
    wait_until(lambda: not keepers(home[0]))
    wait_until(lambda: remembered(home[0]))
    assert remembered(home[0]) == [("KILLED", -9)]
    assert listed(server) == {}
    told = server.call("zsh/poll", {"task_id": task_id})
    assert (told["status"], told["exit"], told["error"]) == ("killed", 137, "Command was killed")
    assert server.call("zsh/health")["detached"] == []


def test_who_asks_while_its_keeper_is_killed_is_told_how_it_ended(home: Home, server: Peer) -> None:
    task_id = detached(server, f"sleep 1000.4{os.getpid():07}")["task_id"]
    other = started(*home)
    try:
        waits = server.ask("zsh/poll", {"task_id": task_id, "until": "end", "listen": PATIENCE_S})
        wait_until(lambda: listed(other))
        (keeper,) = keepers(home[0])
        os.kill(max(children_of(keeper), key=lambda pid: len(children_of(pid))), signal.SIGKILL)
        late = other.call("zsh/poll", {"task_id": task_id, "until": "end", "listen": PATIENCE_S})
        for told in (late, server.answer_to(waits)["result"]):
            assert (told["status"], told["exit"]) == ("killed", 137)
    finally:
        other.end()
