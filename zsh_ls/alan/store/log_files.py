"""Guards SQLite's files beside an open database, `-wal` and `-shm`, against programs that truncate them.

SQLite maps `-shm`, the index of the log, into memory: after a truncation the next
access raises SIGBUS, which ends the process. And SQLite trusts the index for the
log's length: after a truncation of the log, new frames are written behind a hole,
and a checkpoint copies the hole into the database. So both files are checked before
each use and before each commit (formats: sqlite.org/walformat.html).

A SIGBUS in between is handled on Linux: the handler extends the file to its former
length, the instruction is repeated and reads zeros, which SQLite takes for an index
that it has to rebuild.
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

from zsh_ls.lazy import attrs

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


class _SignalState:
    """State of the process-wide signal handler: guarded files with their sizes, and the former action."""

    size_bytes: dict[str, int] = {}  # noqa: RUF012
    before = _Action()
    ours: Any = None
    in_a_row = 0
    cuts = 0


def cuts_repaired() -> int:
    """How often the signal handler has repaired a truncated file."""
    return _SignalState.cuts


def fill_with_zeros(path: str, size_bytes: int) -> None:
    """Replace the file's content by zeros: SQLite would trust the remains of a truncated index."""
    os.truncate(path, 0)
    os.truncate(path, size_bytes)


def guard_against_cuts(path: str, size_bytes: int) -> None:
    """Install the SIGBUS handler for the mapped file at `path`, whose size is `size_bytes`."""
    if not sys.platform.startswith("linux") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    _SignalState.size_bytes[os.path.realpath(path)] = size_bytes
    if _SignalState.ours is None:
        _SignalState.ours = _Handler(_on_signal)
        action = _Action(
            handler=ctypes.cast(_SignalState.ours, ctypes.c_void_p).value,
            flags=_SA_SIGINFO | _SA_NODEFER,
        )
        ctypes.CDLL(None).sigaction(
            signal.SIGBUS, ctypes.byref(action), ctypes.byref(_SignalState.before)
        )


def _on_signal(number: int, info: int, _: int) -> None:
    """Handle SIGBUS in the thread whose instruction failed, which is in SQLite and without the GIL."""
    address = ctypes.c_uint64.from_address(info + _SI_ADDR_OFFSET).value
    try:
        repaired = _repair_mapping(address)
    except (OSError, ValueError):
        repaired = False
    if not repaired:
        # Not caused by a cut file: restore the former action, for when the instruction fails again.
        ctypes.CDLL(None).sigaction(number, ctypes.byref(_SignalState.before), None)


def _repair_mapping(address: int) -> bool:
    """Extend the guarded file mapped at `address` if it is too short; False if the cause is another."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(maxsplit=5)
            start, end = (int(part, 16) for part in fields[0].split("-"))
            path = fields[-1]
            if start <= address < end and path in _SignalState.size_bytes:
                reach = int(fields[2], 16) + end - start
                if os.stat(path).st_size < reach:
                    fill_with_zeros(path, max(reach, _SignalState.size_bytes[path]))
                    _SignalState.in_a_row = 0
                    _SignalState.cuts += 1
                # Another thread may have repaired it. If the fault repeats, it has another cause,
                # such as a full disk.
                _SignalState.in_a_row += 1
                return _SignalState.in_a_row < _MOST_IN_A_ROW
    return False


_LOG_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_LARGEST_PAGE_BYTES = 65_536
# Offsets in the index: page size and number of frames; number of frames that a checkpoint has copied.
_HEADER, _HEADER_AT = struct.Struct("=HI"), 14
_BACKFILLED, _BACKFILLED_AT = struct.Struct("=I"), 96
# How many frames the last checkpoint was to copy; it says so before it begins.
_ATTEMPTED_AT = 128
# Two numbers that are others whenever the log is begun anew.
_SALTS, _SALTS_AT = struct.Struct("8s"), 32
_INDEX_HEADER_BYTES = 136
# The first of its two equal headers, which each commit writes anew; behind them are the marks of readers.
_COMMIT_BYTES = 48


@attrs.frozen
class _File:
    """A file's inode and size."""

    inode: int
    size_bytes: int

    @classmethod
    def at(cls, path: str) -> _File | None:
        with contextlib.suppress(OSError):
            status = os.stat(path)
            return cls(status.st_ino, status.st_size)
        return None


