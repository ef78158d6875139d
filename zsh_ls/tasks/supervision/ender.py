"""Ending processes so that nothing that stands behind a running command is begun (RUN-10).

A shell goes on when the command it waits for has ended, so parents end before their children: all are
stopped from the top, until a look at what is there finds nobody new; then each is sent its TERM, which
waits in the kernel; then they go on from the top, and each takes its TERM before it does anything else.
Who minds TERM (a trap) has the grace to clean up, and what it starts meanwhile is left alone. Who ignores
it and could begin something stays stopped with all below it until the KILL, which comes to all that are
left when the grace is over, and before that if none of them can do anything any more.
"""

from __future__ import annotations

import contextlib
import errno
import heapq
import itertools
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.processes import Identity, Process, Table

from . import process_tags

PATIENCE_S = 2.0
_TERM, _KILL, _STOP, _CONT = signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT
# So long it may take until all are stopped: what forks and ends all the time is caught one by one.
_STOPS_WITHIN_S = 0.5
# In the kernel's own hands for longer than this, it takes its signals when it leaves them.
_UNINTERRUPTIBLE_S = 0.02
_TAKES_WITHIN_S = 0.2
_SETTLES_WITHIN_S = 0.5
_PAUSE_S = 0.0005
_FIRST_LOOK_S = 0.001
_LAST_LOOK_S = 0.05
_QUIET_LOOKS = 3
_SPARE_DESCRIPTORS = 6
# What ignores TERM and has no child is given the grace, but for programs that begin one after another.
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "yash", "busybox", "fish")
_RUNNERS = (*_SHELLS, "make", "gmake", "xargs", "find", "parallel")

Find = Callable[[Table], set[int]]
Steps = Generator[float, None, bool]
_Pauses = Generator[float, None, None]
_Got = TypeVar("_Got")


class NewcomerSource(Protocol):
    """Who comes to this process because the parent has ended; see `lineage`."""

    def catching(self, take: Callable[[Process], None]) -> AbstractContextManager[None]:
        """Within, `take` is called for each that a look finds alive, at once."""
        ...

    def look(self, since: float) -> None:
        """Find who there is, unless a look did that began after `since`."""
        ...

    def reap(self) -> None:
        """Let go of those who are dead, so that they are in nobody's way."""
        ...


class Looks:
    """What processes there are, read once for all who want to know at the same time."""

    def __init__(self) -> None:
        self._began = -1.0
        self._table: Table = {}

    def since(self, moment: float) -> Table:
        """All that live; whoever lived since `moment`, and no longer does, may be missing."""
        if self._began <= moment:
            began = time.monotonic()
            self._table = _careful(processes.table)
            self._began = began
        return self._table


def end_now(find: Find, grace_s: float, newcomers: NewcomerSource) -> bool:
    """End all that `find` finds, now and in this thread; see `ending`."""
    steps = ending(find, grace_s, newcomers, Looks())
    while True:
        try:
            time.sleep(next(steps))
        except StopIteration as end:
            return bool(end.value)


def ending(
    find: Find,
    grace_s: float,
    newcomers: NewcomerSource,
    looks: Looks,
    shells: Iterable[Process] = (),
) -> Steps:
    """End all that `find` finds among the processes that live, KILL what is left after `grace_s`.

    `shells` are to begin with, `newcomers` is a quick look at who has just come to this process. Gives the
    seconds until it wants to go on, in the end whether there was anything to end. Over when nothing is left
    but what this user may not end (`sudo`), or what the kernel itself does not let go of for PATIENCE_S
    after KILL.
    """
    all_of_it = _Tree(find, newcomers, looks)
    deadline = time.monotonic() + grace_s
    try:
        yield from all_of_it.stop(shells)
        if not all_of_it.members:
            return False
        yield from all_of_it.settle()
        all_of_it.tell()
        yield from all_of_it.let_go()
        if (yield from all_of_it.wait(deadline)):
            yield from all_of_it.kill(time.monotonic() + PATIENCE_S)
    except OSError:  # the system gives nothing any more: what is known must not be left stopped
        all_of_it.kill_known()
        raise
    return bool(all_of_it.members)


