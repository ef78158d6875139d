"""Ending processes such that no command that follows a running one is started (RUN-10).

A shell goes on when the command it waits for has ended, so parents must end before their children.
All processes are stopped from the top, until a search finds no new one. Then each is sent SIGTERM, which
stays pending in the kernel. Then they are continued from the top, and each handles its SIGTERM before it
does anything else. (Before processes were ended in this order 36 of 210 kills began a following command.)

A process that handles SIGTERM (a trap) has the grace period to clean up, and what it starts during that
is left alone. One that ignores it and could start something stays stopped, with its descendants, until
SIGKILL. That is sent to all that are left after the grace period, or earlier if all of them are stopped.
"""

from __future__ import annotations

import contextlib
import errno
import heapq
import itertools
import logging
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.processes import Identity, Process, Table

from . import process_tags

log = logging.getLogger(__name__)

PATIENCE_S = 2.0
# Nobody waits for an answer of who ends what a dead server left.
_CHASED_WITHOUT_ANSWER_S = 30.0
_TERM, _KILL, _STOP, _CONT = signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT
# How long stopping all may take: processes that keep forking and ending are caught one by one.
_STOPS_WITHIN_S = 0.5
# A process in uninterruptible sleep for longer counts as stopped: it handles its signals at wakeup.
_UNINTERRUPTIBLE_S = 0.02
_HANDLES_WITHIN_S = 0.2
# A start that takes longer is left to `_terminate_started`. When a start was not waited for, 6 of 137 kills
# of a dash that was starting a command left no grace period to its trap; since then 0 of 900.
_SETTLES_WITHIN_S = 0.5
# Of 200 kills of a bash with a trap 2 stopped it between its last look for signals and its fork, and it
# began one more command without SIGTERM; since it is continued until it waits, 0 of 1,000.
_IS_FOUND_WAITING_WITHIN_S = 0.1
_PAUSE_S = 0.0005
_FIRST_LOOK_S = 0.001
_LAST_LOOK_S = 0.05
_QUIET_LOOKS = 3
# How many looks at least are made for newcomers, whatever time they take: while a torrent lasts, a listing
# of all processes takes seconds (22 s once, of which 32,000 dead were the fruit).
_LEAST_LOOKS = 40
_AGREEING_LOOKS = 2
_SPARE_DESCRIPTORS = 6
# A process that ignores TERM and has no child gets the grace period, but not these programs: they start
# one command after another.
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "yash", "busybox", "fish")
_RUNNERS = (*_SHELLS, "make", "gmake", "xargs", "find", "parallel")

# Said where there is neither /proc nor `ps`.
CANNOT_LIST = (
    "processes cannot be listed here, as there is neither /proc nor ps: a kill ends the process group of the "
    "task's shell, and what has left that goes on"
)

Find = Callable[[Table], set[int]]
# The process numbers of shells that have not been reaped yet; each leads a process group.
Leaders = Callable[[], AbstractSet[int]]
Steps = Generator[float, None, bool]
_Pauses = Generator[float, None, None]
_Got = TypeVar("_Got")


class NewcomerSource(Protocol):
    """Finds processes that are reparented to this one as their parents have ended; see `process_tags`."""

    def catching(self, take: Callable[[Process], None]) -> AbstractContextManager[None]:
        """Within the context, `take` is called for each living process that `look` finds."""
        ...

    def look(self, since: float) -> bool:
        """Look for newcomers, unless the last look began after `since`.

        Returns whether it has seen all: none had ended meanwhile, whose child it may have missed.
        """
        ...

    def reap(self) -> None:
        """Reap dead newcomers."""
        ...


class ProcessTables:
    """Listings of all processes but those of detached runs, shared by all endings that need one then."""

    def __init__(self) -> None:
        self._began = -1.0
        self._table: Table = {}

    def since(self, moment: float) -> Table:
        """A listing that began after `moment`."""
        from . import keepers  # noqa: PLC0415

        if self._began <= moment:
            began = time.monotonic()
            self._table = _careful(lambda: keepers.without_kept(processes.table()))
            self._began = began
        return self._table


