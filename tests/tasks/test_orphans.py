"""However the server goes, no process of a task is left (RUN-10).

`ZSH_LS_ROUNDS=100 python -m pytest tests/tasks/test_orphans.py` tries each way more often.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.tasks import processes

from . import serving
from .survivors import LEFT_BEHIND, STUBBORN, alive_with, eventually

ROUNDS = int(os.environ.get("ZSH_LS_ROUNDS", "0"))
KILLED_AFTER_S = 1.0
SLACK_S = 4.0

Server = subprocess.Popen[str]
End = Callable[[Server, int], None]


def both_at_once(server: Server, inner: int) -> None:
    os.kill(inner, signal.SIGSTOP)
    os.kill(server.pid, signal.SIGKILL)
    os.kill(inner, signal.SIGKILL)


ENDS: dict[str, End] = {
    "end of input": lambda server, inner: server.stdin.close(),
    "TERM of the outer": lambda server, inner: os.kill(server.pid, signal.SIGTERM),
    "TERM of the inner": lambda server, inner: os.kill(inner, signal.SIGTERM),
    "-9 of the outer": lambda server, inner: os.kill(server.pid, signal.SIGKILL),
    "-9 of the inner": lambda server, inner: os.kill(inner, signal.SIGKILL),
    "-9 of both": both_at_once,
}


def serve(commands: list[str], folder: Path, *how: str) -> tuple[Server, int]:
    server = subprocess.Popen(
        [sys.executable, serving.__file__, str(folder), *how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert server.stdin
    assert server.stdout
    server.stdin.write(json.dumps(commands) + "\n")
    server.stdin.flush()
    return server, json.loads(server.stdout.readline())["inner"]


def leaves_nothing(end: End, folder: Path, *how: str) -> None:
    token = f"{secrets.randbelow(10**9):09}"
    stubborn = [*STUBBORN.values(), *LEFT_BEHIND.values()]
    server, inner = serve([command.replace("{token}", token) for command in stubborn], folder, *how)
    assert eventually(lambda: len(alive_with(token)) >= len(stubborn) + 4), alive_with(token)
    end(server, inner)
    gone = eventually(lambda: not alive_with(token), KILLED_AFTER_S + SLACK_S)
    left = alive_with(token)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert gone, f"{len(left)} left"
    server.wait(10)
    server.stdout.close()


@pytest.mark.parametrize("how", ["end of input", "-9 of the inner"])
def test_nothing_outlives_the_server(how: str, tmp_path: Path) -> None:
    leaves_nothing(ENDS[how], tmp_path)


@pytest.mark.slow
def test_a_server_that_is_stuck_does_not_outlive_its_editor_s_process(tmp_path: Path) -> None:
    inner = 0

    def kill_outer(server: Server, stuck: int) -> None:
        nonlocal inner
        inner = stuck
        os.kill(server.pid, signal.SIGKILL)

    leaves_nothing(kill_outer, tmp_path, "stuck")
    assert eventually(lambda: processes.stat(inner) is None)


@pytest.mark.slow
@pytest.mark.parametrize("how", ENDS)
def test_nothing_outlives_the_server_in_many_rounds(how: str, tmp_path: Path) -> None:
    for _ in range(ROUNDS or 3):
        leaves_nothing(ENDS[how], tmp_path)
