"""Finding the processes of a task, and no others (docs/design.md, "No orphans")."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

from zsh_ls.lazy import attrs
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.environment import TASK_VARIABLE
from zsh_ls.tasks.process.processes import Identity, Process, Table

from . import process_tags

_SEEN_FOR_S = 1.0


@attrs.frozen
class Marks:
    """What identifies the processes of one task or several.

    `shells` are their session leaders (True while they live), `variables` are in
    their environment, `links` are the targets of their output descriptors, `tags`
    their process tags (known only in the process that set them). `spared` are
    processes of zsh-ls itself, which have the same outputs open.
    """

    shells: dict[int, bool]
    variables: frozenset[bytes]
    links: frozenset[str]
    tags: frozenset[int] = frozenset()
    spared: frozenset[int] = frozenset()

    @classmethod
    def union(cls, many: Iterable[Marks]) -> Marks:
        """The marks of several tasks together."""
        listed = list(many)
        return cls(
            {pid: alive for marks in listed for pid, alive in marks.shells.items()},
            frozenset().union(*(marks.variables for marks in listed)),
            frozenset().union(*(marks.links for marks in listed)),
            frozenset().union(*(marks.tags for marks in listed)),
            frozenset().union(*(marks.spared for marks in listed)),
        )

    @property
    def leaders(self) -> frozenset[int]:
        """Those of `shells` that live."""
        return frozenset(pid for pid, lives in self.shells.items() if lives)

    def find(self, alive: Table) -> set[int]:
        """Those of `alive` that have one of the marks, and all their descendants."""
        found = processes.descendants(self._in_sessions(alive), alive)
        found |= processes.descendants(self._tagged(alive), alive)
        marked = {pid for pid in alive.keys() - found - self.spared if self._is_marked(alive[pid])}
        return (found | processes.descendants(marked, alive)) - self.spared

    def _in_sessions(self, alive: Table) -> Iterable[int]:
        # The id of a shell that has ended can belong to an unrelated process by now.
        sessions = {pid for pid, lives in self.shells.items() if lives or pid not in alive}
        return [
            process.pid
            for process in alive.values()
            if process.session in sessions or process.group in sessions or process.pid in sessions
        ]

    def _tagged(self, alive: Table) -> list[int]:
        # While it starts a task this process has that task's tag itself, so only descendants count.
        below = processes.descendants([os.getpid()], alive) - self.spared if self.tags else ()
        return [pid for pid in below if _seen.tag(alive[pid]) in self.tags]

    def _is_marked(self, process: Process) -> bool:
        variables, links = _seen.marks(process)
        if not self.variables.isdisjoint(variables):
            return True
        # Who starts programs on terminals, as another zsh-ls does, has had each of theirs open for a moment,
        # and the next terminal has the same number: what was read a moment ago may be another one.
        return not (
            self.links.isdisjoint(links) or self.links.isdisjoint(processes.links_of(process.pid))
        )


class _ProcessSnapshot:
    """What was read of processes within the last second, shared by all that look for processes.

    Reading it is most of the cost of a search: since endings share this and their listings, twenty
    kills at once cost 0.3 s of processor time instead of 1.4 s. It may be kept, since a task's processes
    inherit environment, outputs and tag at their start and do not acquire them later.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._marks: dict[Identity, tuple[frozenset[bytes], frozenset[str]]] = {}
        self._tags: dict[Identity, int | None] = {}

    def marks(self, process: Process) -> tuple[frozenset[bytes], frozenset[str]]:
        """The task variables in its environment, and the targets of its descriptors."""
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
    """Whether it is a child of this process before exec, and so still has this process's descriptors."""
    if process.parent != os.getpid():
        return False
    # The command line is empty while the new program is being loaded.
    arguments = processes.arguments_of(process.pid)
    return not arguments or arguments == processes.arguments_of(os.getpid())


_seen = _ProcessSnapshot()


def finder(marks: Callable[[], Marks]) -> Callable[[Table], set[int]]:
    """A function that finds the processes with `marks`.

    The number of a terminal is reused as soon as its last process has closed it, so a link counts
    only if it belongs to the task before and after the search; else the search is repeated
    without it.
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
