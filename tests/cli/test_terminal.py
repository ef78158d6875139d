"""Tests of runs in terminals: real interactive shells with the hook, and what memory records."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World
from zsh_ls.alan import Alan
from zsh_ls.alan.terminal import spool_beside
from zsh_ls.cli.terminal import text_for

SHELLS = [shell for shell in ("zsh", "bash", "fish") if shutil.which(shell)]
RC = {"zsh": ".zshrc", "bash": ".bashrc", "fish": ".config/fish/config.fish"}
POSIX = pytest.mark.parametrize("terminal", ["zsh", "bash"], indirect=True)


class Terminal:
    """An interactive shell on a terminal, with the hook in its rc file."""

    def __init__(self, shell: str, home: Path) -> None:
        self.shell, self.home = shell, home
        self.database = home / "data" / "alan.db"
        self.spool = spool_beside(self.database)
        self.rc = home / RC[shell]
        self.rc.parent.mkdir(parents=True, exist_ok=True)
        self.rc.write_text(text_for(shell, ctrl_r=False))
        # Else the first fish of a home reads all manual pages, and keeps the terminal meanwhile.
        (home / ".local/share/fish/generated_completions").mkdir(parents=True, exist_ok=True)
        self.env = {"PS1": "$ ", "TERM": "dumb", "ALAN_DB_PATH": str(self.database)}

    def types(self, *lines: str) -> str:
        """Type lines, then exit; gives what the terminal showed."""
        process, terminal = pty.fork()
        if process == 0:
            home = {"HOME": str(self.home), "ZDOTDIR": str(self.home), "PATH": os.environ["PATH"]}
            program = shutil.which(self.shell) or self.shell
            os.execve(program, [self.shell, "-i"], {**self.env, **home})
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


@POSIX  # CLI-6
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
    assert re.fullmatch(r"cli-\d+-\d+", row["session_id"])


@POSIX
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


@POSIX
@pytest.mark.parametrize("setting", ["true", "HISTCONTROL=ignorespace", "setopt hist_ignore_space"])
def test_a_line_that_begins_with_a_space_is_in_none_of_our_files(
    terminal: Terminal, setting: str
) -> None:
    terminal.types(f"{setting} 2>/dev/null", "echo before", " echo hidden-$(( 40 + 2 ))")
    files = {path: path.read_bytes() for path in terminal.home.rglob("*") if path.is_file()}
    ours = {path for path in files if path.is_relative_to(terminal.spool)}
    assert {path.name for path in ours if b"hidden" in files[path]} == set()
    assert any(b"echo before" in files[path] for path in ours)


# CLI-6
def test_fish_is_learnt_from(tmp_path: Path) -> None:
    if "fish" not in SHELLS:
        pytest.skip("no fish here")
    terminal = Terminal("fish", tmp_path)
    before = time.time()
    terminal.types("echo one", "false | true", "sh -c 'exit 7'", " echo spaced", "sleep 0.3")
    files = [path for path in terminal.spool.iterdir() if b"spaced" in path.read_bytes()]
    assert files == []
    terminal.imported()
    assert rows(terminal) == {
        "echo one": (0, "0"),
        "false | true": (0, "1 0"),
        "sh -c 'exit 7'": (7, "7"),
        "sleep 0.3": (0, "0"),
    }
    (row,) = query(
        terminal.database,
        """SELECT duration_ms, strftime('%s', created_at) AS at FROM observations
        WHERE command_preview LIKE 'sleep%'""",
    )
    assert 300 <= row["duration_ms"] < 5000
    assert before - 2 <= float(row["at"]) <= time.time() + 2


def test_the_hook_prints_nothing_and_survives_its_folder(terminal: Terminal) -> None:
    with_hook = terminal.types("echo one", f"rm -r {terminal.spool}", "echo two", "true")
    assert "zsh_ls" not in with_hook
    assert "No such file" not in with_hook
    assert "no such file" not in with_hook
    assert "two" in with_hook


@POSIX
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


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_who_has_the_hook_has_the_command_where_it_is_not_on_the_path(
    shell: str, tmp_path: Path
) -> None:
    program = Path(sys.executable).parent / "zsh-ls"
    bare = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "dumb"}
    typed = f'eval "$({program} init {shell})"; eval "zsh-ls --version"'
    own = [shell, "-f"] if shell == "zsh" else [shell, "--norc"]
    done = subprocess.run([*own, "-ic", typed], env=bare, capture_output=True, check=False)
    assert (done.returncode, done.stdout.split()[:1]) == (0, [b"zsh-ls"])


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


def test_what_shells_that_have_ended_left_is_removed(tmp_path: Path) -> None:
    old, new = tmp_path / "1.log.last", tmp_path / "2.log.last"
    gone, here = tmp_path / "999999999.hook", tmp_path / f"{os.getpid()}.hook"
    for left in (old, new, gone, here):
        left.touch()
    os.utime(old, (1.0, 1.0))
    World.on_file(tmp_path / "alan.db").store.import_terminal_runs(tmp_path)
    assert [left.exists() for left in (old, new, gone, here)] == [False, True, False, True]
