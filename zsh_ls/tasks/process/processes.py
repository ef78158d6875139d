"""What the kernel says of processes: who descends from whom, who bears a mark, who holds a descriptor,
how one takes a signal; and how one is sent.

Linux reads /proc; other systems ask `ps`, which knows no environments and no
descriptors: what left its session there cannot be found (docs/design.md).
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_PS_TIME_LIMIT_S = 10.0
# A Linux whose /proc is hidden (a sandbox) is read as other systems are.
HAS_PROC = sys.platform.startswith("linux") and os.path.exists("/proc/self/stat")
_STAT_BYTES = 4096
# The numbers of clone, fork, vfork and clone3.
_FORKS = {"x86_64": (b"56", b"57", b"58", b"435"), "aarch64": (b"220", b"435")}.get(
    os.uname().machine, ()
)
_LISTINGS = 4
# Nothing is known of a process then; any other error says that it has gone.
_OUT_OF_MEANS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)

Identity = tuple[int, int]


class Process(NamedTuple):
    """One living process; `started` tells it from a later one with the same id."""

    pid: int
    parent: int
    group: int
    session: int
    terminal: int
    foreground: int
    started: int
    state: str = ""

    @property
    def identity(self) -> Identity:
        """What tells it from all others, whatever parent or group it has by now."""
        return (self.pid, self.started)

    @property
    def is_stopped(self) -> bool:
        """Whether it does nothing until SIGCONT."""
        return self.state in ("T", "t")


class Regard(NamedTuple):
    """How a process takes a signal: whether one waits to be taken, and what happens then."""

    pending: bool
    blocked: bool
    ignored: bool


Table = Mapping[int, Process]


def table() -> Table:
    """All processes that are not dead yet; OSError where this process may open no more files."""
    return {process.pid: process for process in (_from_proc() if HAS_PROC else _from_ps())}


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


def variables_of(pid: int, name: bytes) -> frozenset[bytes] | None:
    """What the process was started with as `name`, each as `NAME=value`.

    None where its environment is empty: as it is of a program that is just being loaded.
    """
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            environment = file.read()
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return frozenset()
    if not environment:
        return None
    if name not in environment:
        return frozenset()
    return frozenset(each for each in environment.split(b"\0") if each.startswith(name + b"="))


def arguments_of(pid: int) -> bytes:
    """What the process was started with; nothing for one that has gone or is just being loaded."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return b""


def links_of(pid: int) -> frozenset[str]:
    """What the descriptors of a process lead to (`pipe:[inode]`, `/dev/pts/N`)."""
    try:
        with os.scandir(f"/proc/{pid}/fd") as descriptors:
            return frozenset(_leads_to(entry.path) for entry in descriptors)
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return frozenset()


def _leads_to(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _from_proc() -> Iterable[Process]:
    """Listed until a listing shows nobody new, but no more than a few times.

    A process that forks and ends between its listing and its reading would else
    be missed together with its child. Some do nothing else.
    """
    seen: set[str] = set()
    for _ in range(_LISTINGS):
        new = {name for name in os.listdir("/proc") if name.isdigit()} - seen
        if not new:
            return
        seen |= new
        for name in new:
            if process := stat(int(name)):
                yield process


def stat(pid: int) -> Process | None:
    """What the kernel says of one process; None for one that is dead or dying.

    OSError where this process may open no more files.
    """
    fields = _stat_fields(pid)
    if not fields or fields[0] in (b"Z", b"X"):
        return None
    parent, group, session, terminal, foreground = map(int, fields[1:6])
    state = fields[0].decode()
    return Process(pid, parent, group, session, terminal, foreground, int(fields[19]), state)


def is_zombie(pid: int) -> bool:
    """Whether the process is dead and waits to be reaped."""
    return _stat_fields(pid)[:1] == [b"Z"]


def regard(pid: int, number: signal.Signals) -> Regard | None:
    """How the process takes that signal; None for one that has gone, and where it is not known."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            lines = dict(line.split(b":", 1) for line in file if b":" in line)
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return None
    bit = 1 << (number - 1)
    pending, blocked, ignored = (
        bool(int(lines[name], 16) & bit) for name in (b"ShdPnd", b"SigBlk", b"SigIgn")
    )
    return Regard(pending, blocked, ignored)


def is_forking(pid: int) -> bool:
    """Whether it stands in a system call that gives it a child; False where that is not known."""
    try:
        with open(f"/proc/{pid}/syscall", "rb") as file:
            return file.read().split(maxsplit=1)[:1] in [[number] for number in _FORKS]
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return False


def send(process: Process, *numbers: signal.Signals) -> bool:
    """Send that very process signals, never a later one with its number; whether this user may.

    OSError where this process may open no more files.
    """
    handle = None
    try:
        if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
            handle = _handle(process.pid)
        # A number cannot have passed to another since the handle was taken of it.
        if HAS_PROC and ((there := stat(process.pid)) is None or there.started != process.started):
            return True
        for number in numbers:
            if handle is None:
                os.kill(process.pid, number)
            else:
                signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        return True  # gone meanwhile
    except PermissionError:
        return False  # it has become another user's
    finally:
        if handle is not None:
            os.close(handle)
    return True


def _handle(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError as refused:  # a kernel without it
        if refused.errno in _OUT_OF_MEANS:
            raise
        return None


def _stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the state on; none for a process that is gone."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(descriptor, _STAT_BYTES).rpartition(b")")[2].split()
        finally:
            os.close(descriptor)
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return []


def _from_ps() -> Iterable[Process]:
    # The supervisor imports this module before anything heavy.
    from zsh_ls.system.bounded_probe import printed_by  # noqa: PLC0415

    columns = ["ps", "-axo", "pid=,ppid=,pgid=,stat="]
    listing = printed_by(columns, timeout_s=_PS_TIME_LIMIT_S)
    for line in listing.decode("ascii", "replace").splitlines():
        pid, parent, group, state = line.split()
        if not state.startswith("Z"):
            yield Process(int(pid), int(parent), int(group), int(group), 0, 0, 0, state[:1])
