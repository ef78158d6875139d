"""`zsh-ls run` whose terminal hangs up: the command hears of it, and nothing is left (RUN-10)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_its_trap_for_that_is_run(
    environment: Mapping[str, str], tmp_path: Path, shell: str
) -> None:
    token, said = f"7{os.getpid():07}", tmp_path / "said"
    line = f"trap 'echo hung up > {said}; exit 5' HUP; sleep 1000.{token}; touch {said}.next"
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", "--shell", shell, line],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert eventually(lambda: any(map(_is_sleep, alive_with(token))), 30.0)
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate(timeout=60)
    assert said.read_text() == "hung up\n"
    assert (process.returncode, "exit=5" in errors) == (5, True)
    assert not alive_with(token)
    assert not said.with_suffix(".next").exists()


def test_what_ignores_it_is_ended(environment: Mapping[str, str], tmp_path: Path) -> None:
    token = f"8{os.getpid():07}"
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", f"trap '' HUP; sleep 1000.{token}; true"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert eventually(lambda: any(_is_sleep(pid) for pid in alive_with(token)), 30.0)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 137
    assert not alive_with(token)


def _is_sleep(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
    except OSError:
        return False
