"""Runs `npm` in the extension's folder and returns its output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"
PATIENCE_S = 280


def run(*command: str) -> str:
    """What the command says when it is well; the test fails where it is not."""
    said = subprocess.run(
        command,
        cwd=EXTENSION,
        env={**os.environ, "PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout + said.stderr


def tools() -> None:
    """The tools that package-lock.json names, installed where they are not yet."""
    run("./scripts/tools")
