"""Without /proc, as on macOS, runs work and processes are found with `ps`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.tasks.conftest import request_for
from tests.tasks.survivors import eventually
from tools.releasing.results import home_in
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.words import Status
from zsh_ls.tasks import Engine
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.supervision.ender import CANNOT_LIST

HIDDEN = "mount -t tmpfs none /proc 2>/dev/null || exit 77; cd /; "


def _listed() -> list[str]:
    command = ["ps", "-axo", "args="]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize("shell", ["zsh", "bash"])
async def test_a_kill_leaves_nothing_and_begins_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: str
) -> None:
    monkeypatch.setattr(processes, "HAS_PROC", False)
    token = f"1000.{tmp_path.name.__hash__() % 10_000_019}"
    command = f"sleep {token} & echo $! >pid; sleep {token} | cat; touch {tmp_path}/late"
    task = await engine.start(request_for(command, shell, cwd=str(tmp_path)))
    assert eventually(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    await task.kill()
    assert not (tmp_path / "late").exists()
    assert not [it for it in _listed() if f"sleep {token}" in it]


@pytest.mark.parametrize("stubborn", [False, True])
async def test_a_kill_ends_the_process_group_where_there_is_no_ps_either(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    stubborn: bool,
) -> None:
    token = f"1000.{tmp_path.name.__hash__() % 10_000_019}"
    ignoring = "trap '' TERM; " if stubborn else ""
    command = f"{ignoring}sleep {token} & echo $! >pid; sleep {token} | cat; touch {tmp_path}/late"
    request = request_for(command, "bash", cwd=str(tmp_path))
    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs", kill_grace_s=0.2)
    task = await engine.start(request)
    assert eventually(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    with monkeypatch.context() as hidden:
        hidden.setattr(processes, "HAS_PROC", False)
        hidden.setenv("PATH", str(tmp_path))
        assert processes.table() == {}
        assert await task.kill()
    assert task.status is Status.KILLED
    assert not (tmp_path / "late").exists()
    assert eventually(lambda: not [it for it in _listed() if f"sleep {token}" in it])
    assert CANNOT_LIST in caplog.messages
    await engine.close()


def test_a_run_says_how_it_ended_where_proc_is_hidden() -> None:
    run = f"exec {sys.executable} -m zsh_ls run 'echo hi | grep x'"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", HIDDEN + run],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no mount of one's own here: {done.stderr}")
    assert "[FAILED" in done.stderr
    assert "exit=1 pipestatus=[0,1]]" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("run --session a 'x=1' && {it} run --session a 'print $x'", "1\n"),
        ("trace script", "Where the time went"),
        ("check script", "declaration-masks-exit"),
        ("failures script", "fail unnoticed"),
        ("explain 'git status'", "Show the working tree status"),
        ("run 'false | true' && {it} why", "`false` 1, `true` 0"),
        ("doctor", "All circuits are closed."),
        ("run --detach 'sleep 1000' >id; {it} kill $(cat id)", "killed"),
    ],
)
def test_every_command_works_where_proc_is_hidden(tmp_path: Path, words: str, told: str) -> None:
    """With /proc goes /dev/fd; no warning about processes stands where none has to be ended."""
    (tmp_path / "script").write_text(
        "#!/bin/zsh\nset -e\nls /nowhere | wc -l\nlocal v=$(git describe)\n"
    )
    it = f"{sys.executable} -m zsh_ls"
    line = f"{HIDDEN}cd {tmp_path}; {it} {words.format(it=it)} 2>&1"
    # A longer path has no room for a socket, and what is detached would be everybody's to see.
    with tempfile.TemporaryDirectory(dir="/tmp") as runtime:
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", line],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **home_in(tmp_path / "home"), "XDG_RUNTIME_DIR": runtime},
        )
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip(f"no mount of one's own here: {done.stderr}")
    assert told in done.stdout
    assert "kill" in words or CANNOT_LIST not in done.stdout