Stamp = tuple[bytes, int, int, int, int]


@attrs.frozen
class _Index:
    """What the index says: how many frames the log has, and how many are copied to the database.

    `attempted` are those that the last checkpoint was to copy; `salts` are of this log alone.
    """

    page_bytes: int = _LARGEST_PAGE_BYTES
    frames: int = 0
    backfilled: int = 0
    attempted: int = 0
    salts: bytes = b""

    @classmethod
    def of(cls, header: bytes) -> _Index:
        if len(header) < _INDEX_HEADER_BYTES:
            return cls()
        page_bytes, frames = _HEADER.unpack_from(header, _HEADER_AT)
        (backfilled,) = _BACKFILLED.unpack_from(header, _BACKFILLED_AT)
        (attempted,) = _BACKFILLED.unpack_from(header, _ATTEMPTED_AT)
        (salts,) = _SALTS.unpack_from(header, _SALTS_AT)
        page_bytes = page_bytes if page_bytes > 1 else _LARGEST_PAGE_BYTES
        return cls(page_bytes, frames, backfilled, attempted, salts)

    @property
    def copied(self) -> tuple[bytes, int] | None:
        """Up to where the database has what the log has; None while somebody copies."""
        return (self.salts, self.backfilled) if self.attempted == self.backfilled else None

    def log_bytes(self, frames: int) -> int:
        """The size of a log of that many frames."""
        return _LOG_HEADER_BYTES + frames * (self.page_bytes + _FRAME_HEADER_BYTES)


