"""What the kernel says of processes: who descends from whom, who bears a mark, who holds a descriptor.

Linux reads /proc; other systems ask `ps`, which knows no environments and no
descriptors: what left its session there cannot be found (docs/design.md).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

LINUX = sys.platform.startswith("linux")


class Process(NamedTuple):
    """One living process; `started` tells it from a later one with the same id."""

    pid: int
    parent: int
    group: int
    session: int
    terminal: int
    foreground: int
    started: int


Table = Mapping[int, Process]


def table() -> Table:
    """All processes that are not dead yet."""
    return {process.pid: process for process in (_from_proc() if LINUX else _from_ps())}


def descendants(of: Iterable[int], processes: Table) -> set[int]:
    """The processes below `of`, those in `of` included where they live."""
    children: dict[int, list[int]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process.pid)
    found: set[int] = set()
    ahead = list(of)
    while ahead:
        pid = ahead.pop()
        if pid not in found:
            found.add(pid)
            ahead += children.get(pid, ())
    return found & processes.keys()


def bears(pid: int, variables: frozenset[bytes]) -> bool:
    """Whether the process was started with one of these `NAME=value` in its environment."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return not variables.isdisjoint(file.read().split(b"\0"))
    except OSError:
        return False


def holds(pid: int, links: frozenset[str]) -> bool:
    """Whether the process has a descriptor open on one of `links` (`pipe:[inode]`, `/dev/pts/N`)."""
    try:
        with os.scandir(f"/proc/{pid}/fd") as descriptors:
            return any(_leads_to(entry.path) in links for entry in descriptors)
    except OSError:
        return False


def _leads_to(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _from_proc() -> Iterable[Process]:
    """Listed until a listing shows nobody new.

    A process that forks and ends between its listing and its reading would else
    be missed together with its child.
    """
    seen: set[str] = set()
    while new := {name for name in os.listdir("/proc") if name.isdigit()} - seen:
        seen |= new
        for name in new:
            if process := stat(int(name)):
                yield process


def stat(pid: int) -> Process | None:
    """What the kernel says of one process; None for one that is dead or dying."""
    fields = _stat_fields(pid)
    if not fields or fields[0] in (b"Z", b"X"):
        return None
    parent, group, session, terminal, foreground = map(int, fields[1:6])
    return Process(pid, parent, group, session, terminal, foreground, int(fields[19]))


def is_zombie(pid: int) -> bool:
    """Whether the process is dead and waits to be reaped."""
    return _stat_fields(pid)[:1] == [b"Z"]


def _stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the state on; none for a process that is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _from_ps() -> Iterable[Process]:
    import subprocess  # noqa: PLC0415 - the supervisor imports this module before anything heavy

    listing = subprocess.run(
        ["ps", "-axo", "pid=,ppid=,pgid=,stat="], capture_output=True, text=True, check=False
    ).stdout
    for line in listing.splitlines():
        pid, parent, group, state = line.split()
        if not state.startswith("Z"):
            yield Process(int(pid), int(parent), int(group), int(group), 0, 0, 0)
