"""The reaper, the third process of a server: ends its tasks when the other two processes cannot.

That is when both have ended, or one has ended and the other is stuck. It is the second process of
a command such as `zsh-ls run`, whose tasks it ends when that has been killed. It knows the
tasks from the server's registry, and ends everything in the server's cgroup if there
is one, else what it finds by the sessions, marks and process tags of the tasks. It
has a different command name, so that `pkill -9 -f zsh-ls` or `killall -9 python3`
does not end all three.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from zsh_ls.tasks.process import processes

from . import cgroup
from .registry import Registry

if TYPE_CHECKING:
    from zsh_ls.tasks.process.processes import Process, Table

GRACE_S = 0.3
# The one of the two that survives should be done after `ender.PATIENCE_S`. If it is not, it is busy in a
# call that holds the GIL; one that is stopped is known at once.
STUCK_AFTER_S = 4.0
LOOKS_EVERY_S = 0.05
# By this time the server has started, so these imports do not slow it down.
PREPARES_AFTER_S = 2.0
_ENDS_WITHIN_S = 0.5
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_COMMAND_NAME = b"orphan-reaper"
# Fields of /proc/PID/stat after the name: the addresses at which the arguments begin and end.
_ARGUMENTS = slice(45, 47)


def reap_after_both(outer_lifeline: int, inner_lifeline: int, registry: Registry) -> None:
    """Wait for the end of both, end what is left of the tasks, and return.

    `outer_lifeline` is closed when the outer process ends, after a byte if nothing
    is left to end; `inner_lifeline` is closed when the server ends.
    """
    outer = os.getppid()
    _stand_aside(outer)

    def both() -> dict[int, int]:
        """The process that holds each lifeline."""
        server = registry.server()
        return {outer_lifeline: outer} | ({inner_lifeline: server.pid} if server else {})

    is_clean, alive = _wait({outer_lifeline, inner_lifeline}, lambda one: both().get(one))
    server = registry.server()
    group = server.group if server else None
    if not is_clean:
        stuck = {pid for lifeline, pid in both().items() if lifeline in alive}
        _end_what_is_left(registry, stuck, set(both().values()) - stuck)
        if group:
            cgroup.end(group)
    if group:
        cgroup.remove(group)


def reap_after_one(lifeline: int, registry: Registry) -> None:
    """Wait for the end of the parent, which has no other supervisor, and end what is left of its tasks.

    `lifeline` is closed when the parent ends, after a byte if nothing is left to end.
    """
    parent = os.getppid()
    _stand_aside(parent)
    ends = select.poll()
    ends.register(lifeline, select.POLLIN)
    if not ends.poll(PREPARES_AFTER_S * 1000):
        prepare()
    if not os.read(lifeline, 1):
        _end_what_is_left(registry, set(), {parent})


def _stand_aside(watched: int) -> None:
    """Be out of reach of what ends `watched`: its process group's signals, and its name."""
    os.setsid()
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _rename_process(watched)


def prepare() -> None:
    """Import what ending needs: later the package may be just being replaced by an upgrade."""
    from zsh_ls.tasks.process import environment  # noqa: F401, PLC0415


def _wait(lifelines: set[int], holder: Callable[[int], int | None]) -> tuple[bool, set[int]]:
    """Wait until both have ended, or one of them and the other is stuck.

    Returns whether nothing is left to end, and the lifelines that are still open.
    """
    arrival = select.poll()
    for lifeline in lifelines:
        arrival.register(lifeline, select.POLLIN)
    alive, is_prepared, survivor = set(lifelines), False, None
    while alive:
        if survivor:
            ready = arrival.poll(LOOKS_EVERY_S * 1000)
            if not ready and survivor.is_stuck():
                break
        else:
            ready = arrival.poll(None if is_prepared else PREPARES_AFTER_S * 1000)
            if not ready:
                prepare()
                is_prepared = True
        for lifeline, _ in ready:
            if os.read(lifeline, 1):
                return True, alive
            arrival.unregister(lifeline)
            alive.discard(lifeline)
        if alive and not survivor and len(alive) < len(lifelines):
            survivor = Survivor(holder(*alive))
    return False, alive


class Survivor:
    """A process that has to end itself and others: whether it does, or is stopped or busy for too long."""

    def __init__(self, pid: int | None) -> None:
        self._pid = pid
        self._since = time.monotonic()
        self._stopped_since: float | None = None

    def is_stuck(self) -> bool:
        """To be asked every LOOKS_EVERY_S; one counts as stopped that was at the look before, too."""
        now = time.monotonic()
        there = processes.stat(self._pid) if self._pid else None
        # Not one that is traced: a debugger stops it for a moment at each system call.
        if there is None or there.state != "T":
            self._stopped_since = None
        elif self._stopped_since is None:
            self._stopped_since = now
        is_stopped = self._stopped_since is not None and now >= self._stopped_since + LOOKS_EVERY_S
        return is_stopped or now >= self._since + STUCK_AFTER_S