def end_now(
    find: Find, grace_s: float, newcomers: NewcomerSource, known: Iterable[Process] = ()
) -> bool:
    """End `known` and all that `find` finds, in this thread; see `ending`."""
    tables = ProcessTables()
    steps = ending(
        find, grace_s, newcomers, tables, shells=known, chased_s=_CHASED_WITHOUT_ANSWER_S
    )
    while True:
        try:
            time.sleep(next(steps))
        except StopIteration as end:
            return bool(end.value)


def ending(
    find: Find,
    grace_s: float,
    newcomers: NewcomerSource,
    tables: ProcessTables,
    *,
    shells: Iterable[Process] = (),
    leaders: Leaders = frozenset,
    chased_s: float = PATIENCE_S,
) -> Steps:
    """End all that `find` finds among the living processes, with SIGKILL what is left after `grace_s`.

    That begins when all have been sent SIGTERM and go on: on a busy machine stopping them takes as long.
    Begins with `shells`; `newcomers` quickly finds processes that are reparented to this one. A generator
    that yields the seconds until it wants to be resumed, and returns whether there was anything to end.
    It ends when nothing is left but processes this user may not signal (`sudo`), or processes that the
    kernel does not end within PATIENCE_S after SIGKILL; while new ones are still found, it goes on for at
    most `chased_s`. Where processes cannot be listed, the process groups of the living `leaders` are ended,
    and a warning says what that leaves.
    """
    tree = _Tree(find, newcomers, tables)
    deadline = time.monotonic() + grace_s
    # This process at least is in every listing.
    if not processes.HAS_PROC and not tables.since(-1.0):
        groups = leaders()
        if groups:
            log.warning("%s", CANNOT_LIST)
        return (yield from _end_groups(groups, deadline))
    try:
        yield from tree.stop(shells)
        if not tree.members and not (yield from tree.left(deadline)):
            return False
        yield from tree.settle()
        tree.terminate()
        yield from tree.resume()
        if (yield from tree.wait(time.monotonic() + grace_s)):
            yield from tree.kill(chased_s)
    except Exception:  # as out of descriptors or memory: known processes must not be left stopped
        tree.kill_known()
        raise
    return bool(tree.members)


def _end_groups(groups: AbstractSet[int], deadline: float) -> Steps:
    """End these process groups: stopped while SIGTERM is sent, so that nothing more is begun."""
    for number in (_STOP, _TERM, _CONT):
        for group in groups:
            _send_to_group(group, number)
    pause_s = _FIRST_LOOK_S
    left = groups
    # A group that is left when its leader has been reaped keeps its number from being used again.
    while left := {group for group in left if _send_to_group(group, 0)}:
        if time.monotonic() > deadline:
            for group in left:
                _send_to_group(group, _KILL)
            break
        yield pause_s
        pause_s = min(pause_s * 2, _LAST_LOOK_S)
    return bool(groups)


