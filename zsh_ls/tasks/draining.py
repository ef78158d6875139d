"""Taking in what a task prints, as fast as it prints and in bounded pieces; never waiting for it."""

from __future__ import annotations

import array
import asyncio
import fcntl
import os
import termios
from collections.abc import Callable

READ_BYTES = 1 << 20
# The loop has others to serve: after so many full reads they have their turn.
READS_IN_A_TURN = 4


class Drain:
    """Our end of a task's output, until everybody who could print has closed theirs."""

    def __init__(
        self,
        descriptor: int,
        loop: asyncio.AbstractEventLoop,
        take: Callable[[bytes], None],
        on_closed: Callable[[], None],
    ) -> None:
        self.descriptor = descriptor
        self.is_open = True
        self._loop = loop
        self._take = take
        self._on_closed = on_closed
        loop.add_reader(descriptor, self._on_readable)

    def take_what_is_there(self) -> None:
        """Take in what lies there now, however much others go on writing meanwhile."""
        left = max(1, self._waiting_bytes())
        while self.is_open and left > 0 and (read := self._read(min(left, READ_BYTES))):
            left -= read

    def close(self) -> None:
        """Stop taking; who still writes is told so by the kernel."""
        if self.is_open:
            self.is_open = False
            self._loop.remove_reader(self.descriptor)
            os.close(self.descriptor)

    def _on_readable(self) -> None:
        for _ in range(READS_IN_A_TURN):
            if not self.is_open or self._read(READ_BYTES) < READ_BYTES // 16:
                return

    def _read(self, limit_bytes: int) -> int:
        """Take in one piece; how long it was."""
        try:
            data = os.read(self.descriptor, limit_bytes)
        except BlockingIOError:
            return 0
        except OSError:  # EIO: the last process has left the terminal
            data = b""
        if data:
            self._take(data)
        else:
            self.close()
            self._on_closed()
        return len(data)

    def _waiting_bytes(self) -> int:
        waiting = array.array("i", [0])
        try:
            fcntl.ioctl(self.descriptor, termios.FIONREAD, waiting)
        except OSError:  # a terminal nobody is left on
            return 0
        return waiting[0]
