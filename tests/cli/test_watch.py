"""`zsh-ls tasks --watch` in a real terminal: what it shows, what its keys do, and what it leaves behind."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.tmux import Tmux
from tests.server.rpc import PATIENCE_S, ROOT, Peer
from tests.server.shared import place, started, wait_until

WATCH = f"{shlex.quote(sys.executable)} -m zsh_ls tasks --watch"
HOSTILE = "printf 'evil\\033[2J\\033]0;owned\\007 line\\n'; sleep 60"


class Watching(Tmux):
    """A terminal in which the view runs."""

    def watcher(self) -> int:
        """The process id of the view, started by a script that the shell runs."""
        pid = self("display-message", "-p", "#{pane_pid}").strip()
        for _ in ("script", "view"):
            pid = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[-1]
        return int(pid)


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[dict[str, str], Path, Peer]]:
    with place(tmp_path_factory.mktemp("home")) as (home, project):
        editor = started(home, project)
        yield home, project, editor
        editor.end()


@pytest.fixture
def editor(service: tuple[dict[str, str], Path, Peer]) -> Iterator[Peer]:
    yield service[2]
    for task in service[2].call("zsh/tasks")["tasks"]:
        service[2].call("zsh/kill", {"task_id": task["task_id"]})


@pytest.fixture
def terminal(service: tuple[dict[str, str], Path, Peer], editor: Peer) -> Iterator[Watching]:
    found = Watching(service[0], service[1])
    yield found
    found.end()


def running(editor: Peer, command: str, **more: object) -> str:
    params = {"command": command, "yield_after": 0, **more}
    task_id: str = editor.call("zsh/run", params)["task_id"]
    return task_id


@pytest.mark.slow
def test_the_view_shows_tasks_and_its_keys_open_type_into_and_stop_them(
    editor: Peer, terminal: Watching
) -> None:
    silent = running(editor, "sleep 61")
    talk = running(editor, "read x; print got $x; seq 200; sleep 62", pty=True)
    terminal.type(WATCH)
    terminal.until("2 running", silent, talk, "New pattern. No history yet.", "q quit")
    terminal.press("Down", "i")
    terminal.until(f"To {talk}:")
    terminal("send-keys", "-l", "helloo")
    terminal.press("BSpace", "Enter")
    terminal.until("Sent 6 characters")
    terminal.press("Enter")
    assert "got" not in terminal.until("200", "q back").splitlines()[1]
    terminal.press("Home")
    terminal.until("got hello")
    terminal.press("q", "k")
    terminal.until(f"Stop {talk} ")
    terminal.press("n", "k")
    terminal.until(f"Stop {talk} ")
    assert editor.call("zsh/tasks")["count"] == 2
    terminal.press("y")
    terminal.until(f"Task {talk} killed", "1 running")
    terminal.press("q")
    terminal.until("READY>")


@pytest.mark.slow
def test_the_key_w_says_why_the_selected_task_failed(editor: Peer, terminal: Watching) -> None:
    task = running(editor, "read x; print 'error: no such host'; exit 3", pty=True)
    terminal.type(WATCH)
    terminal.until(task, "w why")
    terminal.press("w")
    terminal.until("still runs")
    terminal.press("i", "Enter")
    terminal.until("failed 3")
    terminal.press("w")
    shown = terminal.until("[SUMMARY]", "failed with exit 3", "no such host", "q back")
    assert "[COMMANDS]" not in shown
    terminal.press("q")
    terminal.until("w why")


@pytest.mark.slow
def test_keys_typed_ahead_reach_what_they_were_meant_for(editor: Peer, terminal: Watching) -> None:
    task = running(editor, "read x; print got $x; read y; print end $?; sleep 62", pty=True)
    terminal.type(WATCH)
    terminal.until(task, "q quit")
    # All at once, as a slow line delivers them; `k` and `y` for the list would stop the task.
    terminal("send-keys", "i", "k", "y", "漢", "é", "Enter", "i", "C-d", "Enter")
    terminal.until("got ky漢é", "end 1")
    assert editor.call("zsh/tasks")["count"] == 1
    terminal.press("i", "k", "Escape")
    terminal.until("q back")
    terminal.press("q", "k", "n")
    terminal.until("1 running", "q quit")


@pytest.mark.slow
def test_pasted_text_is_typed_and_never_taken_for_keys(editor: Peer, terminal: Watching) -> None:
    task = running(editor, "read x; print got $x; sleep 62", pty=True)
    terminal.type(WATCH)
    terminal.until(task, "q quit")
    terminal("set-buffer", "ky\nsecond")
    terminal("paste-buffer", "-p")
    terminal.press("i")
    terminal("paste-buffer", "-p")
    terminal.until(f"To {task}: ky▏")
    terminal.press("Enter")
    terminal.until("got ky")
    assert editor.call("zsh/tasks")["count"] == 1


@pytest.mark.slow
def test_control_sequences_in_commands_and_output_do_not_reach_the_terminal(
    editor: Peer, terminal: Watching
) -> None:
    task = running(editor, f"{HOSTILE} # \x1b[31m \x1b]0;named\x07")
    terminal.type(WATCH)
    terminal.until("evil line", task)
    terminal.press("Enter")
    terminal.until("evil line", "q back")
    title = terminal("display-message", "-p", "#{pane_title}")
    assert "owned" not in title
    assert "named" not in title


@pytest.mark.slow
@pytest.mark.parametrize("how", ["q", "C-c", "C-\\", "TERM", "HUP"])
def test_the_terminal_is_as_it_was_however_the_view_ends(
    terminal: Watching, tmp_path: Path, how: str
) -> None:
    before, after, script = (tmp_path / name for name in ("before", "after", "script"))
    script.write_text(
        f"trap : INT QUIT; echo shown before; stty -g >{before}; {WATCH}\n"
        f"echo ended $?; stty -g >{after}; rm {before}"
    )
    terminal.type(f"sh {script}")
    terminal.until("Nothing runs.")
    if how in ("TERM", "HUP"):
        subprocess.run(["kill", f"-{how}", str(terminal.watcher())], check=True)
    else:
        terminal.press(how)
    settings = before.read_text()
    expected = {"q": 0, "C-c": 130, "C-\\": 131, "TERM": 143, "HUP": 129}[how]
    screen = terminal.until("shown before", f"ended {expected}")
    wait_until(lambda: not before.exists())
    assert after.read_text() == settings
    assert "Nothing runs." not in screen
    assert terminal("display-message", "-p", "#{cursor_flag} #{alternate_on}") == "1 0\n"


@pytest.mark.slow
def test_standard_error_may_be_a_file_and_a_stray_sigcont_changes_nothing(
    terminal: Watching, tmp_path: Path
) -> None:
    errors, before, after, script = (tmp_path / name for name in ("e", "before", "after", "script"))
    script.write_text(f"stty -g >{before}; {WATCH} 2>{errors}; stty -g >{after}; echo ended $?")
    terminal.type(f"sh {script}")
    terminal.until("Nothing runs.")
    for _ in range(2):
        subprocess.run(["kill", "-CONT", str(terminal.watcher())], check=True)
    terminal.press("Down")
    terminal.press("q")
    terminal.until("ended 0")
    assert after.read_text() == before.read_text()
    assert errors.read_text() == ""


@pytest.mark.slow
def test_a_terminal_that_closes_without_a_signal_ends_the_view(
    service: tuple[dict[str, str], Path, Peer],
) -> None:
    home, project, _ = service
    ours, theirs = pty.openpty()
    view = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "tasks", "--watch"],
        env={**os.environ, **home, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
        cwd=project,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,  # so that this is not its controlling terminal
    )
    os.close(theirs)
    shown = b""
    while b"Nothing" not in shown:
        shown += os.read(ours, 4096)
    os.close(ours)
    assert view.wait(timeout=PATIENCE_S) == 128 + signal.SIGHUP


@pytest.mark.slow
def test_bytes_that_are_no_utf_8_are_shown_as_such_and_end_nothing(
    service: tuple[dict[str, str], Path, Peer], editor: Peer
) -> None:
    """As a terminal set to Latin-1 types them, alone, and within a paste that no single read takes in."""
    home, project, _ = service
    task = running(editor, "read x; sleep 66", pty=True)
    ours, theirs = pty.openpty()
    view = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "tasks", "--watch"],
        env={**os.environ, **home, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
        cwd=project,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)

    def until(text: str) -> None:
        shown = b""
        while text.encode() not in shown:
            try:
                shown += os.read(ours, 4096)
            except OSError:
                raise AssertionError(shown.decode(errors="replace")) from None

    until(task)
    os.write(ours, b"\xe9i\xe9a")
    until(f"To {task}: \ufffda▏")
    os.write(ours, b"\x1b")
    until("q quit")
    # Taken for keys, what follows would stop the task.
    os.write(ours, b"\x1b[200~\xe9" + b"x" * 5000 + b"ky\x1b[201~i")
    until(f"To {task}: ▏")
    os.write(ours, b"\x1b")
    until("q quit")
    os.write(ours, b"q")
    until("\x1b[?1049l")
    assert view.wait(timeout=PATIENCE_S) == 0
    os.close(ours)
    assert editor.call("zsh/tasks")["count"] == 1


@pytest.mark.slow
def test_with_no_color_the_view_has_no_colours(editor: Peer, terminal: Watching) -> None:
    running(editor, "sleep 65")
    colour = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|9[0-7])(?:;\d+)*m")
    for setting, expected in (("", True), ("NO_COLOR=1 ", False)):
        terminal.type(setting + WATCH)
        terminal.until("1 running", "q quit")
        assert bool(colour.search(terminal("capture-pane", "-p", "-e"))) is expected
        terminal.press("q")
        terminal.until("READY>")


@pytest.mark.slow
def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(
    editor: Peer, terminal: Watching
) -> None:
    task = running(editor, "sleep 63")
    terminal.type(WATCH)
    terminal.until(task)
    terminal.press("C-z")
    assert task not in terminal.until("suspended", "READY>")
    assert terminal("display-message", "-p", "#{cursor_flag} #{alternate_on}") == "1 0\n"
    terminal.type("echo still here")
    terminal.until("still here")
    terminal.type("bg")
    terminal.until("continued", "READY>")
    terminal.type("jobs; echo listed")
    assert task not in terminal.until("suspended", "listed\n")
    terminal.type("fg")
    terminal.until(task, "q quit")
    terminal.press("q")
    assert task not in terminal.until("still here")


@pytest.mark.slow
def test_the_view_fits_whatever_size_the_terminal_gets(editor: Peer, terminal: Watching) -> None:
    for number in range(8):
        running(editor, f"sleep 64 # {number} {'long' * 50}")
    # As some have them in their environment: the size the terminal had when it was opened.
    terminal.type("export COLUMNS=80 LINES=24")
    terminal.type(WATCH)
    terminal.until("8 running", "q quit")
    for columns, rows in ((40, 10), (120, 30), (20, 3)):
        terminal("resize-window", "-x", str(columns), "-y", str(rows))
        terminal.until("zsh-ls tasks")
        wait_until(lambda rows=rows: len(terminal.screen().splitlines()) == rows)
        wait_until(lambda: "↑↓ select" in terminal.screen().splitlines()[-1])


@pytest.mark.slow
def test_the_view_waits_for_the_next_server_when_its_own_ends(tmp_path: Path) -> None:
    with place(tmp_path) as (home, project):
        server, terminal = started(home, project), Watching(home, project)
        lost = running(server, "sleep 61", description="waits for nothing")
        terminal.type(f"{WATCH}; echo ended $?")
        terminal.until(lost, "1 running", "waits for nothing")
        server.end()
        terminal.until("The server has gone", "Waiting for the next one", "0 running")
        following = started(home, project)
        kept = running(following, "sleep 62")
        terminal.until(kept, "1 running", "q quit")
        terminal.press("q")
        terminal.until("ended 0")
        following.end()
        terminal.type(WATCH)
        terminal.until("no server runs for this folder")
        terminal.end()


def test_without_a_terminal_the_view_does_not_start() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", "tasks", "--watch"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--watch needs a terminal" in done.stderr