def _send_to_group(group: int, number: int) -> bool:
    """Send a signal to a process group; returns whether there is one that this user may signal."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


class _Tree:
    """The processes to be ended, as they were when first seen."""

    def __init__(self, find: Find, newcomers: NewcomerSource, tables: ProcessTables) -> None:
        self.members: dict[Identity, Process] = {}
        self._find = find
        self._newcomers = newcomers
        self._tables = tables
        # A listing from before the last signal does not show its effect.
        self._acted = time.monotonic()
        # Processes of other users, which cannot be sent signals.
        self._untouchable: set[Identity] = set()
        # Stopped until SIGKILL, and continued after SIGTERM.
        self._held: set[Identity] = set()
        self._resumed: set[Identity] = set()
        # Children of untouchable ones, not stopped: sudo stops with its child, and could not be continued.
        self._running: set[Identity] = set()
        # Continued, but blocking SIGTERM: their descendants are still stopped.
        self._blocking: list[Process] = []
        # Still starting a child after `settle` has given up waiting for that.
        self._starting: list[Process] = []
        # Stopped between fork and exec, by command: SIGTERM was handled by the trap of the parent's code.
        self._copies: dict[Identity, str] = {}

    # -- stopping -----------------------------------------------------------------------------------

    def stop(self, shells: Iterable[Process] = ()) -> _Pauses:
        """Stop all, beginning with `shells`, until a search after all have stopped finds no new one."""
        limit = time.monotonic() + _STOPS_WITHIN_S
        with self._newcomers.catching(self._take):
            for shell in shells:
                self._take(shell)
            while True:
                known = len(self.members)
                yield from self._catch(limit)
                self._stop(self._look())
                yield from self._until_stopped(limit)
                yield from self._rest(_PAUSE_S)
                if len(self.members) <= known or time.monotonic() > limit:
                    return

    def settle(self) -> _Pauses:
        """Let processes that were stopped while they start a child finish that.

        Otherwise the child would miss its SIGTERM, and its parent would wait for it: a shell blocks SIGTERM
        during a fork, or repeats the system call when it is continued, or waits for its child's exec. Each
        is continued for a moment and stopped again, together with its descendants: a shell with job control
        must not see a stopped job.

        A shell with a trap looks for signals that came before it forks, and not again between that and the
        fork, where nothing shows what it is about to do. So it is continued until it is found waiting, for
        what it has started as a rule; one that computes is given up earlier, as it may never wait.
        """
        began = time.monotonic()
        pause_s = _PAUSE_S
        while True:
            waited_s = time.monotonic() - began
            self._starting = [
                process
                for process in self.members.values()
                if process.identity not in self._running and _is_starting(process)
            ]
            unsettled = list(self._starting)
            if waited_s < _IS_FOUND_WAITING_WITHIN_S:
                unsettled += [
                    process
                    for process in self.members.values()
                    if process.identity not in self._running and _may_be_about_to_start(process)
                ]
            if not unsettled or waited_s > _SETTLES_WITHIN_S:
                return
            known = {process.pid: process for process in self.members.values()}
            below = processes.descendants([process.pid for process in unsettled], known)
            continued = _parents_first(known[pid] for pid in below)
            for process in reversed(continued):
                self._send(process, _CONT)
            yield from self._rest(pause_s)
            pause_s = min(pause_s * 2, _UNINTERRUPTIBLE_S)
            for process in continued:
                self._send(process, _STOP)
            yield from self.stop()

    def _take(self, process: Process) -> None:
        """Stop a process and its descendants at once: listing all processes can take long."""
        from . import keepers  # noqa: PLC0415

        if process.identity in self.members or process.identity in keepers.roots():
            return
        if not self._send(process, _STOP):
            return
        self.members[process.identity] = process
        for pid in _careful(process_tags.children, process.pid):
            if child := _careful(processes.stat, pid):
                self._take(child)

    def _catch(self, limit: float) -> _Pauses:
        """Stop newcomers, until several looks have found no new one.

        A chain of processes that fork and end faster than /proc is read escapes a search, but its
        next member always becomes a child of the subreaper, where a look finds it.
        """
        quiet_looks, looks, looked = 0, 0, 0.0
        while quiet_looks < _QUIET_LOOKS and (looks < _LEAST_LOOKS or time.monotonic() < limit):
            looks += 1
            known = len(self.members)
            has_seen_all = _careful(self._newcomers.look, looked)
            looked = time.monotonic()
            quiet_looks = quiet_looks + 1 if has_seen_all and len(self.members) == known else 0
            yield 0.0

    def _stop(self, found: Iterable[Process]) -> bool:
        """Stop those that are not members yet, parents first; returns whether there were any."""
        new = [process for process in found if process.identity not in self.members]
        untouchable = {pid for pid, _ in self._untouchable}
        for process in _parents_first(new):
            if process.parent in untouchable:
                self._running.add(process.identity)
            if process.parent in untouchable or self._send(process, _STOP):
                self.members[process.identity] = process
        return bool(new)

    def _until_stopped(self, limit: float) -> _Pauses:
        began = time.monotonic()
        running = [self.members[each] for each in self.members.keys() - self._running]
        while running and (now := time.monotonic()) < limit:
            states = (_careful(processes.stat, process.pid) for process in running)
            running = [
                process
                for process, there in zip(running, states, strict=True)
                if there is not None
                and there.started == process.started
                and not there.is_stopped
                and not (there.state == "D" and now > began + _UNINTERRUPTIBLE_S)
            ]
            if running:
                yield _PAUSE_S

    # -- SIGTERM ------------------------------------------------------------------------------------

    def terminate(self) -> None:
        """Send SIGTERM to all, and determine which stay stopped until SIGKILL."""
        pids = {process.pid: process for process in self.members.values()}
        parents = {process.parent for process in self.members.values()}
        for process in _parents_first(self.members.values()):
            state = _careful(processes.signal_state, process.pid, _TERM)
            parent = pids.get(process.parent)
            is_below = parent is not None and parent.identity in self._held
            name = _name(process.pid)
            starts_more = process.pid in parents or name in _RUNNERS
            if is_below or (state is not None and state.ignored and starts_more):
                self._held.add(process.identity)
            if parent is not None and (program := _program(process.pid)) == _program(parent.pid):
                self._copies[process.identity] = program
            self._send(process, _TERM)

    def resume(self) -> _Pauses:
        """Continue all but the held ones, from the top, each after its parent has handled SIGTERM."""
        pids = {process.pid for process in self.members.values()}
        yield from self._resume_from(
            [process for process in self.members.values() if process.parent not in pids]
        )

    def _resume_from(self, level: list[Process]) -> _Pauses:
        """Continue these and their descendants; the jobs of a shell before the shell.

        When a shell with job control ends, the kernel sends SIGHUP to its jobs that have a stopped process,
        which would end processes that only handle SIGTERM. (The shell cannot start anything in between: its
        SIGTERM is pending.)
        """
        while level:
            continued = []
            for process in level:
                if process.identity in self._held | self._resumed:
                    continue
                jobs = [child for child in self._children(process) if child.group != process.group]
                yield from self._resume_from(jobs)
                self._resumed.add(process.identity)
                self._send(process, _CONT)
                continued.append(process)
            limit = time.monotonic() + _HANDLES_WITHIN_S
            pending = continued
            while (pending := [each for each in pending if not _has_handled_term(each)]) and (
                time.monotonic() < limit
            ):
                yield _PAUSE_S
            # A process handles it before anything else, unless it blocks it, as bash does during a fork.
            self._blocking += [each for each in pending if _blocks_term(each)]
            blocking = {process.identity for process in self._blocking}
            level = [
                child
                for process in continued
                for child in self._children(process)
                if process.identity not in blocking or self._is_awaited(process, child)
            ]

    def _is_awaited(self, parent: Process, child: Process) -> bool:
        """Whether the parent handles no signal before the child has called exec (vfork)."""
        there = _careful(processes.stat, parent.pid)
        return there is not None and there.state == "D" and child.identity in self._copies

    def _children(self, of: Process) -> list[Process]:
        return [
            process
            for process in self.members.values()
            if process.parent == of.pid and process.identity not in self._held | self._resumed
        ]

    # -- the grace period and SIGKILL ---------------------------------------------------------------

    def wait(self, deadline: float) -> Steps:
        """Wait until nothing is left, or only held processes, or the grace period is over.

        Returns whether anything is left.
        """
        pause_s = _FIRST_LOOK_S
        while left := (yield from self.left(deadline)):
            now = time.monotonic()
            if now >= deadline or all(process.identity in self._held for process in left):
                return True
            if unblocked := [each for each in self._blocking if _has_handled_term(each)]:
                self._blocking = [each for each in self._blocking if each not in unblocked]
                children = [child for each in unblocked for child in self._children(each)]
                yield from self._resume_from(children)
            self._terminate_started(left)
            self._terminate_copies()
            self._newcomers.reap()
            yield from self._rest(min(pause_s, deadline - now))
            pause_s = min(pause_s * 2, _LAST_LOOK_S)
        return time.monotonic() >= deadline

    def _terminate_started(self, left: list[Process]) -> None:
        """Send SIGTERM to children whose start took long, for which a trap of their parent may wait."""
        for parent in [process for process in self._starting if _has_handled_term(process)]:
            self._starting.remove(parent)
            children = [each for each in left if each.parent == parent.pid]
            new = [each.pid for each in children if each.identity not in self.members]
            there = {process.pid: process for process in left}
            for process in _parents_first(there[pid] for pid in processes.descendants(new, there)):
                self.members[process.identity] = process
                self._resumed.add(process.identity)
                if (program := _program(process.pid)) == _program(process.parent):
                    self._copies[process.identity] = program
                self._send(process, _TERM)

    def _terminate_copies(self) -> None:
        """Send SIGTERM again to children that have called exec since their copy of a trap handled it."""
        for identity, program in list(self._copies.items()):
            if _program(identity[0]) != program:
                del self._copies[identity]
                self._send(self.members[identity], _TERM)

    def kill(self, chased_s: float) -> _Pauses:
        """Stop what is left and send it SIGKILL, until nothing is left.

        Gives up PATIENCE_S after the last new one was sent SIGKILL, and `chased_s` after it began.
        """
        pause_s = _FIRST_LOOK_S
        last = time.monotonic() + chased_s
        # Before anything is listed: what forks on makes a listing slow, and on a busy machine one took longer
        # than PATIENCE_S, after which those that were held stopped had been left without SIGKILL.
        self._stop_again(self.members.values())
        with self._newcomers.catching(self._take):
            yield from self._catch(time.monotonic() + _STOPS_WITHIN_S)
        self._kill_members()
        limit = min(last, time.monotonic() + PATIENCE_S)
        while left := (yield from self.left(limit)):
            known = len(self.members)
            self._stop(left)
            self._stop_again(left)
            yield from self.stop()
            self._kill_members()
            if len(self.members) > known:
                limit = min(last, time.monotonic() + PATIENCE_S)
            if time.monotonic() >= limit:
                return
            yield from self._rest(pause_s)
            pause_s = min(pause_s * 2, _LAST_LOOK_S)

    def _stop_again(self, some: Iterable[Process]) -> None:
        for process in _parents_first(some):
            if process.identity in self._resumed:
                self._send(process, _STOP)

    def _kill_members(self) -> None:
        for process in _parents_first(self.members.values()):
            self._send(process, _KILL)

    def kill_known(self) -> None:
        """Send SIGKILL to all known members, without another search."""
        for process in self.members.values():
            with contextlib.suppress(OSError):
                processes.send(process, _KILL)

    # -- searching ----------------------------------------------------------------------------------

    def left(self, limit: float) -> Generator[float, None, list[Process]]:
        """The processes that are left.

        Empty only if two searches in a row have seen all and found none, or at `limit`. A listing of all
        processes takes longer than a process of a chain lives: under load 1 of 3 kills of twenty chains
        left one, as two listings had missed it; since dead newcomers count as well, 0 of 30.
        """
        from . import keepers  # noqa: PLC0415

        quiet_looks, has_looked = 0, False
        while quiet_looks < _AGREEING_LOOKS and (not has_looked or time.monotonic() < limit):
            has_looked = True
            if left := self._look():
                return left
            arrived: list[Process] = []
            with self._newcomers.catching(arrived.append):
                has_seen_all = _careful(self._newcomers.look, self._acted)
            spared = self._untouchable | (keepers.roots() if arrived else set())
            if arrived := [each for each in arrived if each.identity not in spared]:
                return arrived
            quiet_looks = quiet_looks + 1 if has_seen_all else 0
            yield from self._rest(_PAUSE_S)
        return []

    def _look(self) -> list[Process]:
        """All living processes that are found or are members, with their descendants."""
        alive = self._tables.since(self._acted)
        found = _careful(self._find, alive)
        known = [
            pid for pid, started in self.members if pid in alive and alive[pid].started == started
        ]
        found |= processes.descendants(known, alive)
        return [alive[pid] for pid in found if alive[pid].identity not in self._untouchable]

    def _rest(self, pause_s: float) -> _Pauses:
        """Pause; the next listing must begin after now, and serves all endings that wait at that time."""
        self._acted = time.monotonic()
        yield pause_s

    def _send(self, process: Process, number: signal.Signals) -> bool:
        """Send a signal; returns whether this user may."""
        self._acted = time.monotonic()
        may = _careful(processes.send, process, number)
        if not may:
            self._untouchable.add(process.identity)
            self.members.pop(process.identity, None)
        return may


def _parents_first(some: Iterable[Process]) -> list[Process]:
    """Sorted by depth in the process tree, then by start."""
    listed = {process.pid: process for process in some}

    def depth(process: Process) -> int:
        above, seen = 0, {process.pid}
        while (parent := listed.get(process.parent)) and parent.pid not in seen:
            above, process = above + 1, parent
            seen.add(parent.pid)
        return above

    return sorted(listed.values(), key=lambda process: (depth(process), process.started))


def _has_handled_term(process: Process) -> bool:
    """Whether it has ended, or its SIGTERM is not pending any more."""
    there = _careful(processes.stat, process.pid)
    if there is None or there.started != process.started:
        return True
    state = _careful(processes.signal_state, process.pid, _TERM)
    return state is None or not state.pending


def _blocks_term(process: Process) -> bool:
    state = _careful(processes.signal_state, process.pid, _TERM)
    return state is not None and state.blocked


def _is_starting(process: Process) -> bool:
    """Whether it is starting a child: it is in that system call, or a shell that blocks SIGTERM for it."""
    there = _careful(processes.stat, process.pid)
    if there is None or there.started != process.started:
        return False
    return _careful(processes.is_forking, process.pid) or (
        _blocks_term(process) and _name(process.pid) in _SHELLS
    )


def _may_be_about_to_start(process: Process) -> bool:
    """Whether it is a shell that catches SIGTERM and does not wait for anything."""
    if _careful(processes.is_waiting, process.pid) or _name(process.pid) not in _SHELLS:
        return False
    state = _careful(processes.signal_state, process.pid, _TERM)
    return state is not None and state.caught


def _name(pid: int) -> str:
    with (
        contextlib.suppress(OSError),
        open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file,
    ):
        return file.read().strip()
    return ""


def _program(pid: int) -> str:
    """The executable and arguments; those of a child before exec equal its parent's."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        return os.readlink(f"/proc/{pid}/exe") + file.read().decode(errors="replace")
    return ""