class _Tree:
    """All processes to be ended, from when they were first seen. Those of other users are `beyond`."""

    def __init__(self, find: Find, newcomers: NewcomerSource, looks: Looks) -> None:
        self.members: dict[Identity, Process] = {}
        self._find = find
        self._newcomers = newcomers
        self._looks = looks
        # What was read before this tree last did something says nothing of what came of it.
        self._acted = time.monotonic()
        self._beyond: set[Identity] = set()
        self._held: set[Identity] = set()
        self._let_go: set[Identity] = set()
        # Not stopped, as its parent is not: sudo stops with its child, and this user could not let it go on.
        self._running: set[Identity] = set()
        # Continued, but has not taken its TERM yet: what is below it is stopped still.
        self._deaf: list[Process] = []
        # Stopped while they start a child, for longer than was waited for.
        self._starting: list[Process] = []
        # Between fork and exec when they were stopped: their TERM went to their parent's trap.
        self._copies: dict[Identity, str] = {}

    # -- stopping -----------------------------------------------------------------------------------

    def stop(self, shells: Iterable[Process] = ()) -> _Pauses:
        """Stop all, from the top, until a look that began when all had stopped finds nobody new.

        `shells` are where to begin.
        """
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
        """Nobody is to stay stopped while it starts a child: that would be told nothing, and waited for.

        A shell blocks TERM meanwhile, or makes the call once more when it goes on, or waits for its child's
        exec. Each goes on for a moment with all below it, as a shell with job control must see no job that
        is stopped, and is stopped again.
        """
        limit = time.monotonic() + _SETTLES_WITHIN_S
        pause_s = _PAUSE_S
        while (
            starting := [
                process
                for process in self.members.values()
                if process.identity not in self._running and _is_starting(process)
            ]
        ) and time.monotonic() < limit:
            known = {process.pid: process for process in self.members.values()}
            below = processes.descendants([process.pid for process in starting], known)
            going_on = _parents_first(known[pid] for pid in below)
            for process in reversed(going_on):
                self._send(process, _CONT)
            yield from self._rest(pause_s)
            pause_s = min(pause_s * 2, _UNINTERRUPTIBLE_S)
            for process in going_on:
                self._send(process, _STOP)
            yield from self.stop()
        self._starting = starting

    def _take(self, process: Process) -> None:
        """Stop one, and at once those below it: a look at all there is takes long where many live."""
        if process.identity in self.members or not self._send(process, _STOP):
            return
        self.members[process.identity] = process
        for pid in _careful(process_tags.children, process.pid):
            if child := _careful(processes.stat, pid):
                self._take(child)

    def _catch(self, limit: float) -> _Pauses:
        """Stop those who come to this process, until nobody new has for a moment."""
        quiet_looks, looked = 0, 0.0
        while quiet_looks < _QUIET_LOOKS and time.monotonic() < limit:
            known = len(self.members)
            _careful(self._newcomers.look, looked)
            looked = time.monotonic()
            quiet_looks = 0 if len(self.members) > known else quiet_looks + 1
            yield 0.0

    def _stop(self, found: Iterable[Process]) -> bool:
        """Stop those who are not stopped yet, parents first; whether there was any."""
        new = [process for process in found if process.identity not in self.members]
        beyond = {pid for pid, _ in self._beyond}
        for process in _parents_first(new):
            if process.parent in beyond:
                self._running.add(process.identity)
            if process.parent in beyond or self._send(process, _STOP):
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

    # -- asking them to end -------------------------------------------------------------------------

    def tell(self) -> None:
        """Send each its TERM, and find out who is not to go on before its KILL."""
        pids = {process.pid: process for process in self.members.values()}
        parents = {process.parent for process in self.members.values()}
        for process in _parents_first(self.members.values()):
            regard = _careful(processes.regard, process.pid, _TERM)
            parent = pids.get(process.parent)
            is_below = parent is not None and parent.identity in self._held
            name = _name(process.pid)
            begins_more = process.pid in parents or name in _RUNNERS
            if is_below or (regard is not None and regard.ignored and begins_more):
                self._held.add(process.identity)
            if parent is not None and (program := _program(process.pid)) == _program(parent.pid):
                self._copies[process.identity] = program
            self._send(process, _TERM)

    def let_go(self) -> _Pauses:
        """Let all but the held go on, from the top, each when the one above it has taken its TERM."""
        pids = {process.pid for process in self.members.values()}
        yield from self._let_go_from(
            [process for process in self.members.values() if process.parent not in pids]
        )

    def _let_go_from(self, level: list[Process]) -> _Pauses:
        """Let these and all below them go on; the jobs of a shell, with all below them, before the shell.

        When a shell with job control ends, the kernel sends HUP to those of its jobs in which somebody is
        stopped, which would end what minds TERM alone. (The shell cannot begin anything: its TERM waits.)
        """
        while level:
            gone_on = []
            for process in level:
                if process.identity in self._held | self._let_go:
                    continue
                jobs = [child for child in self._children(process) if child.group != process.group]
                yield from self._let_go_from(jobs)
                self._let_go.add(process.identity)
                self._send(process, _CONT)
                gone_on.append(process)
            limit = time.monotonic() + _TAKES_WITHIN_S
            deaf = gone_on
            while (deaf := [each for each in deaf if not _has_taken(each)]) and (
                time.monotonic() < limit
            ):
                yield _PAUSE_S
            # It takes it before it does anything else, unless it blocks it, as bash does while it forks.
            self._deaf += [each for each in deaf if _blocks(each)]
            waiting = {process.identity for process in self._deaf}
            level = [
                child
                for process in gone_on
                for child in self._children(process)
                if process.identity not in waiting or self._is_awaited(process, child)
            ]

    def _is_awaited(self, parent: Process, child: Process) -> bool:
        """Whether the parent can take no signal before the child has called exec (vfork)."""
        there = _careful(processes.stat, parent.pid)
        return there is not None and there.state == "D" and child.identity in self._copies

    def _children(self, of: Process) -> list[Process]:
        return [
            process
            for process in self.members.values()
            if process.parent == of.pid and process.identity not in self._held | self._let_go
        ]

    # -- waiting, and what comes after it -----------------------------------------------------------

    def wait(self, deadline: float) -> Steps:
        """Until nothing is left, or nothing that could still do anything, or the grace is over.

        Whether anything is left.
        """
        pause_s = _FIRST_LOOK_S
        while left := (yield from self._left()):
            now = time.monotonic()
            if now >= deadline or all(process.identity in self._held for process in left):
                return True
            if hearing := [process for process in self._deaf if _has_taken(process)]:
                self._deaf = [process for process in self._deaf if process not in hearing]
                children = [child for each in hearing for child in self._children(each)]
                yield from self._let_go_from(children)
            self._tell_started(left)
            self._tell_copies()
            self._newcomers.reap()
            yield from self._rest(min(pause_s, deadline - now))
            pause_s = min(pause_s * 2, _LAST_LOOK_S)
        return False

    def _tell_started(self, left: list[Process]) -> None:
        """What came from a start that took long has its TERM now that its parent has: a trap waits for it."""
        for parent in [process for process in self._starting if _has_taken(process)]:
            self._starting.remove(parent)
            children = [each for each in left if each.parent == parent.pid]
            new = [each.pid for each in children if each.identity not in self.members]
            there = {process.pid: process for process in left}
            for process in _parents_first(there[pid] for pid in processes.descendants(new, there)):
                self.members[process.identity] = process
                self._let_go.add(process.identity)
                if (program := _program(process.pid)) == _program(process.parent):
                    self._copies[process.identity] = program
                self._send(process, _TERM)

    def _tell_copies(self) -> None:
        """Who has become another program since its TERM was taken by its parent's trap is told again."""
        for identity, program in list(self._copies.items()):
            if _program(identity[0]) != program:
                del self._copies[identity]
                self._send(self.members[identity], _TERM)

    def kill(self, limit: float) -> _Pauses:
        """KILL what is left, all of it stopped before, until nothing is."""
        pause_s = _FIRST_LOOK_S
        while (left := (yield from self._left())) and time.monotonic() < limit:
            self._stop(left)
            self._restop(left)
            yield from self.stop()
            for process in _parents_first(self.members.values()):
                self._send(process, _KILL)
            yield from self._rest(pause_s)
            pause_s = min(pause_s * 2, _LAST_LOOK_S)

    def kill_known(self) -> None:
        """KILL those who were seen, without another look."""
        for process in self.members.values():
            with contextlib.suppress(OSError):
                processes.send(process, _KILL)

    def _restop(self, left: Iterable[Process]) -> None:
        """Those who were let go on are stopped once more."""
        for process in _parents_first(left):
            if process.identity in self._let_go:
                self._send(process, _STOP)

    # -- looking ------------------------------------------------------------------------------------

    def _left(self) -> Generator[float, None, list[Process]]:
        """Who is there; nobody only if two looks agree: one can miss what forks and ends meanwhile."""
        if left := self._look():
            return left
        yield from self._rest(_PAUSE_S)
        return self._look()

    def _look(self) -> list[Process]:
        """All that are found, and all known ones with what is below them, as long as they live."""
        alive = self._looks.since(self._acted)
        found = _careful(self._find, alive)
        known = [
            pid for pid, started in self.members if pid in alive and alive[pid].started == started
        ]
        found |= processes.descendants(known, alive)
        return [alive[pid] for pid in found if alive[pid].identity not in self._beyond]

    def _rest(self, pause_s: float) -> _Pauses:
        """Wait; the next look is one that begins from now on, and serves all that wait at this time."""
        self._acted = time.monotonic()
        yield pause_s

    def _send(self, process: Process, number: signal.Signals) -> bool:
        """Whether that may be done."""
        self._acted = time.monotonic()
        may = _careful(processes.send, process, number)
        if not may:
            self._beyond.add(process.identity)
            self.members.pop(process.identity, None)
        return may


