"""Emacs with editors/emacs/zsh-ls.el, without anybody's configuration."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.editors.desk import EDITORS, Desk, desk
from tests.editors.fetch_debs import unpacked

HERE = Path(__file__).parent
VERSION = "30.1"
Batch = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as found:
        yield found


@pytest.fixture
def emacs(place: Desk) -> tuple[list[str], dict[str, str]]:
    """The command that starts it, and the environment: it is told where it was unpacked."""
    root = unpacked("emacs")
    shared = root / "usr/share/emacs" / VERSION
    helpers = root / "usr/libexec/emacs" / VERSION / "x86_64-linux-gnu"
    (dump,) = helpers.glob("*.pdmp")
    env = {
        **place.env,
        "EMACSLOADPATH": str(shared / "lisp"),
        "EMACSDATA": str(shared / "etc"),
        "EMACSDOC": str(shared / "etc"),
        "EMACSPATH": str(helpers),
    }
    return [str(root / "usr/bin/emacs-nox"), f"--dump-file={dump}", "-Q"], env


@pytest.fixture
def batch(emacs: tuple[list[str], dict[str, str]], place: Desk) -> Batch:
    """Runs Emacs without a screen, in the project."""
    command, env = emacs

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        whole = [*command, "--batch", "-L", str(EDITORS / "emacs"), *arguments]
        return subprocess.run(
            whole, env=env, cwd=place.project, capture_output=True, text=True, check=False
        )

    return run
