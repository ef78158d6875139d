"""By what the processes of a task are known, and no others (docs/design.md, "No orphans")."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from . import lineage, processes
from .processes import Identity, Process, Table


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

    def arrivals(self) -> list[Process]:
        """Those that have just come to this process; a quick look (only where `tags` were given out)."""
        return lineage.arrivals(self.tags, self.shells.keys()) if self.tags else []

    def find(self, alive: Table, strangers: set[Identity] | None = None) -> set[int]:
        """Those of `alive` that bear one of the marks, and all below them.

        `strangers` are known to bear none in their environment and among their files, and are added to:
        reading these is most of what a look costs.
        """
        found = processes.descendants(self._in_sessions(alive), alive)
        found |= processes.descendants(lineage.tagged(self.tags, alive), alive)
        known = strangers if strangers is not None else set()
        marked = set()
        for pid in alive.keys() - found - self.spared:
            if alive[pid].identity in known:
                continue
            bears = processes.bears(pid, self.variables)
            if bears or processes.holds(pid, self.links):
                marked.add(pid)
            elif bears is False:
                known.add(alive[pid].identity)
        return (found | processes.descendants(marked, alive)) - self.spared

    def _in_sessions(self, alive: Table) -> Iterable[int]:
        # The id of a shell that has ended can belong to a stranger by now.
        sessions = {pid for pid, lives in self.shells.items() if lives or pid not in alive}
        return [
            process.pid
            for process in alive.values()
            if process.session in sessions or process.group in sessions or process.pid in sessions
        ]


def finder(marks: Callable[[], Marks]) -> Callable[[Table], set[int]]:
    """Finds, of all processes, those that bear `marks` before the look and after it.

    A terminal's number is another one's as soon as the last process has left it, so who holds
    it counts only if it was the task's own all the while; else the look is repeated without it.
    """
    strangers: set[Identity] = set()

    def find(alive: Table) -> set[int]:
        before = marks()
        while True:
            found = before.find(alive, strangers)
            lasting = before.links & marks().links
            if lasting == before.links:
                return found
            before = attrs.evolve(before, links=lasting)

    return find
