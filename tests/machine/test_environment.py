"""Tests of reading the user's environment, with rc files that print, wait or fail."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from zsh_ls.machine.environment import UserEnvironment, login_shell, user_environment

RC = {"zsh": ".zshrc", "bash": ".bash_profile"}


def asked(home: Path, shell: str, rc: str, time_limit_s: float = 20.0) -> UserEnvironment:
    (home / RC[shell]).write_text(rc)
    path = shutil.which(shell)
    assert path
    base = {"HOME": str(home), "PATH": os.environ["PATH"], "SHLVL": "3"}
    return user_environment(path, base=base, time_limit_s=time_limit_s)


@pytest.mark.parametrize("shell", RC)
def test_what_rc_files_export_is_found(tmp_path: Path, shell: str) -> None:
    found = asked(
        tmp_path, shell, 'export PATH="/of/a/version/manager:$PATH" ODD=$\'a\\nb=c "é\'\n'
    )
    assert found.problem is None
    assert found.variables["PATH"].startswith("/of/a/version/manager:")
    assert found.variables["ODD"] == 'a\nb=c "é'
    assert not found.variables.keys() & {"SHLVL", "_", "PWD", "TERM"}


@pytest.mark.parametrize("shell", RC)
def test_noise_does_not_disturb(tmp_path: Path, shell: str) -> None:
    noise = "echo {banner}; printf '\\033]0;t\\007'; echo oops >&2; read answer; cat; sleep 100 &\n"
    noise += "export FOUND=1\n"
    assert asked(tmp_path, shell, noise).variables["FOUND"] == "1"


@pytest.mark.parametrize("shell", RC)
def test_a_shell_that_hangs_is_given_up(tmp_path: Path, shell: str) -> None:
    found = asked(tmp_path, shell, "sleep 1000", time_limit_s=0.5)
    assert found.variables == {}
    assert found.problem
    assert "no answer within 0.5 s" in found.problem


@pytest.mark.parametrize("shell", RC)
def test_a_shell_that_leaves_early_is_said(tmp_path: Path, shell: str) -> None:
    found = asked(tmp_path, shell, "exit 3")
    assert found.problem
    assert "ended before" in found.problem


def test_shells_nobody_can_ask_are_said(tmp_path: Path) -> None:
    assert user_environment("/bin/false").problem
    missing = tmp_path / "zsh"
    problem = user_environment(str(missing)).problem
    assert problem
    assert "could not be asked" in problem


def test_there_is_always_a_login_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/nonexistent")
    assert os.access(login_shell(), os.X_OK)
