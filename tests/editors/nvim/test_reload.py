"""Neovim is left and started again: results, traces, the list of tasks and outputs are there as before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.screen import Screen

from .neovim import VERSIONS, Neovim, neovim

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

SCRIPT = "#!/usr/bin/env zsh\nprint kept-output\n(exit 3)\n"
TRACED = "#!/usr/bin/env zsh\nset -e\ntrue\nfalse\nprint never\n"
IN_TRACE = r"^W? *false +✗ 1 · .*errexit ended the script here"


@pytest.fixture(params=VERSIONS)
def editor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Neovim]:
    with neovim(request.param, tmp_path) as found:
        found.environment.write("kept.zsh", SCRIPT)
        found.environment.write("traced.zsh", TRACED)
        yield found


def enter(screen: Screen, *lines: str) -> None:
    for line in lines:
        screen.type(line)
        screen.press("Enter")


def test_another_neovim_has_the_results_traces_the_list_and_outputs(editor: Neovim) -> None:
    with editor.shown("kept.zsh") as screen:
        screen.shows("▷ run")
        enter(screen, ":2ZshRun")
        screen.shows(r"^ *print kept-output +✓ \d")
        enter(screen, ":3ZshRun")
        screen.shows(r"^W? *\(exit 3\) +✗ 3 · \d")
        enter(screen, ":only", ":edit traced.zsh")
        screen.shows("print never")
        screen.type("\\t")
        screen.shows(IN_TRACE)
        enter(screen, ":ZshRun print a | grep -q z-normal")
        screen.shows(r"○ 1 · .*z-normal")
        enter(screen, ":ZshRun echo begun; exec sleep 1000")
        screen.shows("^begun$")
        enter(screen, ":qa!")
        screen.ends()
    with editor.shown("kept.zsh") as screen:
        screen.shows(r"^ *print kept-output +✓ \d")
        screen.shows(r"^W? *\(exit 3\) +✗ 3 · \d")
        enter(screen, ":edit traced.zsh")
        screen.shows(IN_TRACE)
        enter(screen, ":ZshTasks!")
        screen.shows(r"✗ 3 · \d.* +\(exit 3\)")
        screen.shows(r"✗ 1 · \d.* +zsh traced.zsh")
        screen.shows(r"○ 1 · \d.* +print a \| grep -q z-normal")
        screen.shows(r"✗ killed · .*echo begun; exec sleep 1000")
        number = screen.shows(r"^(\d): .* print kept-output")[1]
        enter(screen, number)
        screen.shows("^kept-output$")
