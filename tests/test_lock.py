"""tests/constraints.txt is the lock of development: what is installed, and nothing else, stands in it."""

from __future__ import annotations

import re
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
NOT_OURS_TO_PIN = {"pip", "setuptools", "wheel", "zsh-ls"}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    lines = (ROOT / "tests/constraints.txt").read_text().split()
    return {plain(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_the_lock_is_sorted_and_exact() -> None:
    lines = (ROOT / "tests/constraints.txt").read_text().split()
    assert lines == sorted(lines, key=str.lower)
    assert all(pinned().values())


def test_what_is_locked_is_for_the_python_of_debian_12_too() -> None:
    """Its 3.11 is 3.11.2; a package that asks for more cannot be set up there."""
    asked = {it.metadata["Name"]: it.metadata.get("Requires-Python") for it in distributions()}
    locked = {name: it for name, it in asked.items() if it and plain(name) in pinned()}
    assert locked
    too_new = {name: it for name, it in locked.items() if "3.11.2" not in SpecifierSet(it)}
    assert too_new == {}


@pytest.mark.skipif(
    not Path(sys.prefix).is_relative_to(ROOT), reason="not the environment of tests/setup"
)
def test_what_is_installed_is_what_is_locked() -> None:
    # The tests of VS Code bring packages of their own in a folder beside.
    here = [sysconfig.get_paths()["purelib"]]
    installed = {plain(it.metadata["Name"]): it.version for it in distributions(path=here)}
    installed = {name: it for name, it in installed.items() if name not in NOT_OURS_TO_PIN}
    unlocked = {name: it for name, it in installed.items() if pinned().get(name) != it}
    assert unlocked == {}, "pin these in tests/constraints.txt, or run ./tests/setup dev"
