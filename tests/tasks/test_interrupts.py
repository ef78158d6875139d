"""A command that handles Ctrl-C ends as under a plain zsh, with a terminal and without (RUN-2).

zsh execs the last command of its text, which then gets the signal alone. bash waits for it
and minds how it ended, unless the signal comes before bash waits: no oracle for a test.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from zsh_ls.tasks import Engine

from .conftest import request_for
from .test_terminals import printed

HANDLES = """#!/bin/sh
trap 'exit 3' INT
echo ready
while :; do sleep 0.05; done
"""
TEXTS = (
    "./handles",
    "./handles 2>&1",
    'cd "$PWD" && ./handles',
    "false || ./handles",
    "A=1 ./handles; # the last command all the same",
    "set -e; ./handles",
    "if true; then ./handles; fi",
    "( ./handles )",
    "./handles; print went on",
    "eval ./handles",
    "handled() { ./handles }; handled",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    script = tmp_path / "handles"
    script.write_text(HANDLES)
    script.chmod(0o755)
    return tmp_path


def status_of_plain_shell(text: str, folder: Path) -> int:
    """The exit of the shell alone in a process group that gets SIGINT, 128+N where a signal ended it."""
    process = subprocess.Popen(
        ["zsh", "-c", text], cwd=folder, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"ready\n"
        os.killpg(process.pid, signal.SIGINT)
        status = process.wait(timeout=30)
    return status if status >= 0 else 128 - status


@pytest.mark.parametrize("pty", [False, True], ids=["pipes", "terminal"])
@pytest.mark.parametrize("text", TEXTS)
async def test_an_interrupted_command_ends_as_in_a_plain_shell(
    engine: Engine, folder: Path, text: str, pty: bool
) -> None:
    expected = status_of_plain_shell(text, folder)
    task = await engine.start(request_for(text, cwd=str(folder), pty=pty))
    await printed(task, b"ready")
    task.interrupt()
    await task.wait_end()
    assert (task.exit, task.pipestatus) == (expected, (expected,))
