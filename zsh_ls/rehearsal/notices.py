"""What changes in folders, in the order in which it happens: one queue of inotify(7) for all of them."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator
from enum import Enum, auto

from zsh_ls.lazy.typing import NamedTuple

_MODIFY, _OPEN, _CLOSE = 0x2, 0x20, 0x18
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_ONLY_FOLDERS, _IS_FOLDER, _OVERFLOW, _IGNORED = 0x01000000, 0x40000000, 0x4000, 0x8000
_EVENT = struct.Struct("iIII")
_FILES = _MODIFY | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _ONLY_FOLDERS
# Opened and closed again, so that two marks of one line in a row are not merged into one event.
_LOG = _OPEN | _CLOSE | _MOVED_TO | _ONLY_FOLDERS
# What git keeps for itself is not told; hooks and settings that a script writes are.
_OF_GIT = frozenset({"hooks", "info"})
_READ_BYTES = 1 << 18


class Happening(Enum):
    """What happened to a file."""

    LOGGED = auto()
    OPENED = auto()
    CREATED = auto()
    CHANGED = auto()
    REMOVED = auto()
    LOST = auto()
    """More happened at once than the kernel keeps: some is not known."""


class Notice(NamedTuple):
    """One happening: the path as the script sees it, where it is outside, and whether it is a folder."""

    what: Happening
    path: str
    real: str = ""
    is_folder: bool = False


class Notices:
    """The queue. `close()` it; `descriptor` is readable when there is something."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor: int = self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "inotify cannot be had")
        self._folders: dict[int, tuple[str, str | None]] = {}
        self.is_complete = True

    def close(self) -> None:
        """Stop watching."""
        os.close(self.descriptor)

    def watch_log(self, folder: str) -> None:
        """Notice what is opened in a folder (OPENED) or put into it (LOGGED)."""
        self._add(folder, None, _LOG)

    def watch_tree(self, real: str, shown: str) -> None:
        """Notice what changes in a folder and in those below it, `shown` being its name for the script."""
        for _ in self._enter(real, shown):
            pass

    def read(self) -> list[Notice]:
        """All that has happened since the last call."""
        found: list[Notice] = []
        while True:
            try:
                data = os.read(self.descriptor, _READ_BYTES)
            except BlockingIOError:
                return found
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                name = data[at + _EVENT.size : at + _EVENT.size + length].split(b"\0")[0]
                at += _EVENT.size + length
                found += self._notices(number, mask, os.fsdecode(name))

    def _notices(self, number: int, mask: int, name: str) -> Iterator[Notice]:
        if mask & _OVERFLOW:
            self.is_complete = False
            yield Notice(Happening.LOST, "")
            return
        if mask & _IGNORED:
            self._folders.pop(number, None)
            return
        if number not in self._folders or not name:
            return
        folder, shown = self._folders[number]
        real = f"{folder}/{name}"
        if shown is None:
            if mask & _MOVED_TO:
                yield Notice(Happening.LOGGED, name, real)
            elif mask & _OPEN:
                yield Notice(Happening.OPENED, name, real)
            return
        path, is_folder = f"{shown}/{name}", bool(mask & _IS_FOLDER)
        if mask & _MODIFY:
            yield Notice(Happening.CHANGED, path, real)
        elif mask & (_MOVED_FROM | _DELETE):
            yield Notice(Happening.REMOVED, path, real, is_folder)
        elif mask & (_CREATE | _MOVED_TO):
            yield Notice(Happening.CREATED, path, real, is_folder)
            if is_folder:
                # What was made in it before it was watched is found by a look.
                yield from self._enter(real, path)

    def _enter(self, real: str, shown: str) -> Iterator[Notice]:
        name = os.path.basename(shown)
        if os.path.basename(os.path.dirname(shown)) == ".git" and name not in _OF_GIT:
            return
        self._add(real, shown, _FILES)
        try:
            entries = list(os.scandir(real))
        except OSError:
            return
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            path = f"{shown}/{entry.name}"
            yield Notice(Happening.CREATED, path, entry.path, is_folder)
            if is_folder:
                yield from self._enter(entry.path, path)

    def _add(self, folder: str, shown: str | None, mask: int) -> None:
        number = self._libc.inotify_add_watch(self.descriptor, os.fsencode(folder), mask)
        if number >= 0:
            self._folders[number] = (folder, shown)
        elif ctypes.get_errno() == errno.ENOSPC:
            self.is_complete = False
