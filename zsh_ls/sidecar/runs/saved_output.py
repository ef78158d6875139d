"""A long output, whole, in a file under the workspace root (VERB-4).

A repository may have put anything in that file's place: a link that leads out
of the workspace, another name of a file elsewhere, a pipe. So folders are held
open, no existing file is written into, and a new one is put in its place whole.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterable, Iterator

FOLDER = ".tmp"
NAME = "last-command-output.txt"
RELATIVE = f"{FOLDER}/{NAME}"
IGNORE = ".gitignore"
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def save(workspace: str, pieces: Iterable[str]) -> str | None:
    """Write `pieces` to `.tmp/last-command-output.txt`; gives that relative path, None where it cannot be.

    The file is private (0600), replaced whole, and kept out of git by a
    `.gitignore` of its own.
    """
    try:
        with _folder(workspace) as folder:
            if not _is_file(folder, IGNORE):
                _replace(folder, IGNORE, ["*\n"])
            _replace(folder, NAME, pieces)
    except OSError:
        return None
    return RELATIVE


@contextlib.contextmanager
def _folder(workspace: str) -> Iterator[int]:
    """`.tmp`, held open, made where it is not there; OSError where it is a link or another user's."""
    root = os.open(workspace, _OPEN_FOLDER)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(FOLDER, 0o700, dir_fd=root)
        folder = os.open(FOLDER, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=root)
    finally:
        os.close(root)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError(f"{workspace}/{FOLDER} is another user's")
        yield folder
    finally:
        os.close(folder)


def _is_file(folder: int, name: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _replace(folder: int, name: str, pieces: Iterable[str]) -> None:
    """Put a new file in the place of whatever has the name."""
    fresh = f"{name}.{secrets.token_hex(6)}"
    descriptor = os.open(fresh, _NEW_FILE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh, dir_fd=folder)
        raise
