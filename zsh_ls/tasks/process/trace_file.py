"""The file that a traced shell writes events of its lists to: private, read while it grows.

What was read is freed by punching holes into the file, so that a script of millions
of lists needs only the space of what it writes between two reads.
"""

from __future__ import annotations

import ctypes
import os
import sys

from zsh_ls.lazy import re

from .exit_reports import Report

READ_BYTES = 1 << 20
_TAIL_BYTES = 4096
# `kind|time|pid|depth|status|pipestatus|file:line` of rc/trace.zsh.
_EVENT = re.compile(
    r"(?P<kind>[AX])\|[\d., ]+\|(?P<pid>\d+)\|(?P<depth>\d+)\|(?P<status>\d+)"
    r"\|(?P<statuses>[\d ]*)\|.*:(?P<line>\d+)"
)
_TOP_LEVEL = "1"
_LOST = b"L"
# linux/falloc.h: PUNCH_HOLE | KEEP_SIZE
_PUNCH_HOLE = 0x02 | 0x01


class TraceFile:
    """The file that the shell of one task appends to; `is_cut` if the disk was too full for some events."""

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self._descriptor: int | None = os.open(path, flags, 0o600)
        self._read_bytes = 0
        self.is_cut = False
        self._unfinished = b""

    def new_lines(self) -> list[str] | None:
        """Complete lines among the next READ_BYTES since the last call; None if nothing was written."""
        if self._descriptor is None:
            return None
        data = os.pread(self._descriptor, READ_BYTES, self._read_bytes)
        if not data:
            return None
        # On other systems than Linux the file just keeps its size until the end.
        if sys.platform.startswith("linux"):
            offset, length = ctypes.c_longlong(self._read_bytes), ctypes.c_longlong(len(data))
            ctypes.CDLL(None).fallocate(self._descriptor, _PUNCH_HOLE, offset, length)
        self._read_bytes += len(data)
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        self.is_cut = self.is_cut or _LOST in lines
        return [line.decode("utf-8", "replace") for line in lines]

    def last_exit(self, pid: int, last_line: int) -> Report | None:
        """The exit that shell `pid` traced, else the status of the list on `last_line` (from 1)."""
        if self._descriptor is None:
            return None
        end = os.fstat(self._descriptor).st_size
        tail = os.pread(self._descriptor, _TAIL_BYTES, max(0, end - _TAIL_BYTES))
        for line in reversed(tail.decode("utf-8", "replace").splitlines()):
            found = _EVENT.fullmatch(line)
            if found is None or int(found["pid"]) != pid:
                continue
            is_last = found["depth"] == _TOP_LEVEL and int(found["line"]) >= last_line
            if found["kind"] == "X" or is_last:
                return Report(int(found["status"]), tuple(map(int, found["statuses"].split())))
        return None

    def close(self) -> None:
        """Close the file, which is not read any more."""
        if self._descriptor is not None:
            self.is_cut = self.is_cut or bool(self._unfinished) or not self._can_grow()
            os.close(self._descriptor)
            self._descriptor = None

    def _can_grow(self) -> bool:
        """Whether the disk has space, so that the shell's last event can have reached the file."""
        assert self._descriptor is not None
        try:
            os.pwrite(self._descriptor, b"\n", os.fstat(self._descriptor).st_size)
        except OSError:
            return False
        return True
