"""Ending processes: those of a task and no others, politely first, and not before none is left."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable

import attrs

from . import lineage, processes
from .processes import Process, Table

_FIRST_LOOK_S = 0.002
_LAST_LOOK_S = 0.05
PATIENCE_S = 2.0


@attrs.frozen
class Marks:
    """By what the processes of one task or several are known.

    `shells` are their session leaders (True while they live), `variables` what
    stands in their environment, `links` what their output leads to, `tags` what
    their lineage hands down (only in the process that handed it out). `spared`
    are this program's own processes, which hold those links as well.
    """

    shells: dict[int, bool]
    variables: frozenset[bytes]
    links: frozenset[str]
    tags: frozenset[int] = frozenset()
    spared: frozenset[int] = frozenset()

    @classmethod
    def union(cls, many: Iterable[Marks]) -> Marks:
        """The marks of all their tasks together."""
        listed = list(many)
        return cls(
            {pid: alive for marks in listed for pid, alive in marks.shells.items()},
            frozenset().union(*(marks.variables for marks in listed)),
            frozenset().union(*(marks.links for marks in listed)),
            frozenset().union(*(marks.tags for marks in listed)),
            frozenset().union(*(marks.spared for marks in listed)),
        )

    def chase(self) -> None:
        """KILL what forks and ends so fast that `find` does not see it (only where `tags` were given out)."""
        if self.tags:
            lineage.chase(self.tags, self.shells.keys())

    def find(self) -> list[Process]:
        """The living processes that bear one of the marks, and all below them."""
        alive = processes.table()
        found = processes.descendants(self._in_sessions(alive), alive)
        found |= processes.descendants(lineage.tagged(self.tags, alive), alive)
        marked = {pid for pid in alive.keys() - found - self.spared if self._is_marked(pid)}
        found |= processes.descendants(marked, alive)
        return [alive[pid] for pid in found - self.spared]

    def _in_sessions(self, alive: Table) -> Iterable[int]:
        # The id of a shell that has ended can belong to a stranger by now.
        sessions = {pid for pid, lives in self.shells.items() if lives or pid not in alive}
        return [
            process.pid
            for process in alive.values()
            if process.session in sessions or process.group in sessions or process.pid in sessions
        ]

    def _is_marked(self, pid: int) -> bool:
        return processes.bears(pid, self.variables) or processes.holds(pid, self.links)


def find_by(marks: Callable[[], Marks]) -> list[Process]:
    """The living processes that bear `marks` before the look and after it.

    A terminal's number is another one's as soon as the last process has left it, so who holds
    it counts only if it was the task's own all the while; else the look is repeated without it.
    """
    before = marks()
    while True:
        found = before.find()
        lasting = before.links & marks().links
        if lasting == before.links:
            return found
        before = attrs.evolve(before, links=lasting)


def _nothing() -> None:
    pass


def end_now(
    find: Callable[[], list[Process]], grace_s: float, chase: Callable[[], None] = _nothing
) -> bool:
    """TERM all that `find` finds, KILL what is left after `grace_s`; whether there was anything to end.

    `chase` is called after each KILL: it may end what comes into being faster than `find` looks.

    Blocks until nothing is left but what this user may not end (`sudo`), or what
    the kernel itself does not let go of (a device) for PATIENCE_S after KILL.
    """
    deadline = time.monotonic() + grace_s
    asked: set[Process] = set()
    beyond: set[Process] = set()
    look_s = _FIRST_LOOK_S
    while found := _look(find) - beyond:
        now = time.monotonic()
        if now > deadline + PATIENCE_S:
            break
        for process in found if now >= deadline else found - asked:
            if not _end(process.pid, politely=now < deadline):
                beyond.add(process)
        if now >= deadline:
            chase()
        asked |= found
        time.sleep(min(look_s, max(0.0, deadline - now) or look_s))
        look_s = min(look_s * 2, _LAST_LOOK_S)
    return bool(asked - beyond)


def _look(find: Callable[[], list[Process]]) -> set[Process]:
    """What is there; nothing only if two looks agree: one can miss what forks and ends meanwhile."""
    return {_identity(process) for process in find() or find()}


def _identity(process: Process) -> Process:
    """The process, whatever parent or group it has by now."""
    return Process(process.pid, 0, 0, 0, 0, 0, process.started)


def _end(pid: int, *, politely: bool) -> bool:
    """Ask it to end, or end it; whether that may be done."""
    try:
        os.kill(pid, signal.SIGTERM if politely else signal.SIGKILL)
        os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        return True  # gone meanwhile
    except PermissionError:
        return False  # it has become another user's
    return True