# -- spare descriptors ------------------------------------------------------------------------------


class _Reserve:
    """Descriptors held in reserve, released for the time of a search when no more can be opened."""

    def __init__(self) -> None:
        self._held: list[int] = []
        self._lock = threading.Lock()

    def fill(self) -> None:
        """Open as many as are needed, or as can be opened."""
        with self._lock, contextlib.suppress(OSError):
            while len(self._held) < _SPARE_DESCRIPTORS:
                self._held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def empty(self) -> None:
        """Close them."""
        with self._lock:
            while self._held:
                os.close(self._held.pop())


_reserve = _Reserve()


def _careful(call: Callable[..., _Got], *arguments: object) -> _Got:
    """The result of `call`; out of descriptors, it is repeated with those of the reserve."""
    try:
        return call(*arguments)
    except OSError as refused:
        if refused.errno not in (errno.EMFILE, errno.ENFILE):
            raise
    _reserve.empty()
    try:
        return call(*arguments)
    finally:
        _reserve.fill()


class Ender:
    """Runs any number of endings at once in one thread, started early as it may fail to start later."""

    def __init__(self) -> None:
        _reserve.fill()
        self._tables = ProcessTables()
        self._requests: queue.SimpleQueue[tuple[Steps, Future[bool]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="zsh-ls-ender", daemon=True).start()

    def end(
        self,
        find: Find,
        grace_s: float,
        newcomers: NewcomerSource,
        shells: Iterable[Process],
        leaders: Leaders,
    ) -> Future[bool]:
        """Start an ending, see there; the result is whether there was anything to end."""
        future: Future[bool] = Future()
        # Whoever waits may be cancelled, the ending not: its result could not be set any more.
        future.set_running_or_notify_cancel()
        steps = ending(find, grace_s, newcomers, self._tables, shells=shells, leaders=leaders)
        self._requests.put((steps, future))
        return future

    def close(self) -> None:
        """Accept no more endings; the thread ends with the last one."""
        self._requests.put(None)

    def _run(self) -> None:
        due: list[tuple[float, int, Steps, Future[bool]]] = []
        numbers = itertools.count()
        is_open = True
        while is_open or due:
            wait_s = max(0.0, due[0][0] - time.monotonic()) if due else None
            with contextlib.suppress(queue.Empty):
                while True:
                    request = self._requests.get(timeout=wait_s) if is_open or due else None
                    if request is None:
                        is_open = False
                        break
                    heapq.heappush(due, (time.monotonic(), next(numbers), *request))
                    wait_s = 0.0
            while due and due[0][0] <= time.monotonic():
                _, _, steps, future = heapq.heappop(due)
                try:
                    again = time.monotonic() + next(steps)
                except StopIteration as end:
                    future.set_result(end.value)
                except Exception as error:  # whoever waits for the future must get a result
                    future.set_exception(error)
                else:
                    heapq.heappush(due, (again, next(numbers), steps, future))
