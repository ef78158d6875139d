"""`zsh-ls run` in a real terminal: the command has it as if it had been typed there."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.tmux import Tmux
from tests.server.shared import wait_until

pytestmark = pytest.mark.slow

RUN = f"{shlex.quote(sys.executable)} -m zsh_ls run"


@pytest.fixture
def terminal(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Tmux]:
    found = Tmux({**environment, "EDITOR": "vim", "LESS": ""}, tmp_path)
    # The machine's own startup files may rewrite what the tests look for.
    found.type(f'run() {{ {RUN} --shell zsh "$@" }}; clear')
    yield found
    found.end()


# CLI-20
def test_output_comes_as_it_is_written_and_one_status_line_at_the_end(
    terminal: Tmux, tmp_path: Path
) -> None:
    terminal.type(
        "run 'printf \"\\033[31mred\\n\"; while [ ! -e go ]; do sleep 0.05; done; echo last'"
    )
    shown = terminal.until("red\n")
    assert "last" not in shown.replace("echo last", "")
    assert "\x1b[31mred" in terminal("capture-pane", "-p", "-e")
    (tmp_path / "go").touch()
    shown = terminal.until("\nlast\n[COMPLETED task_id=", "READY>")
    assert "[info:" not in shown


# CLI-20
def test_an_unfinished_line_stays_a_line_of_its_own(terminal: Tmux) -> None:
    terminal.type("run 'printf unfinished'")
    terminal.until("\nunfinished\n[COMPLETED")


# CLI-21
def test_an_editor_works_and_can_be_suspended(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type("run vim -u NONE note")
    terminal.until("~\n", '"note"')
    terminal.press("i")
    terminal.type("first")
    terminal.press("Escape", "C-z")
    terminal.until("suspended", "READY>")
    terminal.type("clear; stty -a | grep -o ' icanon'; echo here $((20 + 3))")
    terminal.until(" icanon\n", "here 23\n")
    terminal.type("fg")
    terminal.until("first\n", "~\n")
    terminal.press("o")
    terminal.type("second")
    terminal.press("Escape")
    terminal.type(":x")
    terminal.until("[COMPLETED", "READY>")
    assert (tmp_path / "note").read_text().split() == ["first", "second"]


# CLI-21
def test_ctrl_z_stops_the_command_and_fg_goes_on(terminal: Tmux) -> None:
    terminal.type("run 'print started; cat'")
    # What is typed before is echoed by two terminals, and a key then finds no command to stop.
    terminal.until("\nstarted\n")
    terminal.type("one")
    terminal.until("one\none\n")
    terminal.press("C-z")
    terminal.until("suspended")
    terminal.type("fg")
    terminal.until("continued")
    terminal.type("two")
    terminal.until("two\ntwo\n")
    terminal.press("C-d")
    terminal.until("[COMPLETED", "READY>")


# CLI-21
def test_a_stopped_command_goes_on_in_the_background(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type("run 'touch there; while [ ! -e go ]; do sleep 0.05; done; touch gone'")
    wait_until((tmp_path / "there").exists)
    terminal.press("C-z")
    terminal.until("suspended")
    (tmp_path / "go").touch()
    terminal.type("bg; wait")
    terminal.until("[COMPLETED")
    assert (tmp_path / "gone").exists()


# CLI-21
def test_a_pager_has_keys_and_the_windows_size(terminal: Tmux) -> None:
    terminal.type("run 'seq 5000 | less'")
    terminal.until("\n23\n:")
    terminal("resize-window", "-x", "80", "-y", "30")
    terminal.until("\n29\n:")
    terminal.press("G")
    terminal.until("5000\n(END)")
    terminal.press("q")
    terminal.until("[COMPLETED")


# CLI-21
def test_a_password_is_not_shown(terminal: Tmux) -> None:
    terminal.type('run \'read -s "a?Password: "; echo; echo "${#a} letters"\'')
    terminal.until("\nPassword:")
    terminal.type("secret")
    assert "secret" not in terminal.until("6 letters", "[COMPLETED")


# CLI-21
def test_ctrl_c_is_the_commands(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type(
        'run \'trap "echo caught; exit 7" INT; touch there; while :; do sleep 0.1; done\'; echo "exit=$?."'
    )
    wait_until((tmp_path / "there").exists)
    terminal.press("C-c")
    terminal.until("caught", "[FAILED", "exit=7.")
    terminal.type("clear; for i in 1 2 3; do run 'echo round; sleep 1000'; done")
    terminal.until("round\n")
    terminal.press("C-c")
    terminal.until("[FAILED", "READY>")
    terminal.type('echo "exit=$?."')
    assert terminal.until("exit=130.").count("round\n") == 1


# What has begun and does not read its terminal, until the test lets it go on.
HELD_UP = "mkfifo gate; echo begun; read < gate; "


def let_go_on(folder: Path) -> None:
    """Open the gate of `HELD_UP`."""
    (folder / "gate").write_text("\n")


# CLI-21
@pytest.mark.parametrize("line", ["echo typed $((20 + 3))", "echo one; echo typed 23"])
def test_what_is_typed_ahead_and_not_read_is_the_shells(
    terminal: Tmux, tmp_path: Path, line: str
) -> None:
    terminal.type(f"run '{HELD_UP} echo over'")
    terminal.until("begun\n")
    terminal.type(line)
    let_go_on(tmp_path)
    terminal.until("over\n[COMPLETED", "\ntyped 23\n", "READY>")


# CLI-21
def test_what_is_typed_ahead_is_there_for_what_asks(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type(f'run \'{HELD_UP} read "a?Name: "; echo; echo "<$a>"\'')
    terminal.until("begun\n")
    terminal.type("me")
    let_go_on(tmp_path)
    terminal.until("Name: me", "<me>\n[COMPLETED")


# CLI-21
def test_what_was_typed_ahead_is_no_answer_to_a_question_for_a_password(
    terminal: Tmux, tmp_path: Path
) -> None:
    (tmp_path / "ask.py").write_text("import getpass; print(f'<{getpass.getpass()}>')")
    terminal.type(f"run '{HELD_UP} sleep 0.5; {shlex.quote(sys.executable)} ask.py'")
    terminal.until("begun\n")
    terminal.type("too soon")
    let_go_on(tmp_path)
    terminal.until("Password:")
    terminal.type("secret")
    terminal.until("<secret>\n[COMPLETED")


READERS = {
    "a thread": "import sys, threading\n"
    "reader = threading.Thread(target=lambda: print(f'<{input()}>'))\n"
    "reader.start(); print('begun'); sys.stdout.flush(); reader.join()",
    "select of input and a pipe": "import os, select, sys\n"
    "other, held = os.pipe(); print('begun'); sys.stdout.flush()\n"
    "select.select([0, other], [], []); print(f'<{sys.stdin.readline().strip()}>')",
    "epoll of input and a pipe": "import os, select, sys\n"
    "other, held = os.pipe(); print('begun'); sys.stdout.flush(); both = select.epoll()\n"
    "both.register(0, select.EPOLLIN); both.register(other, select.EPOLLIN)\n"
    "both.poll(); print(f'<{sys.stdin.readline().strip()}>')",
    "reading without waiting": "import os, sys, time\n"
    "os.set_blocking(0, False); print('begun'); sys.stdout.flush(); found = b''\n"
    "while not found.endswith(b'\\n'):\n"
    "    try: found += os.read(0, 99)\n"
    "    except BlockingIOError: time.sleep(0.01)\n"
    "print(f'<{found.decode().strip()}>')",
}


# CLI-21
@pytest.mark.parametrize("reader", READERS)
def test_a_program_gets_keys_however_it_waits_for_them(
    terminal: Tmux, tmp_path: Path, reader: str
) -> None:
    (tmp_path / "reader.py").write_text(READERS[reader])
    terminal.type(f"run {shlex.quote(sys.executable)} reader.py")
    terminal.until("begun\n")
    terminal.type("me")
    terminal.until("<me>\n[COMPLETED")


# CLI-21
def test_single_keys_are_passed_on_as_they_are(terminal: Tmux, tmp_path: Path) -> None:
    (tmp_path / "keys.py").write_text(
        "import os, tty; tty.setraw(0); os.write(1, b'begun\\r\\n')\n"
        "print([os.read(0, 1) for _ in range(4)], end='\\r\\n')"
    )
    terminal.type(f"run {shlex.quote(sys.executable)} keys.py")
    terminal.until("begun\n")
    terminal.press("Enter", "C-c", "C-v", "C-z")
    terminal.until(r"[b'\r', b'\x03', b'\x16', b'\x1a']")


# CLI-22
@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("run {}", "0 1 2"),
        ("run {} >out", "0 2"),
        ("run {} 2>err", "0 1"),
        ("run {} </dev/null", "1 2"),
        ("run {} </dev/null >out 2>&1", ""),
        ("x=$(run {})", "0 2"),
        ("run {} | cat", "0 2"),
        ("true | run {}", "1 2"),
    ],
)
def test_each_stream_is_a_terminal_where_it_is_one(
    terminal: Tmux, tmp_path: Path, line: str, kinds: str
) -> None:
    asks = "'for fd in 0 1 2; do if [ -t $fd ]; then echo $fd >&3; fi; done 3>kinds; touch over'"
    terminal.type(line.format(asks))
    wait_until((tmp_path / "over").exists)
    wait_until(lambda: (tmp_path / "kinds").read_text().split() == kinds.split())


# CLI-22
def test_a_pager_behind_it_keeps_the_keys(terminal: Tmux) -> None:
    terminal.type("run 'seq 5000' | less")
    terminal.until("\n23\n:")
    terminal.press("G")
    terminal.until("5000\n(END)")
    terminal.press("q")
    terminal.until("READY>")


# CLI-22
def test_a_pager_behind_a_pipe_gets_the_keys_when_it_asks(terminal: Tmux) -> None:
    terminal.type("seq 5000 | run less")
    terminal.until("\n23\n:")
    terminal.press("G")
    terminal.until("5000\n(END)")
    terminal.press("q")
    terminal.until("[COMPLETED")


# CLI-22
def test_what_is_captured_can_be_asked_for_at_the_terminal(terminal: Tmux) -> None:
    terminal.type('x=$(run \'read "a?Name: "; echo "hello $a"\'); clear; echo "<$x>"')
    terminal.until("\nName:")
    terminal.type("you")
    terminal.until("<hello you>")


# CLI-22
def test_in_the_background_it_waits_for_the_terminal_as_any_job(terminal: Tmux) -> None:
    terminal.type("run 'read a; echo \"got <$a>\"' &")
    terminal.until("suspended (tty input)")
    terminal.type("fg")
    terminal.until("continued")
    terminal.type("word")
    terminal.until("got <word>", "[COMPLETED")


# CLI-21
def test_an_editor_that_takes_the_shells_place_works(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type("run 'exec vim -u NONE note'")
    terminal.until("~\n", '"note"')
    terminal.press("i")
    terminal.type("first")
    terminal.press("Escape")
    terminal.type(":x")
    terminal.until("[COMPLETED", "READY>")
    assert (tmp_path / "note").read_text() == "first\n\n"


# CLI-21
def test_under_nohup_it_outlives_its_terminal(terminal: Tmux, tmp_path: Path) -> None:
    line = "touch there; while [ ! -e go ]; do sleep 0.05; done; print over"
    terminal.type(f"nohup {RUN} --shell zsh {shlex.quote(line)} >said 2>&1 </dev/null & disown")
    wait_until((tmp_path / "there").exists)
    terminal.type("exit")
    wait_until(lambda: not terminal.lives())
    (tmp_path / "go").touch()
    wait_until(lambda: "[COMPLETED" in (tmp_path / "said").read_text())
    assert "over\n" in (tmp_path / "said").read_text()


# CLI-20
def test_the_end_of_the_terminal_is_the_end_of_the_command(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type("run 'print $$ >there; sleep 1000'")
    wait_until(lambda: (tmp_path / "there").exists() and (tmp_path / "there").read_text())
    shell = Path("/proc", (tmp_path / "there").read_text().strip())
    assert shell.exists()
    terminal.end()
    wait_until(lambda: not shell.exists())


# CLI-23
def test_much_output_into_a_pipe_that_closes_ends_quietly(terminal: Tmux) -> None:
    terminal.type("run 'seq 100000000' 2>told | head -1; echo ${pipestatus[1]} $(wc -l <told)")
    terminal.until("\n1\n141 1\n")
