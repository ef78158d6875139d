"""Tests of runs in terminals: real interactive shells with the hook, and what memory records."""

from __future__ import annotations

import os
import pty
import shutil
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World
from zsh_ls.alan import Alan
from zsh_ls.alan.terminal import hook_for, spool_beside

SHELLS = [shell for shell in ("zsh", "bash") if shutil.which(shell)]


class Terminal:
    """An interactive shell on a terminal, with the hook in its rc file."""

    def __init__(self, shell: str, home: Path) -> None:
        self.shell, self.home = shell, home
        self.database = home / "data" / "alan.db"
        self.spool = spool_beside(self.database)
        self.spool.mkdir(mode=0o700, parents=True)
        self.rc = home / (".zshrc" if shell == "zsh" else ".bashrc")
        self.rc.write_text(hook_for(shell, spool=self.spool, session="t1"))

    def types(self, *lines: str) -> str:
        """Type lines, then exit; gives what the terminal showed."""
        process, terminal = pty.fork()
        if process == 0:
            home = {"HOME": str(self.home), "ZDOTDIR": str(self.home), "TERM": "dumb", "PS1": "$ "}
            program = shutil.which(self.shell) or self.shell
            os.execve(program, [self.shell, "-i"], {"PATH": os.environ["PATH"], **home})
        os.write(terminal, "".join(f"{line}\n" for line in (*lines, "exit")).encode())
        shown = b""
        try:
            while piece := os.read(terminal, 4096):
                shown += piece
        except OSError:
            pass  # Linux says EIO when the shell has closed its terminal
        os.waitpid(process, 0)
        os.close(terminal)
        return shown.decode(errors="replace")

    def imported(self) -> World:
        world = World.on_file(self.database)
        world.store.import_terminal_runs(self.spool)
        return world


@pytest.fixture(params=SHELLS)
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Terminal:
    return Terminal(request.param, tmp_path)


def rows(terminal: Terminal) -> dict[str, tuple[int, str | None]]:
    found = query(terminal.database, "SELECT * FROM observations ORDER BY created_at")
    assert {row["origin"] for row in found} <= {"terminal"}
    return {row["command_preview"]: (row["exit_code"], row["pipestatus"]) for row in found}


# CLI-6
def test_commands_are_learnt_with_exit_and_pipestatus(terminal: Terminal) -> None:
    terminal.types("echo one", "false | true | grep x /dev/null", "sh -c 'exit 7'", "sleep 0.3")
    terminal.imported()
    assert rows(terminal) == {
        "echo one": (0, "0"),
        "false | true | grep x /dev/null": (1, "1 0 1"),
        "sh -c 'exit 7'": (7, "7"),
        "sleep 0.3": (0, "0"),
    }
    (row,) = query(
        terminal.database,
        "SELECT duration_ms, session_id FROM observations WHERE command_preview LIKE 'sleep%'",
    )
    assert 300 <= row["duration_ms"] < 5000
    assert row["session_id"] == "t1"


def test_a_space_a_pattern_or_a_switch_keeps_commands_out(terminal: Terminal) -> None:
    terminal.types(
        " echo spaced",
        "ZSH_LS_IGNORE='*hush*'",
        "echo hush",
        "echo said",
        "ZSH_LS_OFF=1",
        "echo off",
        "unset ZSH_LS_OFF",
    )
    terminal.imported()
    known = rows(terminal)
    assert "echo said" in known
    assert not {text for text in known if any(word in text for word in ("spaced", "hush ", "off"))}
    assert "echo hush" not in known


@pytest.mark.parametrize("setting", ["true", "HISTCONTROL=ignorespace", "setopt hist_ignore_space"])
def test_a_line_that_begins_with_a_space_is_in_none_of_our_files(
    terminal: Terminal, setting: str
) -> None:
    terminal.types(f"{setting} 2>/dev/null", "echo before", " echo hidden-$(( 40 + 2 ))")
    files = {path: path.read_bytes() for path in terminal.home.rglob("*") if path.is_file()}
    ours = {path for path in files if path.is_relative_to(terminal.spool)}
    assert {path.name for path in ours if b"hidden" in files[path]} == set()
    assert any(b"echo before" in files[path] for path in ours)


