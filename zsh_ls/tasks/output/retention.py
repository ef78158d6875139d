"""Limits of the folder of kept outputs: 200 tasks and 4 GiB, the oldest are removed first.

Entries of processes that crashed are removed, too. Servers and command lines
share the folder without a lock: each lists it again from time to time, and
ignores entries that another process has just removed.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from zsh_ls.system.bounded_files import read_bytes
from zsh_ls.tasks.process import processes

from .stored_output import OWNER_FILE, TASK_FILE

_OWNER_MAX_BYTES = 256
KEPT_TASKS = 200
KEPT_BYTES = 4 << 30
# The folder is listed again after this many tasks of this process, or this many bytes of output.
LOOK_AFTER_TASKS = 32
LOOK_AFTER_BYTES = 64 << 20


class Retention:
    """Enforces the limits as this process adds entries; used from one thread."""

    def __init__(
        self, root: Path, kept_tasks: int = KEPT_TASKS, kept_bytes: int = KEPT_BYTES
    ) -> None:
        self._root = root
        self._kept_tasks = kept_tasks
        self._kept_bytes = kept_bytes
        self._oldest_first: dict[str, None] = {}
        self._tasks_until_look = self._bytes_until_look = 0

    def added(self, folder: Path, size_bytes: int) -> None:
        """Count a new entry, and remove the oldest ones beyond the limits."""
        self._tasks_until_look -= 1
        self._bytes_until_look -= size_bytes
        if self._tasks_until_look < 0 or self._bytes_until_look < 0:
            self._look()
        self._oldest_first.setdefault(os.fspath(folder))
        while len(self._oldest_first) > self._kept_tasks:
            _remove(self._oldest())

    def _oldest(self) -> str:
        """Take the entry that was changed longest ago off the list."""
        folder = next(iter(self._oldest_first))
        del self._oldest_first[folder]
        return folder

    def _look(self) -> None:
        self._tasks_until_look, self._bytes_until_look = LOOK_AFTER_TASKS, LOOK_AFTER_BYTES
        entries = _entries(self._root)
        ended = [folder for folder in entries if os.path.exists(f"{folder}/{TASK_FILE}")]
        for folder in set(entries) - set(ended):
            if not _owner_lives(folder):
                _remove(folder)
        self._oldest_first = dict.fromkeys(ended)
        sizes_bytes = {folder: _size_bytes(folder) for folder in entries}
        too_much_bytes = sum(sizes_bytes.values()) - self._kept_bytes
        while too_much_bytes > 0 and self._oldest_first:
            folder = self._oldest()
            too_much_bytes -= sizes_bytes[folder]
            _remove(folder)


def _remove(folder: str) -> None:
    """Remove an entry, which holds files only; another process may do the same at this time."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            os.unlink(f"{folder}/{name}")
        os.rmdir(folder)


def _entries(root: Path) -> list[str]:
    """The entries, the least recently changed first."""
    changed = []
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another process has just removed it
                if entry.is_dir(follow_symlinks=False):
                    changed.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    return [path for _, path in sorted(changed)]


def _size_bytes(folder: str) -> int:
    """The bytes that its files take up on disk."""
    size_bytes = 0
    with contextlib.suppress(OSError), os.scandir(folder) as files:
        for file in files:
            size_bytes += file.stat(follow_symlinks=False).st_blocks * 512
    return size_bytes


def _owner_lives(folder: str) -> bool:
    try:
        owner = read_bytes(f"{folder}/{OWNER_FILE}", _OWNER_MAX_BYTES, follow_links=False)
        pid, started = map(int, owner.split())
    except (OSError, ValueError):
        return False
    process = processes.stat(pid)
    return process is not None and started in (0, process.started)
