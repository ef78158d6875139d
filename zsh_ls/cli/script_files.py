"""The files that `zsh-ls check` reads: those given, and the shell scripts in given folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from zsh_ls.shell.syntax.dialect import NAMES, SUFFIXES, shebang_dialect
from zsh_ls.system.bounded_files import MIB, SCRIPT_BYTES, NotRead, open_regular, read_named

SKIPPED_FOLDERS = {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv"}
# Some begin with a shebang for editors, but they are no shell scripts.
MAKEFILES = {"Makefile", "makefile", "GNUmakefile"}
# A longer file in a folder was not written by hand.
MAX_BYTES = 2 * MIB
HEAD_BYTES = 4096
COMPLETION_TAGS = ("#compdef", "#autoload")


def read_script(path: str) -> str:
    """The text of a file or a pipe, in which invalid UTF-8 is replaced. Raises NotRead."""
    data = read_named(path, SCRIPT_BYTES)
    if b"\0" in data[:HEAD_BYTES]:
        raise NotRead(f"{path}: no text, but binary data")
    return data.decode("utf-8", "replace")


def scripts_below(folder: str, problems: list[str]) -> Iterator[str]:
    """The shell scripts in a folder, by name or first line, in a stable order; links are not followed.

    Folders that cannot be read are added to `problems`.
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
    """Whether a file found in a folder is longer than MAX_BYTES."""
    try:
        return os.path.getsize(path) > MAX_BYTES
    except OSError:
        return False  # removed in between: reading it gives the error


def _is_script(path: str) -> bool:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False  # not readable by this user
    return b"\0" not in head and _looks_like_one(Path(path), head.decode("utf-8", "replace"))


def _looks_like_one(path: Path, head: str) -> bool:
    """Whether name or first lines are those of a script; a shebang overrides the name."""
    if path.name in MAKEFILES or path.suffix == ".mk":
        return False
    if head.startswith("#!"):
        return shebang_dialect(head) is not None
    named = path.suffix in SUFFIXES or path.name.removeprefix(".") in NAMES
    return named or head.startswith(COMPLETION_TAGS)
