"""SQLite's files beside an open database, `-wal` and `-shm`, guarded while other programs may cut them.

SQLite maps `-shm`, the index of the log, into memory: where the file is cut
under it, the next access ends the process (SIGBUS). And it takes the log to be
as long as the index says: where that is cut, what is written next stands behind
a hole, and a checkpoint copies the hole into the database. So both are looked
at before each use and before each commit (formats: sqlite.org/walformat.html).

A SIGBUS in between is answered on Linux: the file is made as long again, the
instruction is repeated and finds zeros, which SQLite takes for an index that
has to be made anew.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import sys
import threading
from pathlib import Path
from typing import Any

import attrs

_SI_ADDR_OFFSET = 16
_MOST_IN_A_ROW = 1_000
_SA_SIGINFO, _SA_NODEFER = 0x4, 0x40000000
_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Action(ctypes.Structure):
    """`struct sigaction` of the C library."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * (1024 // (8 * ctypes.sizeof(ctypes.c_ulong)))),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _Handled:
    """Which files are looked after, how long they were, and what the signal did before."""

    size_bytes: dict[str, int] = {}  # noqa: RUF012
    before = _Action()
    ours: Any = None
    in_a_row = 0
    cuts = 0


def cuts_survived() -> int:
    """How often a file was found cut while it was looked into."""
    return _Handled.cuts


def renewed(path: str, size_bytes: int) -> None:
    """Make the file one of zeros: an index of which a part is left would be believed."""
    os.truncate(path, 0)
    os.truncate(path, size_bytes)


def survive_cuts(path: str, size_bytes: int) -> None:
    """From now on a cut of the mapped file at `path`, so long as yet, ends this process no more."""
    if not sys.platform.startswith("linux") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    _Handled.size_bytes[os.path.realpath(path)] = size_bytes
    if _Handled.ours is None:
        _Handled.ours = _Handler(_on_signal)
        action = _Action(
            handler=ctypes.cast(_Handled.ours, ctypes.c_void_p).value,
            flags=_SA_SIGINFO | _SA_NODEFER,
        )
        ctypes.CDLL(None).sigaction(
            signal.SIGBUS, ctypes.byref(action), ctypes.byref(_Handled.before)
        )


def _on_signal(number: int, info: int, _: int) -> None:
    """Called where the instruction failed: in SQLite, by the thread that has no part of Python then."""
    address = ctypes.c_uint64.from_address(info + _SI_ADDR_OFFSET).value
    try:
        may_go_on = _reaches(address)
    except (OSError, ValueError):
        may_go_on = False
    if not may_go_on:
        # Not ours: what was done before is done when the instruction fails again.
        ctypes.CDLL(None).sigaction(number, ctypes.byref(_Handled.before), None)