class LogFiles:
    """The `-wal` and `-shm` files of the database at `path`, for all connections of this process."""

    def __init__(self, path: Path) -> None:
        self._database, self._log, self._shm = str(path), f"{path}-wal", f"{path}-shm"
        # When the database was written last, and what it had of the log then.
        self._written: tuple[tuple[int, int], tuple[bytes, int]] | None = None
        self._known: tuple[_File, _File] | None = None
        # Closed only after SQLite has closed the file: closing any descriptor drops its locks.
        self._descriptor: int | None = None
        self._index = _Index()
        self._cuts = 0
        self._lock = threading.Lock()

    def opened(self, cuts: int) -> None:
        """Take the files' present state as the right one, after SQLite has opened or used them.

        cuts: `cuts_repaired()` before it did so. What was cut meanwhile is still to be recovered: SQLite
        may have written the header of its index behind zeros, and would miss frames that are in the log.
        """
        with self._lock:
            log, shm = _File.at(self._log), _File.at(self._shm)
            was, self._known, self._cuts = self._known, None, cuts
            self._written = None
            if log is None or shm is None:
                return
            if was is not None and was[1].inode == shm.inode:  # SQLite shortens no index in use
                shm = attrs.evolve(shm, size_bytes=max(shm.size_bytes, was[1].size_bytes))
            guard_against_cuts(self._shm, shm.size_bytes)
            if self._descriptor is not None and os.fstat(self._descriptor).st_ino != shm.inode:
                self._close()
            if self._descriptor is None:
                with contextlib.suppress(OSError):
                    self._descriptor = os.open(self._shm, os.O_RDONLY | os.O_CLOEXEC)
            self._known = log, shm
            self._index = self._read()

    def closed(self) -> None:
        """To be called when no connection of this process has the files open."""
        with self._lock:
            self._known = self._written = None
            self._close()

    def are_unchanged(self) -> bool:
        """Whether neither file was replaced or cut since it was opened, nor the database overwritten."""
        with self._lock:
            return self._are_unchanged() and not self._is_overwritten()

    def _are_unchanged(self) -> bool:
        if self._known is None:
            return True
        index = self._read()
        log, shm = _File.at(self._log), _File.at(self._shm)
        if log is None or shm is None or self._cuts != cuts_repaired():
            return False
        was_log, was_shm = self._known
        if (log.inode, shm.inode) != (was_log.inode, was_shm.inode):
            return False
        if shm.size_bytes < was_shm.size_bytes or _is_cut(log, index):
            return False
        if shm.size_bytes > was_shm.size_bytes:
            guard_against_cuts(self._shm, shm.size_bytes)
        self._known, self._index = (log, shm), index
        return True

    def is_overwritten(self) -> bool:
        """Whether the database was written, and by no checkpoint: by another program than SQLite.

        To be asked behind whatever may have been a checkpoint too, so that it is known as it is then.
        """
        with self._lock:
            return self._is_overwritten()

    def _is_overwritten(self) -> bool:
        if self._descriptor is None:
            return False
        copied = self._read().copied
        try:
            status = os.stat(self._database)
        except OSError:
            return False
        found = status.st_mtime_ns, status.st_size
        if self._written is not None and self._written[0] == found:
            return False
        if copied is None or copied != self._read().copied:
            self._written = None  # somebody copies just now
            return False
        if self._written is None or self._written[1] != copied:
            self._written = found, copied
            return False
        return True

    @property
    def is_copied(self) -> bool:
        """Whether the database has all that the log has: then SQLite reads the log no more."""
        with self._lock:
            index = self._read()
            return index.frames == index.backfilled

    def copy_again(self) -> bool:
        """Zero the index: what the log has is copied again, whatever was copied before; raises OSError.

        The caller holds the write lock, as in `renew`.
        """
        with self._lock:
            fill_with_zeros(self._shm, os.stat(self._shm).st_size)
            self._index = _Index()
            return True

    def empty(self) -> bool:
        """The same, and the log is emptied: it belongs to what the database was before."""
        os.truncate(self._log, 0)
        return self.copy_again()

    def stamp(self) -> Stamp | None:
        """What another commit, whoever makes it, changes; None where there is no log to tell by."""
        descriptor = self._descriptor
        if descriptor is None:
            return None
        try:
            log, shm = os.stat(self._log), os.stat(self._shm)
            header = os.pread(descriptor, _COMMIT_BYTES, 0)
        except OSError:
            return None
        return header, log.st_ino, log.st_size, shm.st_ino, shm.st_size

    @property
    def was_removed(self) -> bool:
        """Whether the log was unlinked; processes that have it open still see its content."""
        with self._lock:
            return self._known is not None and _File.at(self._log) is None

    @property
    def are_replaced(self) -> bool:
        """Whether either file was removed or replaced."""
        with self._lock:
            found = _File.at(self._log), _File.at(self._shm)
            if self._known is None:
                return False
            pairs = zip(self._known, found, strict=True)
            return any(is_ is None or is_.inode != was.inode for was, is_ in pairs)

    @property
    def log_is_cut(self) -> bool:
        """Whether the log is shorter than its index says."""
        with self._lock:
            log = _File.at(self._log)
            return log is not None and self._known is not None and _is_cut(log, self._read())

    def renew(self) -> bool:
        """Zero the index, so that SQLite rebuilds it from what is left of the log; raises OSError.

        False where nothing is left to do, as another process has recovered the log meanwhile, and told it.

        The caller holds the write lock, so that no other connection relies on either file. A log
        shorter than what was copied to the database is emptied: the database is newer.
        """
        with self._lock:
            if self._known is not None and self._are_unchanged():
                return False
            found, log = self._read(), _File.at(self._log)
            index = found if found.frames else self._index
            if log is not None and log.size_bytes < index.log_bytes(index.backfilled):
                os.truncate(self._log, 0)
            size_bytes = os.stat(self._shm).st_size
            if self._known is not None:
                size_bytes = max(size_bytes, self._known[1].size_bytes)
            fill_with_zeros(self._shm, size_bytes)
            self._index = _Index()
            return True

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
