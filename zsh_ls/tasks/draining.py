"""Taking in what a task prints, as fast as it prints and in bounded pieces; never waiting for it.

A pipe that brings more than the loop should carry is left to a `Pump`.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import os
import termios
from collections.abc import Callable

from .output import Output
from .splice import CAN_POUR, SplicePump

READ_BYTES = 1 << 20
# The loop has others to serve: after so many full reads they have their turn.
READS_IN_A_TURN = 4
# After so many turns in a row that found more than they may take, threads take over.
TORRENT_TURNS = 4


class Drain:
    """Our end of a task's output, until everybody who could print has closed theirs."""

    def __init__(
        self,
        descriptor: int,
        loop: asyncio.AbstractEventLoop,
        output: Output,
        on_news: Callable[[], None],
        on_closed: Callable[[], None],
        *,
        is_pipe: bool = True,
    ) -> None:
        self.descriptor = descriptor
        self.is_open = True
        self._loop = loop
        self._output = output
        self._on_news = on_news
        self._on_closed = on_closed
        self._can_pour = is_pipe and CAN_POUR
        self._full_turns = 0
        self._pump: SplicePump | None = None
        loop.add_reader(descriptor, self._on_readable)

    def take_what_is_there(self) -> None:
        """Take in what lies there now, however much others go on writing meanwhile."""
        self._end_pump()
        left = max(1, self._waiting_bytes())
        while self.is_open and left > 0 and (read := self._read(min(left, READ_BYTES))):
            left -= read

    def close(self) -> None:
        """Stop taking; who still writes is told so by the kernel."""
        if self.is_open:
            self._end_pump()
            self.is_open = False
            self._loop.remove_reader(self.descriptor)
            os.close(self.descriptor)

    def _on_readable(self) -> None:
        for _ in range(READS_IN_A_TURN):
            if not self.is_open or self._read(READ_BYTES) < READ_BYTES // 16:
                self._full_turns = 0
                return
        self._full_turns += 1
        if self._full_turns >= TORRENT_TURNS and self._can_pour:
            self._begin_pump()

    def _begin_pump(self) -> None:
        try:
            self._pump = SplicePump(
                self.descriptor, self._output, self._loop, self._on_news, self._on_pump_done
            )
        except RuntimeError:  # no threads can be had now
            self._full_turns = 0
        else:
            self._loop.remove_reader(self.descriptor)

    def _end_pump(self) -> None:
        pump, self._pump, self._full_turns = self._pump, None, 0
        if pump:
            pump.stop()
            self._loop.add_reader(self.descriptor, self._on_readable)

    def _on_pump_done(self, closed: bool) -> None:
        self._end_pump()
        if closed:
            self._end()

    def _end(self) -> None:
        self.close()
        self._on_closed()

    def _read(self, limit_bytes: int) -> int:
        """Take in one piece; how long it was."""
        try:
            data = os.read(self.descriptor, limit_bytes)
        except BlockingIOError:
            return 0
        except OSError:  # EIO: the last process has left the terminal
            data = b""
        if data:
            self._output.append(data)
            self._on_news()
        else:
            self._end()
        return len(data)

    def _waiting_bytes(self) -> int:
        waiting = array.array("i", [0])
        try:
            fcntl.ioctl(self.descriptor, termios.FIONREAD, waiting)
        except OSError:  # a terminal nobody is left on
            return 0
        return waiting[0]
