"""Tags that tell which task an orphan belongs to, even if it left its session and closed its output.

The server is the subreaper of all processes that its tasks start, so such an orphan
is a descendant of it. Its tag is a number that every child inherits, that survives
exec and setsid, and that no program sets by accident: `oom_score_adj`, 1 to 199
above the server's own. (A subreaper per task would need a fork of this process
instead of a vfork, or a helper process: 1 to 7 ms per run, against 0.02 ms.) Linux
only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from typing import ClassVar

from zsh_ls.tasks.process.processes import Process, stat

TAGS = 199
# Multiples of this are no tags: other programs set them (desktops 100, 200 and 300).
_ROUND = 50
_PR_SET_CHILD_SUBREAPER, _PR_GET_CHILD_SUBREAPER = 36, 37
_HIGHEST = 1000
# How long a look or a reaping takes at most. Twenty chains that fork and end every 2 ms leave thousands of
# dead processes a second, as many as can be read: one that read or reaped all would not end, or stop too few.
LOOKS_WITHIN_S = 0.02


# False where the kernel does not list them (in some sandboxes): then `children` finds none.
LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{threading.get_native_id()}/children")


def become_subreaper(adopts: bool = True) -> None:
    """Have orphans below this process reparented to it, not to init; or no longer."""
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, int(adopts), 0, 0, 0)


def is_subreaper() -> bool:
    """Whether orphans below this process are reparented to it."""
    found = ctypes.c_int(0)
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(found), 0, 0, 0)
    return bool(found.value)


class Adoption:
    """Adopts the orphans below this process from its creation on, until `end`.

    After the last one of a process it is what it was before: nobody would reap what it went on to
    adopt, and every list of processes has the dead as well.
    """

    _held: ClassVar[int] = 0
    _was: ClassVar[bool] = False
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self) -> None:
        with Adoption._lock:
            if not Adoption._held:
                Adoption._was = is_subreaper()
                become_subreaper()
            Adoption._held += 1

    def end(self) -> None:
        """Call once."""
        with Adoption._lock:
            Adoption._held -= 1
            if not Adoption._held and not Adoption._was:
                become_subreaper(False)


def leave_task() -> None:
    """Give up the tag of a task that this process may have been started from, for a number that is no tag.

    Lowering it is allowed down to where it was raised from without privileges.
    """
    tag = tag_of(os.getpid())
    if tag is None or tag % _ROUND == 0:
        return
    for number in (*range(tag // _ROUND * _ROUND, -1, -_ROUND), (tag // _ROUND + 1) * _ROUND):
        if number <= _HIGHEST and _set(number):
            return


class ProcessTags:
    """Hands out the tags of tasks, each to one task at a time."""

    # Shared by all engines of a process, as the tag belongs to the process: an engine that ends its
    # orphans must not find those of another engine under the same number.
    _last: ClassVar[int] = 0

    def __init__(self) -> None:
        self._base = tag_of(os.getpid())

    @contextlib.contextmanager
    def tagging(self, taken: Collection[int]) -> Iterator[int | None]:
        """Within the context, processes are started with the returned tag; None if there is none.

        `taken` are the tags of other tasks that may still have processes.
        """
        tag = self._next(taken)
        if tag is None or not _set(tag):
            yield None
            return
        try:
            yield tag
        finally:
            if not _set(self._base or 0):
                self._base = None  # hand out no more tags: every new child would have this one

    def _next(self, taken: Collection[int]) -> int | None:
        if self._base is None:
            return None
        for step in range(TAGS):
            number = (self._last + step) % TAGS + 1
            tag = self._base + number
            if tag <= _HIGHEST and tag % _ROUND and tag not in taken:
                ProcessTags._last = number
                return tag
        return None

    def is_tag(self, number: int | None) -> bool:
        """Whether `number` can be the tag of a task."""
        return None not in (number, self._base) and 0 < (number or 0) - (self._base or 0) <= TAGS


def tag_of(pid: int) -> int | None:
    """The tag of a process; None if it is gone."""
    try:
        with open(f"/proc/{pid}/oom_score_adj", "rb") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


Take = Callable[[Process], None]


class Newcomers:
    """Finds orphans that are reparented to this process, and reaps dead ones.

    A chain of processes that each fork and end cannot be caught by listing all processes; but each
    one whose parent has ended becomes a child of this process, and listing children is much faster.
    Finds all children but `spared`; does not reap `others`, whose exits somebody waits for.
    """

    def __init__(self, spared: Collection[int] = (), others: Collection[int] = ()) -> None:
        self._spared = spared
        self._others = others
        self._dead: set[int] = set()
        self._take: Take | None = None

    @contextlib.contextmanager
    def catching(self, take: Take) -> Iterator[None]:
        """Within the context, `take` is called for each living process that `look` finds."""
        self._take = take
        try:
            yield
        finally:
            self._take = None

    def look(self, since: float) -> bool:
        """Look for newcomers; returns whether it has seen all, see `Arrivals.look`."""
        limit = time.monotonic() + LOOKS_WITHIN_S
        there = children()
        dead = self._dead.intersection(there)
        is_cut = False
        for pid in reversed(there):  # the latest first: they have had the least time to fork
            if pid in self._spared or pid in dead or not self._take:
                continue
            if is_cut := time.monotonic() > limit:
                break
            if process := stat(pid):
                self._take(process)
            elif pid not in self._others:
                dead.add(pid)
        # One that was dead at the last look and is not reaped has left nothing since.
        has_seen_all = not is_cut and dead <= self._dead
        self._dead = dead
        self.reap()
        return has_seen_all

    def reap(self) -> None:
        """Reap dead newcomers, as many as can be within LOOKS_WITHIN_S."""
        _reap(lambda pid: pid not in self._others)


class Arrivals:
    """Newcomers of all tasks of a process, distinguished by their tags; one look serves all tasks.

    `others` are children whose exits somebody waits for.
    """

    def __init__(self, is_tag: Callable[[int | None], bool], others: Collection[int]) -> None:
        self._is_tag = is_tag
        self._others = others
        self._began = -1.0
        # The tags that the last look was for, and those it met in children that had ended.
        self._sought: frozenset[int] = frozenset()
        self._ended: set[int] = set()
        # Children that were dead at the last look: not reaped, they have left nothing since.
        self._dead: set[int] = set()
        self.takes: dict[int, Take] = {}
        # Set while a child is started that is not among `others` yet.
        self.is_starting = False

    def look(self, since: float, tags: Collection[int]) -> bool:
        """Look for newcomers, unless the last look began after `since` and was for `tags` as well.

        Returns whether it has met no child with one of `tags` that had ended since it was listed, as such a
        one may have left a child that is not in the list. Else there is no orphan but those it has found:
        until a process ends its children are below it, and from then on they are children of this process.
        """
        if self._began <= since or not self._sought.issuperset(tags):
            self._look()
        return self._ended.isdisjoint(tags)

    def _look(self) -> None:
        self._began = time.monotonic()
        self._sought = frozenset(self.takes)
        self._ended = set()
        there = children()
        dead = self._dead.intersection(there)
        for pid in reversed(there):
            if pid in self._others or pid in dead or not self.takes:
                continue
            if time.monotonic() > self._began + LOOKS_WITHIN_S:
                self._ended.update(self.takes)
                break
            tag = tag_of(pid)
            if tag is None:
                dead.add(pid)
                self._ended.update(self.takes)
            elif take := self.takes.get(tag):
                if process := stat(pid):
                    take(process)
                else:
                    dead.add(pid)
                    self._ended.add(tag)
        self._dead = dead
        self.reap()

    def reap(self) -> None:
        """Reap dead newcomers, as many as can be within LOOKS_WITHIN_S."""
        _reap(self._may_reap)

    def _may_reap(self, pid: int) -> bool:
        # A child that was being started when this was called is in `_others` when this returns.
        return not self.is_starting and pid not in self._others and self._is_tag(tag_of(pid))


class NewcomersOf:
    """Those of `arrivals` that have one of the given tags."""

    def __init__(self, arrivals: Arrivals, tags: Callable[[], Collection[int]]) -> None:
        self._arrivals = arrivals
        self._tags = tags

    @contextlib.contextmanager
    def catching(self, take: Take) -> Iterator[None]:
        """Within the context, `take` is called for each living process that `look` finds."""
        tags = self._tags()
        self._arrivals.takes.update(dict.fromkeys(tags, take))
        try:
            yield
        finally:
            for tag in tags:
                self._arrivals.takes.pop(tag, None)

    def look(self, since: float) -> bool:
        """Look for newcomers, unless the last look began after `since`; returns whether it has seen all."""
        return self._arrivals.look(since, self._tags())

    def reap(self) -> None:
        """Reap dead newcomers, as many as can be within LOOKS_WITHIN_S."""
        self._arrivals.reap()


def _reap(may: Callable[[int], bool]) -> None:
    limit = time.monotonic() + LOOKS_WITHIN_S
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < limit and (
            dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        ):
            # The kernel would return the same one again, until the one who waits for it has reaped it.
            if not may(dead.si_pid):
                return
            os.waitpid(dead.si_pid, os.WNOHANG)


def children(of: int | None = None) -> list[int]:
    """The children of a process (default: this one), including dead ones that are not reaped yet."""
    # Not `main_thread().native_id`: before Python 3.13 a forked process has its parent's there.
    threads = {of} if of else {os.getpid(), threading.get_native_id()}
    found: list[int] = []
    for thread in threads:
        with (
            contextlib.suppress(OSError),
            open(f"/proc/{of or 'self'}/task/{thread}/children", "rb") as file,
        ):
            found += map(int, file.read().split())
    return found


def _set(tag: int) -> bool:
    """Set the tag of this process, and so of what it starts from now on; returns whether that worked."""
    try:
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, b"%d" % tag)
        finally:
            os.close(descriptor)
    except OSError:
        return False
    return True
