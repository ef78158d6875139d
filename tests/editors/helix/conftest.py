"""Helix with the configuration of editors/helix, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.editors.environment import EditorEnvironment, editor_environment
from tests.editors.screen import Screen, wait_until

from .program import configure, helix_program


@pytest.fixture
def program() -> Path:
    """The program itself."""
    return helix_program()


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[EditorEnvironment]:
    """An environment whose Helix is set up with the files of editors/helix."""
    with editor_environment(tmp_path) as found:
        configure(found)
        yield found


@pytest.fixture
def helix(environment: EditorEnvironment, program: Path) -> Iterator[Callable[[str], Screen]]:
    """Opens a script of the given text, with the cursor on its first line and the server there."""
    with ExitStack() as stack:

        def opened(text: str) -> Screen:
            path = environment.write("script.zsh", text)
            screen = Screen([str(program), "-v", str(path)], environment.env, environment.project)
            stack.callback(screen.close)
            _until_the_server_is_there(environment.home / ".cache/helix/helix.log")
            return screen

        yield opened


def _until_the_server_is_there(log: Path) -> None:
    """Keys that are pressed before find no server; what says so on the screen is gone at once."""
    wait_until(lambda: log.exists() and '"method":"initialized"' in log.read_text())
