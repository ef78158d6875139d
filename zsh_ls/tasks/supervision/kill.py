"""By what the processes of a task are known, and no others (docs/design.md, "No orphans")."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

import attrs

from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.environment import TASK_VARIABLE
from zsh_ls.tasks.process.processes import Identity, Process, Table

from . import process_tags

_SEEN_FOR_S = 1.0


@attrs.frozen
class Marks:
    """By what the processes of one task or several are known.

    `shells` are their session leaders (True while they live), `variables` what
    stands in their environment, `links` what their output leads to, `tags` what
    that are handed down to them (only in the process that handed it out). `spared`
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

    def find(self, alive: Table) -> set[int]:
        """Those of `alive` that bear one of the marks, and all below them."""
        found = processes.descendants(self._in_sessions(alive), alive)
        found |= processes.descendants(self._tagged(alive), alive)
        marked = {pid for pid in alive.keys() - found - self.spared if self._is_marked(alive[pid])}
        return (found | processes.descendants(marked, alive)) - self.spared

    def _in_sessions(self, alive: Table) -> Iterable[int]:
        # The id of a shell that has ended can belong to a stranger by now.
        sessions = {pid for pid, lives in self.shells.items() if lives or pid not in alive}
        return [
            process.pid
            for process in alive.values()
            if process.session in sessions or process.group in sessions or process.pid in sessions
        ]

    def _tagged(self, alive: Table) -> list[int]:
        # This process bears the tag of each task that it starts, for a moment: what is below it need not.
        below = processes.descendants([os.getpid()], alive) - self.spared if self.tags else ()
        return [pid for pid in below if _seen.tag(alive[pid]) in self.tags]

    def _is_marked(self, process: Process) -> bool:
        variables, links = _seen.marks(process)
        return not (self.variables.isdisjoint(variables) and self.links.isdisjoint(links))


class _ProcessSnapshot:
    """What was read of processes a moment ago: most of what a look costs, and the same for all that look.

    None of it comes to a process that has not got it: only to what is started with it.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._marks: dict[Identity, tuple[frozenset[bytes], frozenset[str]]] = {}
        self._tags: dict[Identity, int | None] = {}

    def marks(self, process: Process) -> tuple[frozenset[bytes], frozenset[str]]:
        """The tasks that its environment names, and what it holds open."""
        self._forget_old()
        if (known := self._marks.get(process.identity)) is not None:
            return known
        is_whole = not _is_before_exec(process)
        variables = processes.variables_of(process.pid, TASK_VARIABLE)
        links = processes.links_of(process.pid) if is_whole else frozenset()
        found = (variables or frozenset(), links)
        if variables is not None and is_whole:
            self._marks[process.identity] = found
        return found

    def tag(self, process: Process) -> int | None:
        """The process tag."""
        self._forget_old()
        if process.identity not in self._tags:
            self._tags[process.identity] = process_tags.tag_of(process.pid)
        return self._tags[process.identity]

    def _forget_old(self) -> None:
        if time.monotonic() > self._since + _SEEN_FOR_S:
            self._since = time.monotonic()
            self._marks, self._tags = {}, {}


def _is_before_exec(process: Process) -> bool:
    """Whether this process is just starting it: until exec it holds what this process does, all outputs."""
    if process.parent != os.getpid():
        return False
    # Empty from when the new program is being loaded until its descriptors are its own.
    arguments = processes.arguments_of(process.pid)
    return not arguments or arguments == processes.arguments_of(os.getpid())


_seen = _ProcessSnapshot()


def finder(marks: Callable[[], Marks]) -> Callable[[Table], set[int]]:
    """Finds, of all processes, those that bear `marks` before the look and after it.

    A terminal's number is another one's as soon as the last process has left it, so who holds
    it counts only if it was the task's own all the while; else the look is repeated without it.
    """

    def find(alive: Table) -> set[int]:
        before = marks()
        while True:
            found = before.find(alive)
            lasting = before.links & marks().links
            if lasting == before.links:
                return found
            before = attrs.evolve(before, links=lasting)

    return find
