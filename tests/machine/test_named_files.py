"""What is so of the names that a failed command was given: a command's words, and what is said of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from zsh_ls.machine.named_files import said_of_names

SAID = {
    "cat readme.md": ["`readme.md` is not in `{0}` now. `README.md` is near."],
    "cat README.md": [],
    "cat readme.txt": ["`readme.txt` is not in `{0}` now. `README.md` is near."],
    "python -m pytest -q tests/test_utils.py": [
        "`tests/test_utils.py` is not in `{0}/tests` now. `test_utils` is near."
    ],
    "pytest tests/test_a.py::test_one": [],
    "python src/clik/core.py": ["`clik` is not in `{0}/src` now. `click` is near."],
    "python -c print(1)": [],
    "sudo cat nosuch": ["`nosuch` is not in `{0}` now."],
    "grep TODO nosuch.c": ["`nosuch.c` is not in `{0}` now."],
    "grep -rn nosuch tests": [],
    "sed -n s/a/b/ README.md": [],
    "head -n 5 README.md": [],
    "tar xzf nosuch.tgz": ["`nosuch.tgz` is not in `{0}` now."],
    "tar -C tests -xf nosuch.tgz": ["`nosuch.tgz` is not in `{0}` now."],
    "tar --list --file nosuch.tgz": ["`nosuch.tgz` is not in `{0}` now."],
    "tar czf new.tgz README.md": [],
    "tar xf README.md tests": [],
    "cp nosuch.txt target.txt": ["`nosuch.txt` is not in `{0}` now."],
    "cd README.md": ["`README.md` is no folder."],
    "./README.md": ["`./README.md` is not executable (`chmod +x ./README.md` makes it so)."],
    "./nosuch.sh": ["`./nosuch.sh` is not in `{0}` now."],
    "./tests": ["`./tests` is a folder."],
    "make tset": ["The Makefile has no target `tset`; `test` is near."],
    "make -C tests": [],
    "npm run biuld": ["package.json has no script `biuld`; `build` is near."],
    "npm run lint": ["package.json has no script `lint`; `check:lint` is near."],
    "npm run -s nosuch": ["package.json has no script `nosuch`."],
    "npm run nosuch -w web": [],
    "npm run build": [],
    "npm test": ["`nosuch-zl`, which the script `lint:js` runs, is not installed, or not on PATH."],
    "npm run lint:js": [
        "`nosuch-zl`, which the script `lint:js` runs, is not installed, or not on PATH."
    ],
    "yarn owned": [],
    "git commt -m x": ["`git commit` is near `git commt`."],
    "git -C tests statsu": ["`git status` is near `git statsu`."],
    "git commit -m x": [],
    "git nosuch": [],
    "git ci": [],
    "cargo biuld": ["`cargo build` is near `cargo biuld`."],
    "docker compose pu": [],
    "git checkout mian": ["There is no branch `mian`; `main` is near."],
    "mkdir tests": ["`tests` is there already."],
    "mkdir a/b": ["`{0}/a` is not there (`mkdir -p` makes it too)."],
    "mkdir -p tests": [],
    "ls *.c": [],
    "cat $file": [],
    "curl -o out.json https://example.com/nosuch": [],
    "somebody elses.txt": [],
}


SCRIPTS = {
    "build": "true",
    "check:lint": "true",
    "test": "npm run lint:js && true",
    "lint:js": "CI=1 nosuch-zl . | cat",
    "owned": "own-zl --all; if true; then cd x; fi",
}


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> str:
    (tmp_path / "tests" / "test_utils").mkdir(parents=True)
    (tmp_path / "src" / "click").mkdir(parents=True)
    (tmp_path / "tests" / "test_a.py").touch()
    (tmp_path / "README.md").write_text("hello\n")
    (tmp_path / "Makefile").write_text("test:\n\ttrue\n")
    (tmp_path / "package.json").write_text(json.dumps({"scripts": SCRIPTS}))
    (tmp_path / "node_modules" / ".bin").mkdir(parents=True)
    (tmp_path / "node_modules" / ".bin" / "own-zl").touch()
    (tmp_path / ".git" / "refs" / "heads").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git" / "refs" / "heads" / "main").touch()
    return str(tmp_path)


@pytest.mark.parametrize("command", SAID)
def test_what_is_not_so_of_a_commands_names_is_said(project: str, command: str) -> None:
    expected = [text.format(project) for text in SAID[command]]
    assert said_of_names(command.split(" "), project) == expected


def test_a_folder_without_makefile_is_told(tmp_path: Path) -> None:
    assert said_of_names(["make"], str(tmp_path)) == [f"There is no Makefile in `{tmp_path}`."]


def test_a_file_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").touch(mode=0)
    # Root may read every file.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert said_of_names(["cat", "secret"], str(tmp_path)) == [
        "`secret` may not be read by this user."
    ]


def test_nothing_is_said_where_the_folder_is_not_known() -> None:
    assert said_of_names(["cat", "nosuch"], "") == []
