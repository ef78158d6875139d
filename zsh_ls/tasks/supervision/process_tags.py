"""Whose an orphan is that dropped its session, its environment and its output.

The server is the subreaper of all that its tasks start, so such an orphan is
somewhere below it. What tells one task's from another's is a number the kernel
hands down to every child and keeps over exec and setsid, and that nobody sets
by accident: `oom_score_adj`, raised by 1 to 199 above the server's own. (A
subreaper per task would need a fork of this process instead of a vfork, or a
helper: 1 to 7 ms a run here, against 0.02 ms.) Linux only.
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
# What others set by hand (desktops give 100, 200 and 300) is nobody's tag.
_ROUND = 50
_PR_SET_CHILD_SUBREAPER = 36
_HIGHEST = 1000


def become_subreaper() -> None:
    """Let orphans below this process come to it, not to the system's first process."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class ProcessTags:
    """Hands out the tags of tasks, each to one task at a time."""

    # The tag is the whole process's, so engines of one process count together: what ends the
    # leftovers of one would else find the next one's tasks under the same number.
    _last: ClassVar[int] = 0

    def __init__(self) -> None:
        self._base = tag_of(os.getpid())

    @contextlib.contextmanager
    def tagging(self, taken: Collection[int]) -> Iterator[int | None]:
        """What is started within bears the tag given, from its first instruction on; None where none can be.

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
                self._base = None  # never again: all that this process starts would look alike

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
        """Whether `number` is one that this hands out."""
        return None not in (number, self._base) and 0 < (number or 0) - (self._base or 0) <= TAGS


def tag_of(pid: int) -> int | None:
    """The tag a process bears."""
    try:
        with open(f"/proc/{pid}/oom_score_adj", "rb") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


Take = Callable[[Process], None]


class Newcomers:
    """Who comes to this process: the orphans below it; those that are dead are reaped.

    A chain of processes that each fork and end is gone from where a look through all processes has
    seen it; but whoever's parent has ended comes here, and a look here takes a fraction of the time.
    This one takes everybody but `spared`, and leaves the ends of `others` to those who wait for them.
    """

    def __init__(self, spared: Collection[int] = (), others: Collection[int] = ()) -> None:
        self._spared = spared
        self._others = others
        self._take: Take | None = None

    @contextlib.contextmanager
    def catching(self, take: Take) -> Iterator[None]:
        """Within, `take` is called for each that a look finds alive, at once."""
        self._take = take
        try:
            yield
        finally:
            self._take = None

    def look(self, since: float) -> None:
        """Find who there is."""
        self.reap()
        for pid in children():
            if pid not in self._spared and self._take and (process := stat(pid)):
                self._take(process)

    def reap(self) -> None:
        """Let go of those who are dead, so that they are in nobody's way."""
        _reap(lambda pid: pid not in self._others)


class Arrivals:
    """Newcomers to a process with several tasks, told apart by their tags; a look serves all of them.

    `others` are children whose ends somebody waits for.
    """

    def __init__(self, is_tag: Callable[[int | None], bool], others: Collection[int]) -> None:
        self._is_tag = is_tag
        self._others = others
        self._began = -1.0
        self.takes: dict[int, Take] = {}
        # Set while a child is started that is not among `others` yet.
        self.is_starting = False

    def look(self, since: float) -> None:
        """Find who there is, unless a look did that began after `since`."""
        if self._began > since:
            return
        self._began = time.monotonic()
        self.reap()
        for pid in reversed(children()):  # the latest first: they have not gone on yet
            if pid in self._others or not self.takes:
                continue
            take = self.takes.get(tag_of(pid) or 0)
            if take and (process := stat(pid)):
                take(process)

    def reap(self) -> None:
        """Let go of those who are dead, so that they are in nobody's way."""
        _reap(self._may_reap)

    def _may_reap(self, pid: int) -> bool:
        # Whoever is dead by now and was being started when it was not asked yet is known by then.
        return not self.is_starting and pid not in self._others and self._is_tag(tag_of(pid))


class NewcomersOf:
    """Those of `arrivals` that bear the tags of some tasks."""

    def __init__(self, arrivals: Arrivals, tags: Callable[[], Collection[int]]) -> None:
        self._arrivals = arrivals
        self._tags = tags

    @contextlib.contextmanager
    def catching(self, take: Take) -> Iterator[None]:
        """Within, `take` is called for each that a look finds alive, at once."""
        tags = self._tags()
        self._arrivals.takes.update(dict.fromkeys(tags, take))
        try:
            yield
        finally:
            for tag in tags:
                self._arrivals.takes.pop(tag, None)

    def look(self, since: float) -> None:
        """Find who there is, unless a look did that began after `since`."""
        self._arrivals.look(since)

    def reap(self) -> None:
        """Let go of those who are dead, so that they are in nobody's way."""
        self._arrivals.reap()


def _reap(may: Callable[[int], bool]) -> None:
    with contextlib.suppress(ChildProcessError):
        while dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            # The kernel would name the same one again: whoever waits for it will be quick.
            if not may(dead.si_pid):
                return
            os.waitpid(dead.si_pid, os.WNOHANG)


def children(of: int | None = None) -> list[int]:
    """The children of a process (this one), whichever thread they came to; dead ones not yet reaped too."""
    # Not `main_thread().native_id`: in a process that was forked that is its parent's, before 3.13.
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
    """Give this process, and so what it starts from now on, a tag."""
    try:
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, b"%d" % tag)
        finally:
            os.close(descriptor)
    except OSError:
        return False
    return True
