"""Which sockets of other servers and keepers there are, asked again and again."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from zsh_ls.lazy.typing import NamedTuple

from .address import KEEPER_SUFFIX, is_private, prefix_of, socket_folders, sockets

# A folder that was modified so lately may be so again at the same time, as coarse clocks have it.
SETTLED_NS = 2_000_000_000


class OthersSockets:
    """The sockets of the servers of exactly these workspaces, and of all keepers.

    The folders are read where they have changed. It is asked for on the event loop, with each list of tasks:
    while threads read long texts, each call of the system there waits for all of them to give way, and there
    were some thirty.
    """

    def __init__(self, runtime: Path, workspaces: Sequence[Path]) -> None:
        self._folders = socket_folders(runtime)
        self._workspaces = workspaces
        self._looked_at: tuple[_FolderState | None, ...] | None = None
        self._found: frozenset[Path] = frozenset()

    def found(self) -> frozenset[Path]:
        """Those that are there now."""
        settled_before = time.time_ns() - SETTLED_NS
        states = tuple(map(_state_of, self._folders))
        if states != self._looked_at:
            self._found = self._read()
            is_settled = all(it is None or it.modified_ns < settled_before for it in states)
            self._looked_at = states if is_settled else None
        return self._found

    def _read(self) -> frozenset[Path]:
        private = tuple(filter(is_private, self._folders))
        servers = sockets(private)
        prefixes = tuple(map(prefix_of, self._workspaces)) if servers else ()
        ours = (path for path in servers if path.name.startswith(prefixes))
        return frozenset((*ours, *sockets(private, KEEPER_SUFFIX)))


class _FolderState(NamedTuple):
    """What changes with the names in a folder, with its rights and with the folder itself."""

    modified_ns: int
    changed_ns: int
    inode: int
    device: int


def _state_of(folder: Path) -> _FolderState | None:
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    return _FolderState(found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)
