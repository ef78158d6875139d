"""The VS Code extension without an editor: its own tests, its types, its lint, run as `npm` runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"
PATIENCE_S = 280

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here"),
]


def run(*command: str) -> None:
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


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    run("./scripts/tools")


def test_the_unit_tests_hold() -> None:
    run("npm", "run", "--silent", "test")


def test_types_lint_and_form_hold() -> None:
    run("npm", "run", "--silent", "check")
