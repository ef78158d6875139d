"""The list of a server's tasks for the processes that supervise it: each shell, its start and its tag.

It is a shared anonymous file: writing a line wakes no other process, and a supervisor that is started
later can read all of it. A ring buffer of the last 16,384 tasks.
"""

from __future__ import annotations

import contextlib
import os

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.tasks.process import processes

_HEADER_BYTES = 4096
_LINE_BYTES = 64
_LINES = 16_384


class TaskEntry(NamedTuple):
    """A task: process id and start of its shell, both 0 while it is started, its task id and process tag."""

    pid: int
    started: int
    task_id: bytes
    tag: int | None


class ServerEntry(NamedTuple):
    """The server itself, and the cgroup of it and its tasks."""

    pid: int
    started: int
    group: str | None


class Registry:
    """The shared file, written by the server and read by its supervisors."""

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("zsh-ls-registry", os.MFD_CLOEXEC)
        else:
            import tempfile  # noqa: PLC0415  nothing large is imported before the fork

            self._file, path = tempfile.mkstemp()
            os.unlink(path)
        self._written = 0

    def enter_server(self, group: str | None) -> None:
        """Enter this process as the server."""
        line = b"%d %d %b" % (os.getpid(), _started(os.getpid()), os.fsencode(group or ""))
        os.pwrite(self._file, line[: _HEADER_BYTES - 1] + b"\n", 0)

    def expect(self, task_id: str, tag: int | None) -> None:
        """Enter a task whose shell is about to be started: what it starts may be the end of this process."""
        self._write(0, 0, task_id, tag)

    def enter(self, pid: int, task_id: str, tag: int | None) -> None:
        """Enter the shell of the task that was expected."""
        self._write(pid, _started(pid), task_id, tag)
        self._written += 1

    def _write(self, pid: int, started: int, task_id: str, tag: int | None) -> None:
        line = b"%d %d %b %d" % (pid, started, task_id.encode(), -1 if tag is None else tag)
        place = _HEADER_BYTES + self._written % _LINES * _LINE_BYTES
        os.pwrite(self._file, line.ljust(_LINE_BYTES - 1) + b"\n", place)

    def server(self) -> ServerEntry | None:
        """The server; None until it has entered itself."""
        pid, _, rest = os.pread(self._file, _HEADER_BYTES, 0).partition(b"\n")[0].partition(b" ")
        started, _, group = rest.partition(b" ")
        return ServerEntry(int(pid), int(started), os.fsdecode(group) or None) if pid else None

    def entries(self) -> list[TaskEntry]:
        """The tasks that have been entered."""
        lines = os.pread(self._file, _LINES * _LINE_BYTES, _HEADER_BYTES).split(b"\n")
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):  # a line that is just being written
                pid, started, task_id, tag = line.split()
                found.append(
                    TaskEntry(int(pid), int(started), task_id, None if tag == b"-1" else int(tag))
                )
        return found


def _started(pid: int) -> int:
    process = processes.stat(pid)
    return process.started if process else 0
