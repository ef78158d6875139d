"""The programs on a PATH, by listing its folders.

A folder is listed again when it has changed, or after KEPT_S, since a file that
becomes executable does not change its folder. Listing can be slow on a network
disk, so it should be done in a thread.
"""

from __future__ import annotations

import os
import threading
import time

from zsh_ls.lazy.typing import NamedTuple

KEPT_S = 60.0
MOST_FOLDERS = 200


class Programs(NamedTuple):
    """The names of programs; if `complete`, other names are certainly not on PATH.

    It is not complete if a folder cannot be read, or is relative to one that only
    the shell knows.
    """

    names: frozenset[str] = frozenset()
    complete: bool = False


class _Listed(NamedTuple):
    changed_ns: int
    listed_s: float
    programs: Programs


class CommandsOnPath:
    """Caches the listings of folders. Thread-safe."""

    def __init__(self) -> None:
        self._folders: dict[str, _Listed] = {}
        self._lock = threading.Lock()

    def programs(self, path: str | None) -> Programs:
        """The programs in all folders of `path`, a value of PATH, or None if that is not known."""
        if not path:
            return Programs()
        folders = list(dict.fromkeys(path.split(os.pathsep)))
        with self._lock:
            found = [self._folder(folder) for folder in folders[:MOST_FOLDERS]]
        names = frozenset[str]().union(*(programs.names for programs in found))
        complete = len(folders) <= MOST_FOLDERS and all(programs.complete for programs in found)
        return Programs(names, complete)

    def _folder(self, folder: str) -> Programs:
        if not os.path.isabs(folder):
            return Programs()
        try:
            changed_ns = os.stat(folder).st_mtime_ns
        except (FileNotFoundError, NotADirectoryError):
            return Programs(complete=True)
        except (OSError, ValueError):
            return Programs()
        known = self._folders.get(folder)
        now_s = time.monotonic()
        if known and known.changed_ns == changed_ns and now_s - known.listed_s < KEPT_S:
            return known.programs
        try:
            with os.scandir(folder) as entries:
                names = frozenset(entry.name for entry in entries if _is_program(entry))
            listed = Programs(names, complete=True)
        except OSError:
            listed = Programs()
        self._folders[folder] = _Listed(changed_ns, now_s, listed)
        return listed


def _is_program(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file() and os.access(entry.path, os.X_OK)
    except OSError:  # a link that leads to itself
        return False
