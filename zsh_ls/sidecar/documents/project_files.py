"""The scripts of a project, looked for when a person asks for a symbol; bounded, and no link is followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from zsh_ls.shell.syntax.dialect import NAMES, SUFFIXES, shebang_dialect
from zsh_ls.system.bounded_files import MIB, open_regular

SKIPPED = frozenset({"node_modules", "__pycache__", "vendor", "target", "dist", "build"})
# So many names are looked at, so many scripts are read, of so many bytes in all.
MOST_NAMES = 20_000
MOST_SCRIPTS = 400
MOST_BYTES = 8 * MIB
HEAD_BYTES = 200


def scripts_of(folder: str) -> list[str]:
    """The scripts below a folder, by name or first line, the ones nearest to it first."""
    found: list[str] = []
    size = 0
    for path in islice(_files_below(folder), MOST_NAMES):
        if len(found) == MOST_SCRIPTS:
            break
        try:
            length = os.lstat(path).st_size
        except OSError:
            continue  # removed in between
        if size + length <= MOST_BYTES and _is_script(path):
            found.append(path)
            size += length
    return found


def _files_below(folder: str) -> Iterator[str]:
    waiting = [folder]
    for place in waiting:
        try:
            with os.scandir(place) as entries:
                listed = sorted(entries, key=lambda it: it.name)
        except OSError:
            continue
        for entry in listed:
            if entry.is_symlink():
                continue
            if entry.is_file():
                yield entry.path
            elif entry.is_dir() and not entry.name.startswith(".") and entry.name not in SKIPPED:
                waiting.append(entry.path)


def _is_script(path: str) -> bool:
    name = PurePosixPath(path)
    if name.suffix in SUFFIXES or name.name.removeprefix(".") in NAMES:
        return True
    if name.suffix:
        return False
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    return shebang_dialect(head.decode("utf-8", "replace")) is not None
