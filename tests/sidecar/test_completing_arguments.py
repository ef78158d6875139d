"""Arguments are completed from the project: files, targets, recipes, scripts and branches (DOC-7)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.editor.types import CompletionKind


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of the real git, with a file of each kind that names something."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/main.c").touch()
    (folder / "a file.txt").touch()
    (folder / ".hidden").touch()
    (folder / "Makefile").write_text(
        "_own:\n\tx\nall test: build\n\tcc x\nbuild: ; true\nX := 1\n.PHONY: all\n"
    )
    (folder / "justfile").write_text(
        "x := '1'\ndeploy target='a': build\n  echo\n_own:\n  echo\nbuild:\n  x\n"
    )
    (folder / "package.json").write_text(json.dumps({"scripts": {"lint": "x", "start": "y"}}))
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    for name in ("fix/one", "packed"):
        subprocess.run([*git, "branch", name], check=True)
    subprocess.run([*git, "pack-refs", "--all"], check=True)
    subprocess.run([*git, "branch", "fix/two"], check=True)
    return folder


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "make ",
            [
                "all",
                "test",
                "build",
                "_own",
                "Makefile",
                "a\\ file.txt",
                "justfile",
                "package.json",
                "src/",
            ],
        ),
        ("make -j 4 te", ["test"]),
        ("just ", ["deploy", "build"]),
        ("npm run l", ["lint"]),
        ("git switch f", ["fix/one", "fix/two"]),
        ("git checkout p", ["packed", "package.json"]),
        ("cat -n s", ["src/"]),
        ("cat src/", ["src/main.c"]),
        ("cat .h", [".hidden"]),
        ("cat nothing", []),
        ("cat a", ["a\\ file.txt"]),
    ],
)
async def test_arguments_are_those_of_the_project(
    sidecar: Sidecar, project: Path, line: str, wanted: list[str]
) -> None:
    """DOC-7."""
    uri = (project / "a.zsh").as_uri()
    sidecar.open_document(uri, line, "zsh", 1)
    found = await sidecar.completions(uri, len(line))
    labels = [it.label for it in found.found]
    assert labels[: len(wanted)] == wanted
    assert labels[len(wanted) :] == [] or line == "just "


@pytest.fixture
def work_tree(project: Path, tmp_path: Path) -> Path:
    """A second work tree of the repository."""
    tree = tmp_path / "tree"
    add = ["git", "-C", str(project), "worktree", "add", "-q", str(tree), "fix/one"]
    subprocess.run(add, check=True)
    return tree


async def test_a_linked_work_tree_has_the_branches_of_its_repository(
    sidecar: Sidecar, work_tree: Path
) -> None:
    """DOC-7."""
    uri = (work_tree / "a.zsh").as_uri()
    line = "git merge ma"
    sidecar.open_document(uri, line, "zsh", 1)
    found = (await sidecar.completions(uri, len(line))).found
    assert [(it.label, it.kind) for it in found] == [("main", CompletionKind.BRANCH)]


async def test_what_is_said_of_a_glob_qualifier_is_a_whole_sentence(
    sidecar: Sidecar, project: Path
) -> None:
    """The manual's `(i.e. non-empty)` had ended it."""
    uri = (project / "a.zsh").as_uri()
    sidecar.open_document(uri, "print *(", "zsh", 1)
    found = await sidecar.completions(uri, len("print *("))
    said = {it.label: it.detail for it in found.found}
    assert said["F"].endswith("non-empty) directories")
