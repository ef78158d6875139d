"""`zsh-ls trace` gives the script the terminal that it was started from, or its standard input."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.tmux import Tmux
from tests.server.shared import wait_until

pytestmark = pytest.mark.slow

TRACE = f"{shlex.quote(sys.executable)} -m zsh_ls trace"


@pytest.fixture
def terminal(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Tmux]:
    found = Tmux(environment, tmp_path)
    yield found
    found.end()


def script(folder: Path, text: str) -> Path:
    path = folder / "ask"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        '#!/bin/bash\nread -p "Continue? " a\necho "got <$a>"\n',
        '#!/bin/zsh\nread "a?Continue? "\necho "got <$a>"\n',
        '#!/bin/sh\nprintf "Continue? "; read a\necho "got <$a>"\n',
    ],
    ids=["bash", "zsh", "sh"],
)
def test_a_script_that_asks_is_answered_by_the_person(
    terminal: Tmux, tmp_path: Path, text: str
) -> None:
    script(tmp_path, text)
    terminal.type(f"{TRACE} ask")
    terminal.until("Continue?")
    terminal.type("yès")
    shown = terminal.until("Continue? yès\ngot <yès>\n[COMPLETED task_id=")
    assert shown.count("got <yès>") == 1
    if "/sh" not in text:
        terminal.until("✓", "2 │ read")


def test_keys_window_size_and_screen_are_the_scripts(terminal: Tmux, tmp_path: Path) -> None:
    script(
        tmp_path,
        "#!/bin/zsh\nstty size\ntrap 'stty size' WINCH\nread -q 'a?Sure? ' && echo ' sure'\n"
        "read -s 'b?Password: '; echo\necho \"of $#b letters\"\n"
        "print -n 'left\\e[20Cright'; read c\nprint -n '\\e[?1049h\\e[2J\\e[Hother screen'; read d\n"
        "print '\\e[?1049lover'\n",
    )
    terminal.type(f"{TRACE} ask")
    terminal.until("24 100", "Sure?")
    terminal("resize-window", "-x", "80", "-y", "30")
    terminal.press("y")
    terminal.until(" sure", "30 80", "Password:")
    terminal.type("secret")
    terminal.until("of 6 letters", f"left{' ' * 20}right")
    terminal.press("Enter")
    assert "of 6" not in terminal.until("other screen")
    terminal.press("Enter")
    assert "secret" not in terminal.until("over", "[COMPLETED")


def test_ctrl_c_is_the_scripts_and_what_ran_is_shown(terminal: Tmux, tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/bash\ntrap 'echo cleaned; exit 7' INT\necho ready\nsleep 1000\n")
    terminal.type(f"{TRACE} ask; echo exit=$?.")
    terminal.until("ready\n")
    terminal.press("C-c")
    terminal.until("cleaned", "[FAILED", "3 │ echo ready", "exit=7.")


@pytest.mark.parametrize("how", ["by itself", "C-c", "TERM", "HUP"])
def test_the_terminal_is_as_it_was_however_the_script_ends(
    terminal: Tmux, tmp_path: Path, how: str
) -> None:
    text = "#!/bin/zsh\nstty -echo -icanon\n"
    script(tmp_path, text + ("" if how == "by itself" else "echo ready; sleep 1001\n"))
    around = tmp_path / "around"
    traced = f"sh -c 'echo $$ >pid; exec {TRACE} ask'"
    around.write_text(f"trap : INT\nstty -g >before\n{traced}\nstty -g >after\necho all over\n")
    terminal.type("sh around")
    if how != "by itself":
        terminal.until("ready\n")
    if how == "C-c":
        terminal.press("C-c")
    elif how != "by itself":
        subprocess.run(["kill", f"-{how}", (tmp_path / "pid").read_text().strip()], check=True)
    terminal.until("all over")
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()
    wait_until(lambda: not _runs("sleep\0" + "1001"))


def _runs(command_line: str) -> bool:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_text().startswith(command_line):
                return True
        except OSError:
            continue
    return False


def test_in_the_background_the_persons_keys_are_left_alone(terminal: Tmux, tmp_path: Path) -> None:
    script(tmp_path, '#!/bin/bash\nread a\necho "read $? <$a>"\n')
    terminal.type(f"{TRACE} ask &; wait; echo next")
    terminal.until("read 1 <>", "[COMPLETED", "next")


def test_the_terminal_is_read_where_only_the_output_goes_elsewhere(
    terminal: Tmux, tmp_path: Path
) -> None:
    script(tmp_path, '#!/bin/bash\necho ready\nread a\necho "got <$a>"\n')
    terminal.type(f"{TRACE} ask | tee copy")
    terminal.until("ready\n")
    terminal.type("word")
    terminal.until("got <word>", "[COMPLETED")


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_a_pipe_is_the_scripts_standard_input(cli: Cli, tmp_path: Path, shell: str) -> None:
    asking = script(tmp_path, f'#!/bin/{shell}\nread a\nsed s/^/line:/\necho "first:$a"\n')
    done = cli("trace", str(asking), input="one\ntwo\nthree\n")
    assert done.stdout.startswith("line:two\nline:three\nfirst:one\n[COMPLETED")


def test_what_the_script_did_not_read_stays_in_the_pipe(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    script(tmp_path, '#!/bin/bash\nread a\necho "first:$a"\n')
    endless = f"{{ echo one; echo two; yes; }} | {{ {TRACE} ask; read rest; echo rest:$rest; }}"
    done = subprocess.run(
        ["bash", "-c", endless],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.startswith("first:one\n")
    assert done.stdout.endswith("\nrest:two\n")


def test_without_standard_input_a_script_reads_end_of_file(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    script(tmp_path, '#!/bin/bash\nread a\necho "read $? <$a>"\n')
    done = subprocess.run(
        ["bash", "-c", f"{TRACE} ask <&-"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.startswith("read 1 <>\n")


# CLI-41
@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_ctrl_z_stops_the_script_and_fg_goes_on(terminal: Tmux, tmp_path: Path, shell: str) -> None:
    script(tmp_path, f"#!/bin/{shell}\necho started\ncat\necho over\n")
    terminal.type(f"{TRACE} ask")
    terminal.until("\nstarted\n")
    terminal.type("one")
    terminal.until("one\none\n")
    terminal.press("C-z")
    terminal.until("suspended", "READY>")
    terminal.type("fg")
    terminal.until("continued")
    terminal.type("two")
    terminal.until("two\ntwo\n")
    terminal.press("C-d")
    terminal.until("over", "[COMPLETED", "3 │ cat")
