"""Which project a folder belongs to (ALAN-13), by the files of version control; no program is asked."""

from __future__ import annotations

import os
import stat
from pathlib import PurePath

from .bounded_files import read_bytes
from .programs import is_below

_MARKS = (".git", ".hg", ".jj")
_LONGEST_POINTER_BYTES = 8_192


def project_of(folder: str, workspace: str | None = None) -> str | None:
    """The project of what runs in `folder`, as an absolute path without links; None for no project.

    That is the nearest folder above with `.git`, `.hg` or `.jj`, for a second worktree
    the repository's main one; else `workspace`, for what runs inside it. A folder that
    is gone belongs to what is left above it.
    """
    if not os.path.isabs(folder):
        return None
    # What the system says of the current folder has no links, and costs one call for one a part.
    real = folder if folder == current_folder() else os.path.realpath(folder)
    candidate, above = real, os.path.dirname(real)
    while True:
        start = candidate if candidate.endswith("/") else f"{candidate}/"
        for mark in _MARKS:
            # Every run asks this, of folders without any, where an error of `stat` would be the larger part.
            if os.access(start + mark, os.F_OK):
                found = _repository(candidate, mark)
                if found is not None:
                    return found
        if candidate == above:
            break
        candidate, above = above, os.path.dirname(above)
    if workspace is not None and os.path.isabs(workspace):
        whole = os.path.realpath(workspace)
        if PurePath(real).is_relative_to(whole):
            return whole
    return None


def current_folder() -> str | None:
    """The folder this process is in; None where that has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return None


def top_of(folder: str) -> str | None:
    """The nearest folder above `folder`, itself included, that version control begins in.

    Of a second worktree that is the worktree's own top, where its files are.
    """
    for candidate in (folder, *map(str, PurePath(folder).parents)):
        if any(os.path.exists(os.path.join(candidate, mark)) for mark in _MARKS):
            return candidate
    return None


def leads_out(path: str, folder: str) -> bool:
    """Whether a link leads `path` out of `folder`, in which it lies by its name."""
    # Behind a link `..` is another folder than by the names.
    return is_below(os.path.abspath(path), os.path.abspath(folder)) and not is_below(
        os.path.realpath(path), os.path.realpath(folder)
    )


def scope_of(folder: str, workspace: str | None = None) -> str:
    """The folder by which memory counts what runs in `folder`: its project's, without one its own."""
    return project_of(folder, workspace) or folder


def _repository(folder: str, mark: str) -> str | None:
    """The main folder of the repository that `folder` is the top of, None if it is none's."""
    path = os.path.join(folder, mark)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    if mark == ".jj":
        # In a second workspace `repo` is a file that names the first one's.
        shared = _pointer(os.path.join(path, "repo"))
        parent = os.path.dirname(shared) if shared else ""
        return os.path.dirname(parent) if os.path.basename(parent) == ".jj" else folder
    if mark == ".git" and stat.S_ISREG(mode):
        return _main_worktree(path) or folder
    return folder


def _main_worktree(path: str) -> str | None:
    """The main worktree that a `.git` file leads to; None for a submodule and what leads nowhere.

    The file names this worktree's private folder, and `commondir` there the folder that all
    worktrees of the repository share: a `.git`, or the bare repository itself.
    """
    private = _pointer(path, "gitdir:")
    common = _pointer(os.path.join(private, "commondir")) if private else None
    if common is None:
        return None
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common


def _pointer(path: str, before: str = "") -> str | None:
    """The path that a small file holds after the word `before`, None if it holds none."""
    try:
        text = read_bytes(path, _LONGEST_POINTER_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return None
    if not text.startswith(before) or "\0" in text:
        return None
    target = text.removeprefix(before).strip()
    return os.path.realpath(os.path.join(os.path.dirname(path), target)) if target else None
