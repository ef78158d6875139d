"""Emacs with editors/emacs/zsh-ls.el, without anybody's configuration."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.editors.environment import EDITORS, EditorEnvironment, editor_environment

from .program import emacs_at

HERE = Path(__file__).parent
Batch = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[EditorEnvironment]:
    with editor_environment(tmp_path) as found:
        yield found


@pytest.fixture
def emacs(environment: EditorEnvironment) -> tuple[list[str], dict[str, str]]:
    """The command that starts it, and the environment."""
    return emacs_at(environment)


@pytest.fixture
def batch(emacs: tuple[list[str], dict[str, str]], environment: EditorEnvironment) -> Batch:
    """Runs Emacs without a screen, in the project."""
    command, env = emacs

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        whole = [*command, "--batch", "-L", str(EDITORS / "emacs"), *arguments]
        return subprocess.run(
            whole, env=env, cwd=environment.project, capture_output=True, text=True, check=False
        )

    return run