def _end_what_is_left(registry: Registry, stuck: set[int], gone: set[int]) -> None:
    """End the stuck processes and what is left of the tasks.

    The stuck ones go first. What a task leaves is their child as long as they live, and nobody reaps it:
    of twenty chains that fork and end every 2 ms they gathered 10,000 dead in 4 s, and each listing of all
    processes took seconds. (Our ends of the tasks' pipes are held here as well, see `held_ends`.)
    """
    from .ender import end_now  # noqa: PLC0415

    stuck_processes = [process for pid in stuck if (process := processes.stat(pid))]
    for process in stuck_processes:
        processes.send(process, signal.SIGSTOP)
    known = [child for process in stuck_processes for child in _latest_children(process.pid)]
    for process in stuck_processes:
        processes.send(process, signal.SIGKILL)
    gone = gone | stuck
    _until(lambda: not any(map(processes.stat, gone)))
    remains = _Remains(registry, gone)
    end_now(remains.find, GRACE_S, remains, known)


def _latest_children(of: int) -> list[Process]:
    """The living children of a process but for this one; of very many, the latest."""
    from .process_tags import LOOKS_WITHIN_S, children  # noqa: PLC0415

    limit = time.monotonic() + LOOKS_WITHIN_S
    found = []
    for pid in reversed(children(of)):
        if time.monotonic() > limit:
            break
        if pid != os.getpid() and (process := processes.stat(pid)):
            found.append(process)
    return found


class _Remains:
    """Finds what is left of tasks: by sessions and marks, and by process tags among orphans."""

    def __init__(self, registry: Registry, gone: set[int]) -> None:
        from zsh_ls.tasks.process.environment import TASK_VARIABLE  # noqa: PLC0415

        self._entries = registry.entries()
        self._variables = frozenset(
            b"%b=%b" % (TASK_VARIABLE, entry.task_id) for entry in self._entries
        )
        # Those that had ended when the last look met them and that nobody has reaped since.
        self._ended: set[int] = set()
        self._spared = frozenset({os.getpid()})
        self._begun = min((entry.started for entry in self._entries), default=0)
        self._tags = {entry.tag for entry in self._entries if entry.tag is not None}
        # Orphans are reparented where this process was.
        self._adopters = {os.getppid(), *gone}

    def find(self, alive: Table) -> set[int]:
        from .kill import Marks  # noqa: PLC0415

        shells: dict[int, bool] = {}
        for entry in self._entries:
            if not entry.pid:
                continue  # it was being started: its processes have its variable and its tag
            there = alive.get(entry.pid)
            lives = there is not None and there.started == entry.started
            shells[entry.pid] = shells.get(entry.pid, False) or lives
        marks = Marks(shells, self._variables, frozenset(), spared=self._spared)
        orphans = [each.pid for each in alive.values() if self._is_orphan(each)]
        below = processes.descendants(orphans, alive) - self._spared
        return marks.find(alive) | below

    @contextlib.contextmanager
    def catching(self, take: Callable[[Process], None]) -> Iterator[None]:
        self._take = take
        yield

    def look(self, since: float) -> bool:
        from .process_tags import LOOKS_WITHIN_S, children  # noqa: PLC0415

        # Init may leave thousands of the dead for a while: to read them all took up to half a second, in
        # which each process of a chain was gone. The latest have had the least time to fork, so they come
        # first. (A number that was given to another process meanwhile is found by `find`.)
        limit = time.monotonic() + LOOKS_WITHIN_S
        there = [pid for parent in self._adopters for pid in reversed(children(parent))]
        ended = self._ended.intersection(there)
        is_cut = False
        for pid in there:
            if pid in ended:
                continue
            if is_cut := time.monotonic() > limit:
                break
            if not (process := processes.stat(pid)):
                ended.add(pid)
            elif self._is_orphan(process):
                self._take(process)
        has_seen_all = not is_cut and ended <= self._ended
        self._ended = ended
        return has_seen_all

    def reap(self) -> None:
        """Do nothing: the orphans are children of other processes, which reap them."""

    def _is_orphan(self, process: Process) -> bool:
        from .process_tags import tag_of  # noqa: PLC0415

        return (
            process.parent in self._adopters
            and process.started >= self._begun
            and process.pid not in self._spared
            and tag_of(process.pid) in self._tags
        )


def _until(condition: Callable[[], bool]) -> None:
    """Wait for `condition`, at most _ENDS_WITHIN_S.

    The kernel closes the lifeline of a process a moment before its children get a new parent.
    """
    limit = time.monotonic() + _ENDS_WITHIN_S
    while not condition() and time.monotonic() < limit:
        time.sleep(0.001)


def _rename_process(outer: int) -> None:
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
