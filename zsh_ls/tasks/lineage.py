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
from collections.abc import Collection, Iterator
from typing import ClassVar

from .processes import Process, stat

TAGS = 199
# What others set by hand (desktops give 100, 200 and 300) is nobody's tag.
_ROUND = 50
_PR_SET_CHILD_SUBREAPER = 36
_HIGHEST = 1000


def become_subreaper() -> None:
    """Let orphans below this process come to it, not to the system's first process."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Lineages:
    """Hands out the tags of tasks, each to one task at a time."""

    # The tag is the whole process's, so engines of one process count together: what ends the
    # leftovers of one would else find the next one's tasks under the same number.
    _last: ClassVar[int] = 0

    def __init__(self) -> None:
        self._base = tag_of(os.getpid())

    @contextlib.contextmanager
    def bearing(self, taken: Collection[int]) -> Iterator[int | None]:
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
                Lineages._last = number
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


def arrivals(tags: Collection[int] | None, spared: Collection[int]) -> list[Process]:
    """The living children of this process that bear one of `tags` (any, where that is None).

    But for `spared`. A chain of processes that each fork and end is gone from where a look through
    all processes has seen it; but whoever's parent has ended comes here, and one look here takes a
    fraction of the time. The dead are reaped.
    """
    found = []
    for pid in children():
        if pid in spared or (tags is not None and tag_of(pid) not in tags):
            continue
        if process := stat(pid):
            found.append(process)
        else:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
    return found


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
