"""Processes as the kernel shows them (ancestry, environment, descriptors, signal masks), and signals to them.

Linux reads /proc. Other systems use `ps`, which shows no environments and no
descriptors: a process that left its session cannot be found there (docs/design.md).
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterable, Mapping

from zsh_ls.lazy.typing import NamedTuple

_PS_TIME_LIMIT_S = 10.0
# False on a Linux whose /proc is hidden (in a sandbox): processes are then listed by `ps`.
HAS_PROC = sys.platform.startswith("linux") and os.path.exists("/proc/self/stat")
_STAT_BYTES = 4096
# The system call numbers of clone, fork, vfork and clone3.
_FORKS = {"x86_64": (b"56", b"57", b"58", b"435"), "aarch64": (b"220", b"435")}.get(
    os.uname().machine, ()
)
# Those in which a program waits: wait4, waitid, rt_sigsuspend, pause, read, poll, select, nanosleep and the
# variants of these.
_WAITS = {
    "x86_64": (b"61", b"247", b"130", b"34", b"0", b"7", b"271", b"23", b"270", b"35", b"230"),
    "aarch64": (b"260", b"95", b"133", b"63", b"73", b"72", b"101", b"115"),
}.get(os.uname().machine, ())
# read, and what waits until several descriptors can be read.
_READS = {"x86_64": b"0", "aarch64": b"63"}.get(os.uname().machine, b"")
_POLLS = {"x86_64": (b"7", b"271", b"23", b"270"), "aarch64": (b"73", b"72")}.get(
    os.uname().machine, ()
)
_LISTINGS = 4
# More new ones are a torrent that outruns every listing; what it leaves is found among orphans.
_MANY_NEW = 200
# Errors of this process, not of the one looked at; any other error means that that one is gone.
_OUT_OF_MEANS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)

Identity = tuple[int, int]


class Process(NamedTuple):
    """One living process; `started` (clock ticks since boot) tells it from a later one with its id."""

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
        """Unique among all processes, and constant when its parent or group changes."""
        return (self.pid, self.started)

    @property
    def is_stopped(self) -> bool:
        """Whether it is stopped until SIGCONT."""
        return self.state in ("T", "t")


class SignalState(NamedTuple):
    """The state of one signal in a process."""

    pending: bool
    blocked: bool
    ignored: bool
    caught: bool


Table = Mapping[int, Process]


def table() -> Table:
    """All living processes; raises OSError if this process cannot open more files."""
    return {process.pid: process for process in (_from_proc() if HAS_PROC else _from_ps())}


def descendants(of: Iterable[int], processes: Table) -> set[int]:
    """The living ones of `of` and all their descendants."""
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
    """The values of variable `name` that the process was started with, each as `NAME=value`.

    None if its environment is empty, as it is while a program is being loaded.
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
    """The command line of the process; empty if it is gone or still being loaded."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return b""


def links_of(pid: int) -> frozenset[str]:
    """The targets of a process's descriptors (`pipe:[inode]`, `/dev/pts/N`)."""
    try:
        with os.scandir(f"/proc/{pid}/fd") as descriptors:
            return frozenset(_link_target(entry.path) for entry in descriptors)
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return frozenset()


def _link_target(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _from_proc() -> Iterable[Process]:
    """List /proc until a listing shows no new process, but at most a few times.

    Otherwise a process that forks and ends between its listing and the reading of
    its entry would be missed together with its child. Some programs only do that.
    """
    seen: set[str] = set()
    for _ in range(_LISTINGS):
        new = {name for name in os.listdir("/proc") if name.isdigit()} - seen
        if not new or (seen and len(new) > _MANY_NEW):
            return
        seen |= new
        for name in new:
            if process := stat(int(name)):
                yield process


def stat(pid: int) -> Process | None:
    """The state of one process; None if it is dead or dying.

    Raises OSError if this process cannot open more files.
    """
    fields = _stat_fields(pid)
    if not fields or fields[0] in (b"Z", b"X"):
        return None
    parent, group, session, terminal, foreground = map(int, fields[1:6])
    state = fields[0].decode()
    return Process(pid, parent, group, session, terminal, foreground, int(fields[19]), state)


def is_zombie(pid: int) -> bool:
    """Whether the process is dead but not reaped yet."""
    return _stat_fields(pid)[:1] == [b"Z"]


def signal_state(pid: int, number: signal.Signals) -> SignalState | None:
    """The state of a signal in the process; None if it is gone, or the system does not tell."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            lines = dict(line.split(b":", 1) for line in file if b":" in line)
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return None
    bit = 1 << (number - 1)
    names = (b"ShdPnd", b"SigBlk", b"SigIgn", b"SigCgt")
    return SignalState(*(bool(int(lines[name], 16) & bit) for name in names))


def is_forking(pid: int) -> bool:
    """Whether it is in a system call that creates a child; False if the system does not tell."""
    return _system_call(pid) in _FORKS


def is_waiting(pid: int) -> bool:
    """Whether it is in a system call in which programs wait; True if the system does not tell."""
    number = _system_call(pid)
    return not number or not _WAITS or number in _WAITS


def waits_for_keys(pid: int, terminal: str) -> bool:
    """Whether it reads from this terminal or waits until it can; True if the system does not tell."""
    call, descriptor, *_ = (*_system_call_words(pid), b"", b"")
    if call != _READS or not call:
        return not call or not _POLLS or call in _POLLS
    try:
        return os.readlink(f"/proc/{pid}/fd/{int(descriptor, 16)}") in (terminal, "/dev/tty")
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return False


def _system_call(pid: int) -> bytes:
    """The number of its system call, `-1` or `running` outside of one; empty if the system does not tell."""
    return next(iter(_system_call_words(pid)), b"")


def _system_call_words(pid: int) -> list[bytes]:
    """Its system call and what it was called with; empty if the system does not tell.

    Of a stopped process it is the one that it returns from when it goes on, or that it repeats.
    """
    try:
        with open(f"/proc/{pid}/syscall", "rb") as file:
            return file.read().split()
    except OSError as refused:
        if refused.errno in _OUT_OF_MEANS:
            raise
        return []


def send(process: Process, *numbers: signal.Signals) -> bool:
    """Send a process signals, never a later one with the same id; returns whether this user may.

    Raises OSError if this process cannot open more files.
    """
    handle = None
    try:
        if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
            handle = _handle(process.pid)
        # With the handle held, an id that belongs to the process now cannot pass to another one.
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
        return False  # it runs as another user by now
    finally:
        if handle is not None:
            os.close(handle)
    return True


def _handle(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError as refused:  # the kernel has no pidfd
        if refused.errno in _OUT_OF_MEANS:
            raise
        return None


def _stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat from the state on; empty for a process that is gone."""
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
    # The supervisor imports this module before it forks, so it must stay small.
    from zsh_ls.system.bounded_probe import printed_by  # noqa: PLC0415

    columns = ["ps", "-axo", "pid=,ppid=,pgid=,stat="]
    listing = printed_by(columns, timeout_s=_PS_TIME_LIMIT_S)
    for line in listing.decode("ascii", "replace").splitlines():
        pid, parent, group, state = line.split()
        if not state.startswith("Z"):
            yield Process(int(pid), int(parent), int(group), int(group), 0, 0, 0, state[:1])