def _reaches(address: int) -> bool:
    """Whether the file that is mapped at `address` is one of ours, and reaches so far now."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(maxsplit=5)
            start, end = (int(part, 16) for part in fields[0].split("-"))
            path = fields[-1]
            if start <= address < end and path in _Handled.size_bytes:
                reach = int(fields[2], 16) + end - start
                if os.stat(path).st_size < reach:
                    renewed(path, max(reach, _Handled.size_bytes[path]))
                    _Handled.in_a_row = 0
                    _Handled.cuts += 1
                # Another thread may have done it. Else it is another fault: the disk may be full.
                _Handled.in_a_row += 1
                return _Handled.in_a_row < _MOST_IN_A_ROW
    return False


_LOG_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_LARGEST_PAGE_BYTES = 65_536
# Page size and last frame; further on, the last frame that a checkpoint has brought into the file.
_HEADER, _HEADER_AT = struct.Struct("=HI"), 14
_BACKFILLED, _BACKFILLED_AT = struct.Struct("=I"), 96
_INDEX_HEADER_BYTES = 136


@attrs.frozen
class _File:
    """Which file it is, and how long."""

    inode: int
    size_bytes: int

    @classmethod
    def at(cls, path: str) -> _File | None:
        with contextlib.suppress(OSError):
            status = os.stat(path)
            return cls(status.st_ino, status.st_size)
        return None


@attrs.frozen
class _Index:
    """What the index says of the log: how many frames it has, and how many of them are in the file."""

    page_bytes: int = _LARGEST_PAGE_BYTES
    frames: int = 0
    backfilled: int = 0

    @classmethod
    def of(cls, header: bytes) -> _Index:
        if len(header) < _INDEX_HEADER_BYTES:
            return cls()
        page_bytes, frames = _HEADER.unpack_from(header, _HEADER_AT)
        (backfilled,) = _BACKFILLED.unpack_from(header, _BACKFILLED_AT)
        return cls(page_bytes if page_bytes > 1 else _LARGEST_PAGE_BYTES, frames, backfilled)

    def log_bytes(self, frames: int) -> int:
        """How long a log of so many frames is."""
        return _LOG_HEADER_BYTES + frames * (self.page_bytes + _FRAME_HEADER_BYTES)


class LogFiles:
    """Those of the database at `path`, as all connections of this process use them."""

    def __init__(self, path: Path) -> None:
        self._log, self._shm = f"{path}-wal", f"{path}-shm"
        self._known: tuple[_File, _File] | None = None
        # Open as long as SQLite has it open: closing a descriptor undoes the locks by another one.
        self._descriptor: int | None = None
        self._index = _Index()
        self._cuts = 0
        self._looking = threading.Lock()

    def opened(self) -> None:
        """SQLite has opened them, and has just used them."""
        with self._looking:
            log, shm = _File.at(self._log), _File.at(self._shm)
            self._known, self._cuts = None, cuts_survived()
            if log is None or shm is None:
                return
            survive_cuts(self._shm, shm.size_bytes)
            if self._descriptor is not None and os.fstat(self._descriptor).st_ino != shm.inode:
                self._close()
            if self._descriptor is None:
                with contextlib.suppress(OSError):
                    self._descriptor = os.open(self._shm, os.O_RDONLY | os.O_CLOEXEC)
            self._known = log, shm
            self._index = self._read()

    def closed(self) -> None:
        """No connection of this process has them open."""
        with self._looking:
            self._known = None
            self._close()

    def are_as_they_were(self) -> bool:
        """Whether both are those that were opened, the index no shorter, and the log as it says."""
        with self._looking:
            if self._known is None:
                return True
            index = self._read()
            log, shm = _File.at(self._log), _File.at(self._shm)
            if log is None or shm is None or self._cuts != cuts_survived():
                return False
            was_log, was_shm = self._known
            if (log.inode, shm.inode) != (was_log.inode, was_shm.inode):
                return False
            if shm.size_bytes < was_shm.size_bytes or _is_cut(log, index):
                return False
            if shm.size_bytes > was_shm.size_bytes:
                survive_cuts(self._shm, shm.size_bytes)
            self._known, self._index = (log, shm), index
            return True

    @property
    def was_removed(self) -> bool:
        """Whether the log has no name any more; who has it open still has all of it."""
        with self._looking:
            return self._known is not None and _File.at(self._log) is None

    @property
    def are_others(self) -> bool:
        """Whether others are in their place."""
        with self._looking:
            found = _File.at(self._log), _File.at(self._shm)
            if self._known is None:
                return False
            pairs = zip(self._known, found, strict=True)
            return any(is_ is None or is_.inode != was.inode for was, is_ in pairs)

    @property
    def log_is_cut(self) -> bool:
        """Whether the log is shorter than the index says."""
        with self._looking:
            log = _File.at(self._log)
            return log is not None and self._known is not None and _is_cut(log, self._read())

    def renew(self) -> None:
        """Let what is left of the log count, and an index of it be made; raises OSError.

        For who has the lock to write, so that nobody relies on either meanwhile. Of a log that is
        shorter than what has been copied into the file nothing counts: the file is newer.
        """
        with self._looking:
            found, log = self._read(), _File.at(self._log)
            index = found if found.frames else self._index
            if log is not None and log.size_bytes < index.log_bytes(index.backfilled):
                os.truncate(self._log, 0)
            size_bytes = os.stat(self._shm).st_size
            if self._known is not None:
                size_bytes = max(size_bytes, self._known[1].size_bytes)
            renewed(self._shm, size_bytes)
            self._index = _Index()

    def _read(self) -> _Index:
        if self._descriptor is None:
            return _Index()
        try:
            return _Index.of(os.pread(self._descriptor, _INDEX_HEADER_BYTES, 0))
        except OSError:
            return _Index()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _is_cut(log: _File, index: _Index) -> bool:
    return index.frames > 0 and log.size_bytes < index.log_bytes(index.frames)