def _parents_first(some: Iterable[Process]) -> list[Process]:
    """In the order of who descends from whom, a shell before what it started."""
    listed = {process.pid: process for process in some}

    def depth(process: Process) -> int:
        above, seen = 0, {process.pid}
        while (parent := listed.get(process.parent)) and parent.pid not in seen:
            above, process = above + 1, parent
            seen.add(parent.pid)
        return above

    return sorted(listed.values(), key=lambda process: (depth(process), process.started))


def _has_taken(process: Process) -> bool:
    """Whether its TERM has ended it, or is dealt with next of all."""
    there = _careful(processes.stat, process.pid)
    if there is None or there.started != process.started:
        return True
    regard = _careful(processes.regard, process.pid, _TERM)
    return regard is None or not regard.pending


def _blocks(process: Process) -> bool:
    regard = _careful(processes.regard, process.pid, _TERM)
    return regard is not None and regard.blocked


def _is_starting(process: Process) -> bool:
    """Whether it is about to have another child: in that system call, or a shell that blocks TERM for it."""
    there = _careful(processes.stat, process.pid)
    if there is None or there.started != process.started:
        return False
    return _careful(processes.is_forking, process.pid) or (
        _blocks(process) and _name(process.pid) in _SHELLS
    )


def _name(pid: int) -> str:
    with (
        contextlib.suppress(OSError),
        open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file,
    ):
        return file.read().strip()
    return ""


