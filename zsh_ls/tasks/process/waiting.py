"""Whether a process waits to read a task's terminal or standard input, by its system call (POLL-6).

It waits if it is blocked in read(2) of the input, or in poll, select or epoll on
the input and nothing else but descriptors for the program's own signals. The text
of a prompt is never looked at. Works on Linux on the machines in `_CALLS`; elsewhere
no process is reported to wait.

Whether a key is for a process is another question (`takes_keys`): a program that waits for the
network and for keys at once does nothing for want of a key, but takes one.
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
# proc_pid_syscall(5) tells these of a thread that is in no system call.
_FIELDS_OF_A_CALL = 7


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


def can_tell_who_takes_keys() -> bool:
    """Whether `takes_keys` knows this system and machine."""
    return os.uname().machine in _CALLS and os.path.exists("/proc/self/syscall")


def takes_keys(shell: int, source: Input) -> bool:
    """Whether `shell` or a process below it would read a key now, as far as can be told.

    True if any thread is in a system call that reads `source` or waits for it, whatever else it waits
    for; if standard input is read without waiting; and if a process of the terminal's foreground cannot be
    looked at. A program that only asks now and then whether there is a key is not seen.
    """
    return any(_takes_keys(pid, source) for pid in _with_descendants(shell))


def reads_single_keys(terminal: int) -> bool:
    """Whether a program has set the terminal to give it each key, or Ctrl-C as one, not whole lines."""
    try:
        modes = termios.tcgetattr(terminal)[_LOCAL_MODES]
    except (OSError, termios.error):
        return True
    return not (modes & termios.ICANON and modes & termios.ISIG)


def reads_secretly(terminal: int) -> bool:
    """Whether the terminal gives whole lines that it does not show: a password is being asked for."""
    with contextlib.suppress(OSError, termios.error):
        modes = termios.tcgetattr(terminal)[_LOCAL_MODES]
        return bool(modes & termios.ICANON) and not modes & termios.ECHO
    return False


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
        awaited = _awaited(pid, pid)
    except PermissionError:
        # A program of another user (sudo): its calls cannot be read, the modes of the terminal can.
        terminal = source.terminal
        return (
            terminal is not None and _is_in_foreground(pid, terminal) and reads_secretly(terminal)
        )
    return _only_input(pid, awaited, source)


def _takes_keys(pid: int, source: Input) -> bool:
    try:
        threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]
        awaited = {descriptor for thread in threads for descriptor in _awaited(pid, thread)}
    except PermissionError:
        return source.terminal is None or _is_in_foreground(pid, source.terminal)
    except OSError:
        return False
    return any(_link(pid, it) in source.links for it in awaited) or _reads_at_once(pid, source)


def _reads_at_once(pid: int, source: Input) -> bool:
    """Whether standard input is `source` and is not waited for (O_NONBLOCK)."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/0", "rb") as file:
        flags = next(int(line.split()[1], 8) for line in file if line.startswith(b"flags:"))
        return bool(flags & os.O_NONBLOCK) and _link(pid, 0) in source.links
    return False


def _is_in_foreground(pid: int, terminal: int) -> bool:
    with contextlib.suppress(OSError):
        return os.getpgid(pid) == os.tcgetpgrp(terminal)
    return False


def _awaited(pid: int, thread: int) -> Collection[int]:
    """The descriptors that a thread is blocked on to read them.

    Raises PermissionError if it is another user's.
    """
    try:
        with open(f"/proc/{pid}/task/{thread}/syscall", "rb") as file:
            fields = file.read().split()
    except PermissionError:
        raise
    except OSError:
        return ()
    # `running`, or -1 and two addresses where it is stopped outside a system call: proc_pid_syscall(5).
    if len(fields) < _FIELDS_OF_A_CALL or not fields[0].isdigit():
        return ()
    call = _CALLS.get(os.uname().machine, {}).get(int(fields[0]))
    if call is None:
        return ()
    return _DESCRIPTORS[call](pid, [int(field, 16) for field in fields[1:_FIELDS_OF_A_CALL]])


def _read(_pid: int, arguments: list[int]) -> Collection[int]:
    return arguments[:1]


def _polled(pid: int, arguments: list[int]) -> Collection[int]:
    address, count = arguments[0], min(arguments[1], _MOST_DESCRIPTORS)
    entries = struct.iter_unpack("ihh", _memory(pid, address, 8 * count))
    return [fd for fd, events, _ in entries if fd >= 0 and events & _POLLIN]


def _selected(pid: int, arguments: list[int]) -> Collection[int]:
    count = min(arguments[0], 1024)
    bits = int.from_bytes(_memory(pid, arguments[1], (count + 7) // 8), "little")
    return [fd for fd in range(count) if bits >> fd & 1]


def _epolled(pid: int, arguments: list[int]) -> Collection[int]:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/fdinfo/{arguments[0]}", "rb") as file:
        watched = [line.split() for line in file if line.startswith(b"tfd:")]
        return [int(words[1]) for words in watched if int(words[3], 16) & _POLLIN]
    return ()


_DESCRIPTORS: Mapping[str, Callable[[int, list[int]], Collection[int]]] = {
    _READ: _read,
    _POLL: _polled,
    _SELECT: _selected,
    _EPOLL: _epolled,
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
