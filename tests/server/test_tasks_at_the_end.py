"""Tasks that run when the server ends are recorded as killed, however it ends (RUN-11, ALAN-2)."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from zsh_ls.tasks.process import processes

from .rpc import PATIENCE_S, Peer

Start = Callable[..., Peer]


def close_the_pipe(found: Peer) -> None:
    assert found.process.stdin is not None
    found.process.stdin.close()


def shut_down(found: Peer) -> None:
    found.call("shutdown")
    found.notify("exit")


WAYS: dict[str, Callable[[Peer], object]] = {
    "closed pipe": close_the_pipe,
    "exit": lambda found: found.notify("exit"),
    "shutdown": shut_down,
    "TERM": lambda found: found.process.send_signal(signal.SIGTERM),
    "-9 of the process the editor started": lambda found: found.process.kill(),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_runs_when_the_server_goes_is_recorded_as_killed(
    real: Start, home: dict[str, str], way: str
) -> None:
    found = real()
    server = server_of(found)
    token = f"62.{os.getpid()}{len(way)}"
    for shell, text in (("zsh", "sleep {}; true"), ("bash", "trap 'exit 0' TERM; sleep {}")):
        request = {"command": text.format(token), "shell": shell, "yield_after": 0}
        assert found.call("zsh/run", request)["status"] == "running"
    WAYS[way](found)
    found.process.wait(PATIENCE_S)
    until_gone(server)
    (database,) = Path(home["HOME"]).rglob("*.db")
    with closing(sqlite3.connect(database)) as memory:
        rows = memory.execute(
            "SELECT outcome_type, exit_code, kill_elapsed_ms IS NOT NULL FROM observations"
        ).fetchall()
    assert rows == [("KILLED", -9, 1)] * 2


def server_of(found: Peer) -> int:
    """The server process, a child of the one that was started."""
    name = Path(f"/proc/{found.process.pid}/comm").read_text()
    pid = found.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (server,) = [
        int(child) for child in children if Path(f"/proc/{child}/comm").read_text() == name
    ]
    return server


def until_gone(pid: int) -> None:
    """Wait until it has ended; it may be a child of the tests, to be reaped here."""
    deadline = time.monotonic() + PATIENCE_S
    while processes.stat(pid) is not None:
        assert time.monotonic() < deadline
        os.sched_yield()
