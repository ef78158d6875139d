"""Keeps our ends of tasks' pipes and terminals open for a moment longer than this process lives.

When a server is killed by SIGKILL the kernel closes its ends at once: a command that prints, watches its
output (`tail -f`), reads its input or has a terminal ends by that before anybody could stop its shell, and
what stands behind it begins. So a second descriptor of each end waits, unread, in the queue of a socket
that the supervisors hold too: it needs no message to them and wakes nobody. They end the tasks, then
themselves, and with the last of them the ends are closed.
"""

from __future__ import annotations

# `socket` itself takes milliseconds that every start would wait for.
import _socket
import array
import contextlib
import os

_NAME_BYTES = 16
_ONE_DESCRIPTOR = _socket.CMSG_SPACE(array.array("i").itemsize)
_FLAGS = _socket.MSG_DONTWAIT | getattr(_socket, "MSG_CMSG_CLOEXEC", 0)


class HeldEnds:
    """A socket whose queue has second descriptors, each with the number of the first.

    To be made before the supervisors are forked. Where the queue is full, or the user's limit of
    descriptors under way is reached, an end is not held: it closes with this process, as any does.
    """

    def __init__(self) -> None:
        self._queue, self._sending = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self._count = 0

    def hold(self, descriptor: int) -> None:
        """Hold what `descriptor` leads to until `release`."""
        with contextlib.suppress(OSError):
            self._send(_name(descriptor), descriptor)

    def release(self, descriptor: int) -> None:
        """Let go what was held as `descriptor`, if anything was; the others go to the end of the queue."""
        with contextlib.suppress(OSError):
            for _ in range(self._count):
                name, second = self._receive()
                if second is None:
                    continue
                try:
                    if name == _name(descriptor):
                        return
                    self._send(name, second)
                finally:
                    os.close(second)

    def _send(self, name: bytes, descriptor: int) -> None:
        rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [descriptor]))
        self._sending.sendmsg([name], [rights], _socket.MSG_DONTWAIT)
        self._count += 1

    def _receive(self) -> tuple[bytes, int | None]:
        """The first in the queue; None where no descriptor is left for it, and the kernel has closed it."""
        name, ancillary, _, _ = self._queue.recvmsg(_NAME_BYTES, _ONE_DESCRIPTOR, _FLAGS)
        self._count -= 1
        for _, _, rights in ancillary:
            return name, int(array.array("i", rights)[0])
        return name, None


class _Held:
    """What this process holds; nothing in one without supervisors."""

    ends: HeldEnds | None = None


def prepare() -> None:
    """Hold ends from now on; called before the supervisors are forked, who hold them too."""
    with contextlib.suppress(OSError):  # no descriptors left: tasks are run all the same
        _Held.ends = HeldEnds()


def hold(descriptor: int) -> None:
    """Keep one of our ends open beyond the death of this process, until `close`."""
    if _Held.ends is not None:
        _Held.ends.hold(descriptor)


def close(descriptor: int) -> None:
    """Close one of our ends, held or not: the task sees it closed."""
    if _Held.ends is not None:
        _Held.ends.release(descriptor)
    os.close(descriptor)


def _name(descriptor: int) -> bytes:
    return str(descriptor).encode().ljust(_NAME_BYTES)
