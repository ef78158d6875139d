"""Leaving Neovim while tasks run, on its screen: it stays and names them; `:qa!` leaves and ends them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.screen import Screen, wait_until

from .neovim import VERSIONS, Neovim, neovim

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

RUNS = r"1 task is running: sleep"


@pytest.fixture(params=VERSIONS)
def editor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Neovim]:
    with neovim(request.param, tmp_path) as found:
        found.environment.write("demo.zsh", "#!/usr/bin/env zsh\nprint hello\n")
        yield found


def _command(screen: Screen, *lines: str) -> None:
    for line in lines:
        screen.type(line)
        screen.press("Enter")


def _running(editor: Neovim, screen: Screen) -> int:
    """A task that prints nothing more; its process."""
    screen.shows("▷ run")
    _command(screen, ":ZshRun sleep 0; echo $$ >pid; echo begun; exec sleep 1000")
    screen.shows("^begun$")
    pid = editor.environment.project / "pid"
    return int(pid.read_text())


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False  # it may end between the two questions
    return state != "Z"


def _stays(screen: Screen, pid: int) -> None:
    """It names the task, and when that is read everything is as it was."""
    screen.shows(RUNS)
    screen.press("Enter")
    screen.shows(rf"^zsh-ls: {RUNS}.*")
    screen.lacks("Press ENTER")
    screen.shows("print hello")
    assert _is_alive(pid)


@pytest.mark.parametrize("how", [":qa", ":wqa", ":x", ":q", ":wq", "ZZ", "\x17q"])
def test_it_stays_while_a_task_runs_and_names_it(editor: Neovim, how: str) -> None:
    with editor.shown("demo.zsh") as screen:
        pid = _running(editor, screen)
        _command(screen, ":only", ":let @/ = 'kept'")
        screen.type(how)
        if how.startswith(":"):
            screen.press("Enter")
        _stays(screen, pid)
        _command(
            screen,
            ":echo bufname() &modified len(filter(getbufinfo(), 'v:val.name =~ \"is running\"'))",
        )
        screen.shows("^demo.zsh 0 0")
        _command(screen, ":qa!")
        screen.ends()
        wait_until(lambda: not _is_alive(pid))


@pytest.mark.parametrize("how", [":q!", "ZQ", ":cq"])
def test_it_leaves_where_that_is_forced_and_ends_the_task(editor: Neovim, how: str) -> None:
    with editor.shown("demo.zsh") as screen:
        pid = _running(editor, screen)
        _command(screen, ":only")
        screen.type(how)
        if how.startswith(":"):
            screen.press("Enter")
        screen.ends()
        wait_until(lambda: not _is_alive(pid))


def test_a_window_that_is_not_the_last_is_closed_as_ever(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        pid = _running(editor, screen)
        _command(screen, ":q")
        screen.lacks("print hello")
        _command(screen, ":q")
        screen.shows(RUNS)
        screen.press("Enter")
        screen.shows(rf"^zsh-ls: {RUNS}")
        screen.shows("^begun$")
        _command(screen, ":wa", ":echo 'nothing was asked'")
        screen.shows("^nothing was asked")
        assert _is_alive(pid)
        _command(screen, ":qa!")
        screen.ends()


def test_a_question_of_the_editors_is_answered_by_the_person(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        pid = _running(editor, screen)
        for answer in ("c", "y"):
            _command(screen, ":confirm qa")
            screen.shows(rf"{RUNS}[^?]*\?")
            screen.shows(r"\[Y\]es, \(N\)o, \(C\)ancel")
            screen.type(answer)
            screen.lacks(r"\[Y\]es, \(N\)o")
            if "Press ENTER" in screen.text():
                screen.press("Enter")
            screen.shows(rf"^zsh-ls: {RUNS}")
            assert _is_alive(pid)
            _command(screen, f":echo 'after {answer}'")
            screen.shows(f"^after {answer}")
        _command(screen, ":confirm qa")
        screen.shows(r"\[Y\]es, \(N\)o")
        screen.type("n")
        screen.ends()
        wait_until(lambda: not _is_alive(pid))


def test_where_nothing_runs_nothing_is_asked(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        _command(screen, ":ZshRun print done")
        screen.shows(r"^\[COMPLETED task_id=")
        _command(screen, ":qa")
        screen.ends()


def test_a_run_that_has_only_been_asked_for_counts(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        _command(screen, ":exe 'ZshRun sleep 1000' | qa")
        screen.shows(RUNS)
        screen.press("Enter")
        screen.shows(r"sleep 1000 running \d")
        _command(screen, ":ZshStop")
        screen.shows(r"\[KILLED")
        _command(screen, ":qa")
        screen.ends()


def test_many_tasks_are_named_shortly(editor: Neovim) -> None:
    with editor.shown("demo.zsh", cols=260) as screen:
        screen.shows("▷ run")
        for number in range(5):
            _command(screen, f":ZshRun sleep 100{number} ; : {'x' * 60}")
            screen.shows(f"sleep 100{number} .*running")
        _command(screen, ":qa")
        screen.shows(
            r"5 tasks are running: (sleep 100\d ; : x+…x+(, )?){3} and 2 more \(:qa! ends them\)"
        )
        screen.press("Enter")
        _command(screen, ":qa!")
        screen.ends()


def test_modified_buffers_keep_it_too_and_the_tasks_are_named_as_well(editor: Neovim) -> None:
    """As of its own terminals: what was not written is said first."""
    with editor.shown("demo.zsh") as screen:
        pid = _running(editor, screen)
        _command(screen, ":only", ":normal! Omodified", ":qa")
        screen.shows("E37: No write since last change")
        screen.shows("Press ENTER")
        screen.press("Enter")
        screen.shows(rf"^zsh-ls: {RUNS}")
        assert _is_alive(pid)
        _command(screen, ":qa!")
        screen.ends()
        wait_until(lambda: not _is_alive(pid))


def test_of_a_server_that_died_one_line_is_said(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        _command(screen, ":ZshRun echo $PPID >pid; echo begun; exec sleep 1000")
        screen.shows("^begun$")
        os.kill(int((editor.environment.project / "pid").read_text()), 9)
        screen.shows("the server ended")
        screen.lacks("Press ENTER")
        _command(screen, ":echo 'at once'")
        screen.shows("^at once")
        _command(screen, ":qa!")
        screen.ends()
