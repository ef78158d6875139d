"""Which files `zsh-ls check` reads: those that are named, and the shell scripts below folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from zsh_ls.shell.syntax.dialect import NAMES, SUFFIXES, shebang_dialect
from zsh_ls.system.bounded_files import MIB, SCRIPT_BYTES, NotRead, open_regular, read_named

SKIPPED_FOLDERS = {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv"}
# Some begin with an interpreter line, for an editor's sake.
MAKEFILES = {"Makefile", "makefile", "GNUmakefile"}
# What is found below a folder and longer than this is no script that anyone wrote.
MAX_BYTES = 2 * MIB
HEAD_BYTES = 4096
COMPLETION_TAGS = ("#compdef", "#autoload")


def read_script(path: str) -> str:
    """The text of a file that was named, or found by `scripts_below`; wrong UTF-8 is replaced.

    A pipe that was named is read to its end. Raises NotRead.
    """
    data = read_named(path, SCRIPT_BYTES)
    if b"\0" in data[:HEAD_BYTES]:
        raise NotRead(f"{path}: no text, but binary data")
    return data.decode("utf-8", "replace")


def scripts_below(folder: str, problems: list[str]) -> Iterator[str]:
    """The shell scripts below a folder, by name or first line, in a steady order; no links are followed.

    A folder that cannot be read is added to `problems`, and the others are gone through.
    """

    def left_out(problem: OSError) -> None:
        problems.append(f"{problem.filename}: {problem.strerror}")

    for parent, folders, files in os.walk(folder, onerror=left_out):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in sorted(files):
            path = os.path.join(parent, name)
            if os.path.isfile(path) and not os.path.islink(path) and _is_script(path):
                yield path


def is_huge(path: str) -> bool:
    """Whether a file found below a folder is too long to be a script anyone wrote."""
    try:
        return os.path.getsize(path) > MAX_BYTES
    except OSError:
        return False  # gone meanwhile: reading it says so


def _is_script(path: str) -> bool:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False  # not readable by this user: not theirs to check
    return b"\0" not in head and _looks_like_one(Path(path), head.decode("utf-8", "replace"))


def _looks_like_one(path: Path, head: str) -> bool:
    """Whether name or first lines say so; a first line for another interpreter outweighs the name."""
    if path.name in MAKEFILES or path.suffix == ".mk":
        return False
    if head.startswith("#!"):
        return shebang_dialect(head) is not None
    named = path.suffix in SUFFIXES or path.name.removeprefix(".") in NAMES
    return named or head.startswith(COMPLETION_TAGS)