def test_the_hook_prints_nothing_and_survives_its_folder(terminal: Terminal) -> None:
    with_hook = terminal.types("echo one", f"rm -r {terminal.spool}", "echo two", "echo $?")
    assert "zsh_ls" not in with_hook
    assert "No such file" not in with_hook
    assert "no such file" not in with_hook
    assert "two" in with_hook


def test_the_users_own_status_and_hooks_are_left_as_they_were(terminal: Terminal) -> None:
    own = {
        "zsh": 'precmd_functions+=(mine); mine() { print -r -- "mine:$?" }',
        "bash": "PROMPT_COMMAND+=('echo mine:$?')",
    }
    with terminal.rc.open("a") as rc:
        rc.write(own[terminal.shell] + "\n")
    shown = terminal.types("sh -c 'exit 9'", "echo status:$?")
    assert "mine:9" in shown
    assert "status:9" in shown
    terminal.imported()
    assert rows(terminal)["sh -c 'exit 9'"] == (9, "9")


PLUGINS = (
    "/usr/share/powerlevel9k/powerlevel9k.zsh-theme",
    "/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh",
    "/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh",
)


@pytest.mark.slow
@pytest.mark.parametrize("comes", ["first", "last"])
def test_it_works_beside_a_theme_and_plugins_with_hooks_of_their_own(
    tmp_path: Path, comes: str
) -> None:
    terminal = Terminal("zsh", tmp_path)
    hook = terminal.rc.read_text()
    others = "".join(f"source {plugin}\n" for plugin in PLUGINS)
    others += "precmd() { false }\npreexec() { true | false }\n"
    terminal.rc.write_text(hook + others if comes == "first" else others + hook)
    shown = terminal.types("echo one", "false | true", "sh -c 'exit 7'")
    terminal.imported()
    assert rows(terminal) == {
        "echo one": (0, "0"),
        "false | true": (0, "1 0"),
        "sh -c 'exit 7'": (7, "7"),
    }
    assert "zsh_ls" not in shown


def test_what_was_taken_in_is_gone_from_the_folder_and_not_taken_twice(terminal: Terminal) -> None:
    terminal.types("echo one")
    world = terminal.imported()
    assert not list(terminal.spool.glob("*.log")) + list(terminal.spool.glob("*.taken"))
    assert world.store.import_terminal_runs(terminal.spool) == 0


def test_a_record_that_is_not_whole_is_left_out(tmp_path: Path) -> None:
    world = World.on_file(tmp_path / "alan.db")
    whole, wrong = ("s", "5.0", "6.0", "0", "0", "make"), ("s", "five", "6", "0", "0", "make")
    text = "".join(f"{field}\0" for field in (*whole, *wrong, "s", "7.0"))
    (tmp_path / "1.log").write_text(text + "8")
    assert world.store.import_terminal_runs(tmp_path) == 1


async def test_a_server_takes_it_in_when_it_opens(tmp_path: Path) -> None:
    terminal = Terminal(SHELLS[0], tmp_path)
    terminal.types("echo one", "echo one")
    alan = await Alan.open(terminal.database, clock=StillClock(), session="s1")
    assert (await alan.past("echo one")).everywhere.runs >= 1
    await alan.close()


def test_what_a_bash_of_days_past_left_is_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "1.log.last", tmp_path / "2.log.last"
    for left in (old, new):
        left.touch()
    os.utime(old, (1.0, 1.0))
    World.on_file(tmp_path / "alan.db").store.import_terminal_runs(tmp_path)
    assert (old.exists(), new.exists()) == (False, True)
