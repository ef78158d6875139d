"""The VS Code extension without an editor: its own tests, its types, its lint, run as `npm` runs them."""

from __future__ import annotations

import shutil

import pytest

from .npm import run, tools

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here"),
]


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    tools()


def test_the_unit_tests_hold() -> None:
    run("npm", "run", "--silent", "test")


def test_types_lint_and_form_hold() -> None:
    run("npm", "run", "--silent", "check")
