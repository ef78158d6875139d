"""`zsh-ls run --session` and `zsh-ls session`: sessions of a terminal (SESS-1, SESS-4)."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


class Terminal:
    """A terminal's environment; each command is a process of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.runtime = home / "runtime"
        self.runtime.mkdir(mode=0o700)
        self.env = {
            **os.environ,
            "HOME": str(home),
            "ZDOTDIR": str(home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "PYTHONPATH": str(ROOT),
        }

    def __call__(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "zsh_ls", *words],
            cwd=cwd or self.home,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *words: str, cwd: Path | None = None) -> str:
        done = self("run", "--session", "s", *words, cwd=cwd)
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_one_process_begins_with_what_another_left(terminal: Terminal, shell: str) -> None:
    terminal.run("--shell", shell, "x='a b'; f() { echo f; }; cd /usr")
    assert terminal.run('echo "$x"; f; pwd') == "a b\nf\n/usr\n"
    assert (
        terminal("run", "--session", "other", "--shell", shell, "echo ${x-none}").stdout == "none\n"
    )


def test_it_begins_where_it_was_begun_and_a_folder_asked_for_is_for_once(
    terminal: Terminal, tmp_path: Path
) -> None:
    below = tmp_path / "below"
    below.mkdir()
    assert terminal.run("pwd", cwd=below) == f"{below}\n"
    assert terminal.run("pwd") == f"{below}\n"
    assert terminal.run("--cwd", "/usr", "pwd") == "/usr\n"
    assert terminal.run("pwd") == f"{below}\n"


def test_sessions_are_listed_shown_and_reset(terminal: Terminal) -> None:
    assert "No sessions" in terminal("session").stdout
    terminal.run("API_TOKEN=hunter2hunter2; name=plain; f() { :; }")
    assert terminal("session").stdout.startswith("s  zsh  ")
    assert "1 run, 2 variables, 1 function" in terminal("session").stdout
    shown = terminal("session", "show", "s").stdout
    assert "name = plain" in shown
    assert "hunter2" not in shown
    listed = json.loads(terminal("session", "--json").stdout)["sessions"]
    assert [it["session"] for it in listed] == ["s"]
    assert terminal("session", "reset", "s").returncode == 0
    assert terminal.run("echo ${name-gone}") == "gone\n"


def test_wrong_usage_is_told(terminal: Terminal) -> None:
    assert terminal("session", "show").returncode == 2
    unknown = terminal("session", "show", "nobody")
    assert (unknown.returncode, unknown.stderr) == (1, "zsh-ls: Unknown session: nobody\n")


def test_what_a_session_refuses_names_what_to_type(terminal: Terminal) -> None:
    """`zsh-ls session reset` alone, as it said, resets all of them."""
    terminal.run("--shell", "bash", "true")
    other = terminal("run", "--session", "s", "--shell", "zsh", "true")
    assert other.returncode == 125
    assert "`zsh-ls session reset s`" in other.stderr
    detached = terminal("run", "--session", "s", "--detach", "true")
    assert detached.stderr == (
        "zsh-ls: --detach: a detached run outlives its session, so it takes none\n"
    )


def test_states_are_private(terminal: Terminal) -> None:
    terminal.run("SECRET=1")
    files = [it for it in terminal.runtime.rglob("*") if it.is_file()]
    assert files
    assert {stat.S_IMODE(it.stat().st_mode) for it in files} == {0o600}


def test_those_of_a_terminal_that_is_gone_are_removed(terminal: Terminal) -> None:
    terminal.run("x=1")
    [folder] = (terminal.runtime / "zsh-ls").glob("sessions-*")
    nobody = folder.with_name("sessions-999999999-1")
    folder.rename(nobody)
    terminal.run("x=2")
    assert not nobody.exists()
