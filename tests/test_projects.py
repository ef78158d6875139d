"""Which project a folder belongs to (ALAN-13), in repositories that git itself made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zsh_ls.system.projects import project_of


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


@pytest.mark.parametrize("mark", [".git", ".hg", ".jj"])
def test_the_nearest_folder_with_version_control_is_the_project(mark: str, tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    (inner / "src" / "deep").mkdir(parents=True)
    (tmp_path / "outer" / ".git").mkdir()
    assert project_of(str(inner / "src")) == str(tmp_path / "outer")
    (inner / mark).mkdir()
    for folder in (inner, inner / "src", inner / "src" / "deep"):
        assert project_of(str(folder), str(tmp_path)) == str(inner)


def test_worktrees_of_one_repository_are_one_project(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere" / "hotfix"), "-b", "hotfix")
    (tmp_path / "elsewhere" / "hotfix" / "src").mkdir()
    assert project_of(str(tmp_path / "elsewhere" / "hotfix" / "src")) == str(main)
    assert project_of(str(main)) == str(main)


def test_worktrees_of_a_bare_repository_agree(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    git(tmp_path, "clone", "-q", "--bare", str(main), "bare.git")
    for name in ("one", "two"):
        git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / name), "-b", name)
    projects = {project_of(str(tmp_path / name)) for name in ("one", "two")}
    assert projects == {str(tmp_path / "bare.git")}


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library, main = repository(tmp_path / "library"), repository(tmp_path / "main")
    git(main, "submodule", "add", "-q", str(library), "vendored")
    assert project_of(str(main / "vendored")) == str(main / "vendored")


def test_a_link_to_a_project_is_the_project(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    (tmp_path / "link").symlink_to(main)
    assert project_of(str(tmp_path / "link")) == str(main)


def test_without_version_control_the_workspace_counts_for_what_runs_inside_it(
    tmp_path: Path,
) -> None:
    inside, beside = tmp_path / "work" / "src", tmp_path / "workshop"
    inside.mkdir(parents=True)
    beside.mkdir()
    workspace = str(tmp_path / "work")
    assert project_of(str(inside), workspace) == workspace
    assert project_of(str(beside), workspace) is None
    assert project_of(str(inside)) is None
    assert project_of("relative/folder", workspace) is None


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: nowhere/at/all", "nonsense", "a\0b"])
def test_a_git_file_that_leads_nowhere_marks_its_own_folder(text: str, tmp_path: Path) -> None:
    (tmp_path / ".git").write_text(text)
    assert project_of(str(tmp_path)) == str(tmp_path)


def test_a_folder_that_is_gone_belongs_to_what_is_above(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    assert project_of(str(main / "removed" / "since")) == str(main)
