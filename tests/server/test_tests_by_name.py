"""Tests have names: memory knows which failed and passed with nothing changed between (PLACE-3)."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer

TESTS = """import pathlib
def test_login(): assert not pathlib.Path({marker!r}).exists()
def test_other(): pass
"""
RUN = f"{sys.executable} -m pytest -q -p no:cacheprovider -p no:xdist"
FLAKY = "passed when run again unchanged"

pytestmark = pytest.mark.slow


class Project:
    """A project with one test that fails while `fails` says so."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        self.peer, self.folder = peer, folder / "project"
        self.marker = folder / "red"
        (self.folder / ".git").mkdir(parents=True)
        self.file = self.folder / "test_a.py"
        self.file.write_text(TESTS.format(marker=str(self.marker)))

    def run(self, *, fails: bool, command: str = RUN) -> list[str]:
        """What the run says of its tests."""
        self.marker.touch() if fails else self.marker.unlink(missing_ok=True)
        result: Any = self.peer.call(
            "zsh/run", {"command": command, "cwd": str(self.folder), "yield_after": 60}
        )
        assert result["exit"] == (1 if fails else 0), result["output"]
        insights = result.get("insights", {}).get("info", [])
        return [it for it in insights if "runs, and" in it]


def test_a_test_that_passes_again_unchanged_is_named(real_one: Peer, tmp_path: Path) -> None:
    project = Project(real_one, tmp_path)
    for fails in (False, True):
        assert project.run(fails=fails) == []
    name = "test_a.py::test_login"
    assert project.run(fails=False) == [f"{name} failed 1 of the last 3 runs, and {FLAKY}"]
    assert project.run(fails=False) == []
    assert project.run(fails=True) == [f"{name} failed 2 of the last 5 runs, and {FLAKY}"]


def test_a_test_that_was_mended_is_not_flaky(real_one: Peer, tmp_path: Path) -> None:
    project = Project(real_one, tmp_path)
    project.run(fails=True)
    edited = time.time()
    project.file.write_text(project.file.read_text() + "\n")
    os.utime(project.file, (edited, edited))
    assert project.run(fails=False) == []
    assert project.run(fails=True) == []


def test_names_of_the_runners_own_report_count_whatever_the_command(
    real_one: Peer, tmp_path: Path
) -> None:
    project = Project(real_one, tmp_path)
    project.run(fails=True, command=RUN.replace("-q", "-v"))
    [told] = project.run(fails=False, command=RUN.replace("-q", "-v -k login"))
    assert told == f"test_a.py::test_login failed 1 of the last 2 runs, and {FLAKY}"
