"""`tools/measure.py` counts what it says it counts, on a small program with every case in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tools.measure import table

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools/measure.py"
IDENTITY = {
    f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}

SMALL = {
    "zsh_ls/__init__.py": '"""Small."""\n',
    "zsh_ls/a/__init__.py": "",
    "zsh_ls/a/one.py": (
        "from zsh_ls.a import two\n\n# Why.\nclass Same:\n    pass\n\n\n"
        "def long():\n    return _once() + _twice() + _twice()  # not a line of its own\n\n\n"
        "def _once():\n    return 1\n\n\ndef _twice():\n    return 1\n"
    ),
    "zsh_ls/a/two.py": "from .three import Other\n\n\nclass Same:\n    pass\n",
    "zsh_ls/a/three.py": "def later():\n    from zsh_ls.a.one import long\n\n\nclass Other:\n    pass\n",
    "zsh_ls/b/__init__.py": "",
    "zsh_ls/b/four.py": "from zsh_ls.a import one\n",
}


def committed(folder: Path, files: Mapping[str, str], subject: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for command in (["add", "-A"], ["commit", "-qm", subject]):
        subprocess.run(["git", "-C", folder, *command], check=True, env={**os.environ, **IDENTITY})


def measured(*arguments: object) -> Any:
    command = [sys.executable, str(TOOL), *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


@pytest.fixture
def small(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    committed(tmp_path, SMALL, "Everything at once")
    return tmp_path


def test_the_files_are_counted(small: Path) -> None:
    files = measured("--at", small, "--static", "--json")["files"]
    assert (files["modules"], files["median_lines"]) == (7, 1)
    assert (files["private_helpers"], files["private_helpers_named_once"]) == (2, 0.5)
    assert files["longest_function"]["lines"] == 2
    assert files["such_class_names"] == {"Same": ["zsh_ls.a.one", "zsh_ls.a.two"]}
    assert files["such_cycles"] == {
        "zsh_ls.a": [["zsh_ls.a.one", "zsh_ls.a.three", "zsh_ls.a.two"]]
    }
    filled = sum(1 for text in SMALL.values() for line in text.splitlines() if line.strip())
    assert files["comment_lines"] == pytest.approx(1 / filled)


def test_commits_that_add_a_request_are_found_and_their_files_counted(small: Path) -> None:
    features = "zsh_ls/server/features"
    three = {f"{features}/{name}.py": "" for name in ("x", "y", "z")}
    committed(small, three, "Three at once are no example")
    committed(small, {f"{features}/new.py": "", "docs.md": "", "zsh_ls/a/one.py": ""}, "A request")
    history = measured("--at", small, "--static", "--json")["history"]
    counts = {name.partition(" ")[2]: count for name, count in history["commits"].items()}
    assert (counts, history["median"]) == ({"A request": 3}, 3)


@pytest.mark.slow
def test_this_checkout_has_a_table() -> None:
    figures = measured("--json")  # once: it takes minutes where others are at work
    run = figures["run"]
    assert run["calls"] >= run["modules"] > 10
    assert run["calls"] > run["module_changes"] > 0
    assert "| files a new request touches (history) |" in table(figures)
