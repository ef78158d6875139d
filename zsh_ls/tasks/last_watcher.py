"""The third process of a server: woken when the other two have gone, or when one has and the other is stuck.

It knows each task's shell and id from a registry that the server writes, and
ends what these leave: all in the server's cgroup where there is one, else the
sessions and marks of its tasks. It bears a name of its own, so that
`pkill -9 -f zsh-ls` or `killall -9 python3` does not reach all three.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys

from . import cgroup

GRACE_S = 0.3
# One of the two that is alone should be done in `kill.end_now`'s patience: later it is stopped,
# or busy in a call that lets no other thread run.
STUCK_AFTER_S = 4.0
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SERVER = b"server"
_COMMAND_NAME = b"orphan-reaper"
_PIECE_BYTES = 1 << 16
# Of /proc/PID/stat behind the name: where the arguments begin and end in memory.
_ARGUMENTS = slice(45, 47)


def registered_server(group: str | None) -> bytes:
    """What the server writes into the registry at first: itself and its cgroup."""
    return b"%d %b %b\n" % (os.getpid(), _SERVER, os.fsencode(group or ""))


def registered(pid: int, task_id: str) -> bytes:
    """What it writes of the shell of each task."""
    return b"%d %b \n" % (pid, task_id.encode())


def watch_both(outer_lifeline: int, registry: int) -> None:
    """Return when there is nothing left to end.

    `outer_lifeline` is closed when the outer process ends, after a byte if all
    is in order; `registry` when the server ends.
    """
    outer = os.getppid()
    os.setsid()
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _take_a_name_of_its_own(outer)
    both = _Both(outer, outer_lifeline, registry)
    both.wait()
    if not both.in_order:
        _end_what_is_left(both)
    if both.group:
        cgroup.remove(both.group)


class _Both:
    """What is known of the outer process and the server."""

    def __init__(self, outer: int, outer_lifeline: int, registry: int) -> None:
        self.in_order = False
        self.group = ""
        self.task_ids: set[bytes] = set()
        self._shells: dict[int, int | None] = {}
        self._outer = outer
        self._server: int | None = None
        self._outer_lifeline = outer_lifeline
        self._registry = registry
        self._open = {outer_lifeline, registry}
        self._unread = b""

    @property
    def stuck(self) -> list[int]:
        """Those that still live."""
        pids = {self._outer_lifeline: self._outer, self._registry: self._server}
        return [pid for lifeline in self._open if (pid := pids[lifeline]) is not None]

    def shells(self) -> dict[int, bool]:
        """The shells of tasks; True for those that live, whose number is not another's by now."""
        return {
            pid: started is not None and started == _started(pid)
            for pid, started in self._shells.items()
        }

    def wait(self) -> None:
        """Until both have gone, or one of them long enough, or all is in order."""
        arrival = select.poll()
        for lifeline in self._open:
            arrival.register(lifeline, select.POLLIN)
        while self._open and not self.in_order:
            patience_ms = STUCK_AFTER_S * 1000 if len(self._open) == 1 else None
            ready = arrival.poll(patience_ms)
            if not ready:
                return
            for lifeline, _ in ready:
                if not self._read(lifeline):
                    arrival.unregister(lifeline)
                    self._open.discard(lifeline)

    def _read(self, lifeline: int) -> bool:
        """Take in what it says; whether it is still open."""
        said = os.read(lifeline, _PIECE_BYTES)
        if lifeline == self._outer_lifeline:
            self.in_order = bool(said)
        else:
            *lines, self._unread = (self._unread + said).split(b"\n")
            for line in lines:
                self._register(line)
        return bool(said)

    def _register(self, line: bytes) -> None:
        pid, task_id, group = line.split(b" ", 2)
        if task_id == _SERVER:
            self._server, self.group = int(pid), os.fsdecode(group)
        else:
            self.task_ids.add(task_id)
            self._shells[int(pid)] = _started(int(pid))


def _end_what_is_left(both: _Both) -> None:
    from .environment import TASK_VARIABLE  # noqa: PLC0415
    from .kill import Marks, end_now  # noqa: PLC0415
    from .processes import Process, descendants, table  # noqa: PLC0415

    variables = frozenset(b"%b=%b" % (TASK_VARIABLE, task_id) for task_id in both.task_ids)
    spared = frozenset({os.getpid()})
    marks = Marks(both.shells(), variables, frozenset(), spared=spared)

    def left() -> list[Process]:
        alive = table()
        below = descendants(both.stuck, alive) - spared
        return [*marks.find(), *(alive[pid] for pid in below)]

    end_now(left, GRACE_S)
    if both.group:
        cgroup.end(both.group)


def _started(pid: int) -> int | None:
    from .processes import stat  # noqa: PLC0415

    process = stat(pid)
    return process.started if process else None


def _take_a_name_of_its_own(outer: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    name = b"%b: ends what tasks of process %d leave" % (_COMMAND_NAME, outer)
    with contextlib.suppress(OSError):
        with open("/proc/self/comm", "wb", buffering=0) as comm:
            comm.write(_COMMAND_NAME)
        with open("/proc/self/stat", "rb") as stat:
            start, end = map(int, stat.read().rpartition(b")")[2].split()[_ARGUMENTS])
        with open("/proc/self/mem", "r+b", buffering=0) as memory:
            memory.seek(start)
            memory.write(name[: end - start - 1].ljust(end - start, b"\0"))
