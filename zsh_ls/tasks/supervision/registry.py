"""What a server tells those that watch over it of its tasks: each shell, with when it started and its tag.

A file without a name that they share: writing a line wakes nobody, and a watcher that is started later
reads what the one before it could have read. A ring: of the last 16,000 tasks or so.
"""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

from zsh_ls.tasks.process import processes

_HEADER_BYTES = 4096
_LINE_BYTES = 64
_LINES = 16_384


class TaskEntry(NamedTuple):
    """A task: its shell by number and start, its id, the process tag."""

    pid: int
    started: int
    task_id: bytes
    tag: int | None


class ServerEntry(NamedTuple):
    """The server itself, and the cgroup it and its tasks are in."""

    pid: int
    started: int
    group: str | None


class Registry:
    """The file, in each of the processes that share it."""

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("zsh-ls-registry", os.MFD_CLOEXEC)
        else:
            import tempfile  # noqa: PLC0415 - nothing heavy before the fork

            self._file, path = tempfile.mkstemp()
            os.unlink(path)
        self._written = 0

    def enter_server(self, group: str | None) -> None:
        """This process is the server."""
        line = b"%d %d %b" % (os.getpid(), _started(os.getpid()), os.fsencode(group or ""))
        os.pwrite(self._file, line[: _HEADER_BYTES - 1] + b"\n", 0)

    def enter(self, pid: int, task_id: str, tag: int | None) -> None:
        """A task's shell was started by this process."""
        line = b"%d %d %b %d" % (pid, _started(pid), task_id.encode(), -1 if tag is None else tag)
        place = _HEADER_BYTES + self._written % _LINES * _LINE_BYTES
        self._written += 1
        os.pwrite(self._file, line.ljust(_LINE_BYTES - 1) + b"\n", place)

    def server(self) -> ServerEntry | None:
        """The server, once it has entered itself."""
        pid, _, rest = os.pread(self._file, _HEADER_BYTES, 0).partition(b"\n")[0].partition(b" ")
        started, _, group = rest.partition(b" ")
        return ServerEntry(int(pid), int(started), os.fsdecode(group) or None) if pid else None

    def entries(self) -> list[TaskEntry]:
        """The tasks that were entered."""
        lines = os.pread(self._file, _LINES * _LINE_BYTES, _HEADER_BYTES).split(b"\n")
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):  # what is being written
                pid, started, task_id, tag = line.split()
                found.append(
                    TaskEntry(int(pid), int(started), task_id, None if tag == b"-1" else int(tag))
                )
        return found


def _started(pid: int) -> int:
    process = processes.stat(pid)
    return process.started if process else 0
