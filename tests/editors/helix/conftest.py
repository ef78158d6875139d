"""Helix with the configuration of editors/helix, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.editors.desk import Desk, desk
from tests.editors.screen import Screen, wait_until

from .program import configure, helix_program


@pytest.fixture
def program() -> Path:
    """The program itself."""
    return helix_program()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Desk]:
    """A desk whose Helix is set up with the files of editors/helix."""
    with desk(tmp_path) as found:
        configure(found)
        yield found


@pytest.fixture
def helix(place: Desk, program: Path) -> Iterator[Callable[[str], Screen]]:
    """Opens a script of the given text, with the cursor on its first line and the server there."""
    with ExitStack() as stack:

        def opened(text: str) -> Screen:
            path = place.write("script.zsh", text)
            screen = Screen([str(program), "-v", str(path)], place.env, place.project)
            stack.callback(screen.close)
            _until_the_server_is_there(place.home / ".cache/helix/helix.log")
            return screen

        yield opened


def _until_the_server_is_there(log: Path) -> None:
    """Keys that are pressed before find no server; what says so on the screen is gone at once."""
    wait_until(lambda: log.exists() and '"method":"initialized"' in log.read_text())
