"""Profiles are read by speedscope's own importer, and hold the times that were measured (START-1)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.model.results import TracedLine
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.startup.speedscope import profile
from zsh_ls.startup.traced_script import stacks_of

READER = Path(__file__).parent / "speedscope"
SCRIPT = "f() {\n  sleep 0.1\n}\nfor i in 1 2; do\n  f\ndone\nsleep 0.05\n"
LINES = (
    TracedLine(1, 2, 0, (0,), 200.0, 100.0),
    TracedLine(3, 1, 0, (0,), 207.0, 207.0),
    TracedLine(4, 2, 0, (0,), 206.0, 103.0),
    TracedLine(6, 1, 0, (0,), 50.0, 50.0),
)


def test_lines_of_a_script_stand_in_their_callers() -> None:
    stacks = stacks_of("s", LINES, parse(SCRIPT, Dialect.ZSH))
    assert {tuple(line for _, line in stack): ms for ms, stack in stacks} == {
        (4,): 1.0,
        (4, 5): 6.0,
        (4, 5, 2): 200.0,
        (7,): 50.0,
    }


def test_a_function_on_one_line_stands_in_its_caller() -> None:
    script = "f() { sleep 0.1 }\nfor i in 1 2; do\n  f\ndone\n"
    lines = (
        TracedLine(0, 2, 0, (0,), 200.0, 100.0),
        TracedLine(1, 1, 0, (0,), 207.0, 207.0),
        TracedLine(2, 2, 0, (0,), 206.0, 103.0),
    )
    stacks = stacks_of("s", lines, parse(script, Dialect.ZSH))
    assert {tuple(line for _, line in stack): ms for ms, stack in stacks} == {
        (2,): 1.0,
        (2, 3): 6.0,
        (2, 3, 1): 200.0,
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here")
def test_speedscope_reads_the_profiles(tmp_path: Path) -> None:
    shutil.copytree(READER, tmp_path / "reader")
    install = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(install, cwd=tmp_path / "reader", check=True, timeout=200)
    rc = "/home/me/.zshrc"
    start = ((2.0, (("(zsh)", 0),)), (5.5, ((rc, 1),)), (104.0, ((rc, 1), (rc, 41))))
    profiles = (
        profile("start of zsh", start, "zsh-ls"),
        profile("s", stacks_of("s", LINES, parse(SCRIPT, Dialect.ZSH)), "zsh-ls"),
    )
    files = []
    for number, written in enumerate(profiles):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(written))
    command = ["node", "read.mjs", *map(str, files)]
    done = subprocess.run(
        command, cwd=tmp_path / "reader", check=True, capture_output=True, text=True, timeout=60
    )
    [[of_start], [of_script]] = json.loads(done.stdout)
    assert (of_start["name"], of_start["unit"]) == ("start of zsh", "milliseconds")
    assert of_start["total"] == pytest.approx(111.5)
    frames = by_name(of_start)
    assert frames[".zshrc:1"] == (rc, 1, pytest.approx(5.5), pytest.approx(109.5))
    assert frames[".zshrc:41"] == (rc, 41, pytest.approx(104.0), pytest.approx(104.0))
    assert frames["(zsh)"][2:] == (pytest.approx(2.0), pytest.approx(2.0))
    assert by_name(of_script)["s:4"][2:] == (pytest.approx(1.0), pytest.approx(207.0))


def by_name(read: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {
        it["name"]: (it.get("file"), it.get("line"), it["self"], it["total"])
        for it in read["frames"]
    }
