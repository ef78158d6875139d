"""How `zsh-ls` names the terminal session that it runs in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from zsh_ls.system.terminals import terminal_session

CONTAINER = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
NAME = "from zsh_ls.system.terminals import terminal_session; print(terminal_session())"


def started(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[19]


def test_a_terminal_session_is_named_after_its_leader() -> None:
    leader = os.getsid(0) or 1
    assert terminal_session() == f"cli-{leader}-{started(leader)}"


def test_process_1_stands_for_a_leader_that_has_no_number_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "getsid", lambda _: 0)
    assert terminal_session() == f"cli-1-{started(1)}"


def test_containers_started_from_one_terminal_are_sessions_of_their_own(
    environment: Mapping[str, str],
) -> None:
    if subprocess.run([*CONTAINER, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this user may have no process numbers of their own")

    def names_in_one() -> list[str]:
        twice = 'test $$ = 1 && "$0" -c "$1" && "$0" -c "$1"'
        return subprocess.run(
            [*CONTAINER, "sh", "-c", twice, sys.executable, NAME],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()

    first, again = names_in_one()
    assert first == again
    assert first.startswith("cli-1-")
    assert first not in names_in_one()
