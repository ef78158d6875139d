"""The shell scripts that a command is given or finds in folders, and their content."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from zsh_ls.lazy import re
from zsh_ls.shell.embedded.hosts import kind_of
from zsh_ls.shell.syntax.dialect import NAMES, SUFFIXES, shebang_dialect
from zsh_ls.system.bounded_files import (
    MIB,
    SCRIPT_BYTES,
    NotRead,
    open_regular,
    read_named,
    read_standard_input,
)

SKIPPED_FOLDERS = {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv"}
# Texts for tests: without a shebang they may be parts of a script, or broken on purpose.
FIXTURES = re.compile(r"(?:[\w-]+-)?fixtures?|test-?data")
# Some begin with a shebang for editors, but they are no shell scripts.
MAKEFILES = {"Makefile", "makefile", "GNUmakefile"}
# Notes and logs; some begin with the shebang of the script that they tell of.
PROSE = {".txt", ".md", ".rst", ".adoc", ".org", ".log"}
# A longer file in a folder was not written by hand.
MAX_BYTES = 2 * MIB
HEAD_BYTES = 4096
COMPLETION_TAGS = (b"#compdef", b"#autoload")
STDIN = "-"


def scripts_below(folder: str, problems: list[str], *, embedded: bool = False) -> Iterator[str]:
    """The shell scripts in a folder, by name or first line, in a stable order; links are not followed.

    With `embedded` the files of other kinds that have shell inside, too (DOC-10). Folders that
    cannot be read are added to `problems`.
    """

    def left_out(problem: OSError) -> None:
        problems.append(f"{problem.filename}: {problem.strerror}")

    for parent, folders, files in os.walk(folder, onerror=left_out):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        below = os.path.relpath(parent, folder).split(os.sep)
        in_fixtures = any(FIXTURES.fullmatch(part) for part in below)
        for name in sorted(files):
            path = os.path.join(parent, name)
            if os.path.islink(path):
                continue
            found = _is_script(path, by_name=not in_fixtures)
            if found or (embedded and kind_of(path) is not None and os.path.isfile(path)):
                yield path


def is_huge(path: str) -> bool:
    """Whether a file found in a folder is longer than MAX_BYTES."""
    try:
        return os.path.getsize(path) > MAX_BYTES
    except OSError:
        return False  # removed in between: reading it gives the error


def _is_script(path: str, *, by_name: bool = True) -> bool:
    """Whether name or first lines are those of a script; a shebang overrides the name.

    Without `by_name` a name is not enough.
    """
    try:
        descriptor = open_regular(path)
        try:
            data = os.read(descriptor, HEAD_BYTES)
        finally:
            os.close(descriptor)
    except OSError:
        return False  # not readable by this user
    name = os.path.basename(path)
    suffix = os.path.splitext(name)[1]
    if b"\0" in data or name in MAKEFILES or suffix == ".mk" or suffix in PROSE:
        return False
    if data.startswith(b"#!"):
        return shebang_dialect(data.decode("utf-8", "replace")) is not None
    named = suffix in SUFFIXES or name.removeprefix(".") in NAMES
    return (named and by_name) or data.startswith(COMPLETION_TAGS)


def read_data(path: str) -> bytes:
    """The bytes of a file, a pipe or `-`. Raises NotRead, also for what is no text."""
    if path == STDIN:
        return read_standard_input(SCRIPT_BYTES)
    data = read_named(path, SCRIPT_BYTES)
    if b"\0" in data[:HEAD_BYTES]:
        raise NotRead(f"{path}: no text, but binary data")
    return data


def read_script(path: str) -> str:
    """The text of a file, a pipe or `-`, in which invalid UTF-8 is replaced. Raises NotRead."""
    return read_data(path).decode("utf-8", "replace")


def is_read_once(path: str) -> bool:
    """Whether a path names a pipe, which can be read only once."""
    try:
        return path == STDIN or stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