def _program(pid: int) -> str:
    """What it runs, by file and arguments: a child that has not called exec yet has its parent's."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
        return os.readlink(f"/proc/{pid}/exe") + file.read().decode(errors="replace")
    return ""


# -- means that are there when everything else has run out ------------------------------------------


class _Reserve:
    """Descriptors that are given back when this process may open no more, for as long as a look takes."""

    def __init__(self) -> None:
        self._held: list[int] = []
        self._lock = threading.Lock()

    def fill(self) -> None:
        """Have as many as it takes, if they can be had."""
        with self._lock, contextlib.suppress(OSError):
            while len(self._held) < _SPARE_DESCRIPTORS:
                self._held.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def empty(self) -> None:
        """Give them back."""
        with self._lock:
            while self._held:
                os.close(self._held.pop())


_reserve = _Reserve()


def _careful(call: Callable[..., _Got], *arguments: object) -> _Got:
    """What `call` gives, with the reserve's descriptors where there are no others."""
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
    """Ends processes in one thread that is there before it is needed, however many endings go on at once."""

    def __init__(self) -> None:
        _reserve.fill()
        self._looks = Looks()
        self._asked: queue.SimpleQueue[tuple[Steps, Future[bool]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="zsh-ls-ender", daemon=True).start()

    def end(
        self, find: Find, grace_s: float, newcomers: NewcomerSource, shells: Iterable[Process]
    ) -> Future[bool]:
        """See `ending`; the result is whether there was anything to end."""
        future: Future[bool] = Future()
        self._asked.put((ending(find, grace_s, newcomers, self._looks, shells), future))
        return future

    def close(self) -> None:
        """No more will be asked; the thread ends with what it does."""
        self._asked.put(None)

    def _run(self) -> None:
        due: list[tuple[float, int, Steps, Future[bool]]] = []
        numbers = itertools.count()
        is_open = True
        while is_open or due:
            wait_s = max(0.0, due[0][0] - time.monotonic()) if due else None
            with contextlib.suppress(queue.Empty):
                while True:
                    asked = self._asked.get(timeout=wait_s) if is_open or due else None
                    if asked is None:
                        is_open = False
                        break
                    heapq.heappush(due, (time.monotonic(), next(numbers), *asked))
                    wait_s = 0.0
            while due and due[0][0] <= time.monotonic():
                _, _, steps, future = heapq.heappop(due)
                if (pause_s := _step(steps, future)) is not None:
                    again = time.monotonic() + pause_s
                    heapq.heappush(due, (again, next(numbers), steps, future))


def _step(steps: Steps, future: Future[bool]) -> float | None:
    """Go on with an ending; when it wants to be gone on with, None where it is over."""
    try:
        return next(steps)
    except StopIteration as end:
        future.set_result(end.value)
    except Exception as error:  # who waits has an answer in any case
        future.set_exception(error)
    return None
