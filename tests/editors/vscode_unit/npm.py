"""Runs `npm` in the extension's folder and returns its output."""

from __future__ import annotations

import os
import sys

from tests.editors.environment import EDITORS, printed_by

EXTENSION = EDITORS / "vscode"
PATIENCE_S = 280


def run(*command: str) -> str:
    """What the command prints; the test fails if the command does."""
    env = {**os.environ, "PYTHON": sys.executable}
    return printed_by(command, env, cwd=EXTENSION, patience_s=PATIENCE_S)


def tools() -> None:
    """The tools that package-lock.json names, installed where they are not yet."""
    run("./scripts/tools")
