"""Whether a process waits to read a task's terminal or standard input, by its system call (POLL-6).

It waits if it is blocked in read(2) of the input, or in poll, select or epoll on
the input and nothing else but descriptors for the program's own signals. The text
of a prompt is never looked at. Works on Linux on the machines in `_CALLS`; elsewhere
no process is reported to wait.
"""

from __future__ import annotations

import contextlib
import os
import struct
import termios
from collections.abc import Callable, Collection, Iterable, Mapping

from zsh_ls.lazy import attrs

_READ, _POLL, _SELECT, _EPOLL = "read", "poll", "select", "epoll"
# Numbers of asm/unistd.h: read, readv; poll, ppoll; select, pselect6; epoll_wait, _pwait, _pwait2.
_CALLS: Mapping[str, Mapping[int, str]] = {
    "x86_64": {0: _READ, 19: _READ, 7: _POLL, 271: _POLL, 23: _SELECT, 270: _SELECT}
    | dict.fromkeys((232, 281, 441), _EPOLL),
    "aarch64": {63: _READ, 65: _READ, 73: _POLL, 72: _SELECT, 22: _EPOLL, 441: _EPOLL},
}
_POLLIN = 1
_MOST_DESCRIPTORS = 64
_OWN_SIGNALS = ("anon_inode:[eventfd]", "anon_inode:[signalfd]", "anon_inode:[io_uring]")
_LOCAL_MODES = 3


@attrs.frozen
class Input:
    """A task's input: the targets of its descriptors in /proc, and our end of the terminal if it has one."""

    links: frozenset[str]
    terminal: int | None = None


def waits(shell: int, source: Input) -> bool:
    """Whether `shell` or a process below it waits to read `source`."""
    return any(_process_waits(pid, source) for pid in _with_descendants(shell))


def waiting_below(shell: int, source: Input) -> list[int]:
    """The ids of `shell` and the processes below it that wait to read `source`."""
    return [pid for pid in _with_descendants(shell) if _process_waits(pid, source)]


def link_of(descriptor: int) -> str:
    """The target in /proc of a descriptor of this process."""
    return _link(os.getpid(), descriptor)


def _with_descendants(shell: int) -> Iterable[int]:
    ahead = [shell]
    while ahead:
        pid = ahead.pop()
        yield pid
        ahead += _children(pid)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _process_waits(pid: int, source: Input) -> bool:
    try:
        with open(f"/proc/{pid}/syscall", "rb") as file:
            fields = file.read().split()
    except PermissionError:
        return source.terminal is not None and _asks_secretly(pid, source.terminal)
    except OSError:
        return False
    # `running`, or -1 and two addresses where it is stopped outside a system call: proc_pid_syscall(5).
    if len(fields) <= 6 or not fields[0].isdigit():
        return False
    call = _CALLS.get(os.uname().machine, {}).get(int(fields[0]))
    return call is not None and _WAYS[call](pid, [int(field, 16) for field in fields[1:7]], source)


def _asks_secretly(pid: int, terminal: int) -> bool:
    """Whether a program of another user (sudo) reads a password.

    Its system call cannot be read, but the modes of the terminal can: whole lines, without echo.
    """
    with contextlib.suppress(OSError, termios.error):
        modes = termios.tcgetattr(terminal)[_LOCAL_MODES]
        in_foreground = os.getpgid(pid) == os.tcgetpgrp(terminal)
        return in_foreground and bool(modes & termios.ICANON) and not modes & termios.ECHO
    return False


def _reads(pid: int, arguments: list[int], source: Input) -> bool:
    return _link(pid, arguments[0]) in source.links


def _polls(pid: int, arguments: list[int], source: Input) -> bool:
    address, count = arguments[0], min(arguments[1], _MOST_DESCRIPTORS)
    entries = struct.iter_unpack("ihh", _memory(pid, address, 8 * count))
    return _only_input(
        pid, [fd for fd, events, _ in entries if fd >= 0 and events & _POLLIN], source
    )


def _selects(pid: int, arguments: list[int], source: Input) -> bool:
    count = min(arguments[0], 1024)
    bits = int.from_bytes(_memory(pid, arguments[1], (count + 7) // 8), "little")
    return _only_input(pid, [fd for fd in range(count) if bits >> fd & 1], source)


def _epolls(pid: int, arguments: list[int], source: Input) -> bool:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/{arguments[0]}", "rb") as file:
        watched = [line.split() for line in file if line.startswith(b"tfd:")]
        return _only_input(
            pid, [int(words[1]) for words in watched if int(words[3], 16) & _POLLIN], source
        )
    return False


_WAYS: Mapping[str, Callable[[int, list[int], Input], bool]] = {
    _READ: _reads,
    _POLL: _polls,
    _SELECT: _selects,
    _EPOLL: _epolls,
}


def _only_input(pid: int, descriptors: Collection[int], source: Input) -> bool:
    """Whether `source` is among the descriptors, and all others are for the program's own signals."""
    links = {_link(pid, descriptor) for descriptor in descriptors}
    others = links - source.links
    return len(others) < len(links) and all(_is_own_signal(pid, link) for link in others)


def _is_own_signal(pid: int, link: str) -> bool:
    if link.startswith("pipe:"):
        with contextlib.suppress(OSError):
            held = [_link(pid, int(name)) for name in os.listdir(f"/proc/{pid}/fd")]
            return held.count(link) > 1
    return link in _OWN_SIGNALS


def _link(pid: int, descriptor: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/fd/{descriptor}")
    except OSError:
        return ""


def _memory(pid: int, address: int, size_bytes: int) -> bytes:
    try:
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
            file.seek(address)
            data = file.read(size_bytes)
    except (OSError, ValueError, OverflowError):
        return b""
    return data if len(data) == size_bytes else b""
