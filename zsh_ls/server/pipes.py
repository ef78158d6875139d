"""Reads from and writes to the client's pipes without blocking the event loop."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable

PIECE_BYTES = 256 * 1024

# Beyond this, progress and diagnostics are held back and merged, so that a slow reader costs no memory.
MANY_BYTES = 256 * 1024
# Beyond this no more requests are read. A client may send thousands before it reads any response.
TOO_MANY_BYTES = 32 * 1024 * 1024

# Written at once, before other callbacks run: a fast reader would otherwise take a long answer whole.
BYTES_A_TURN = 512 * 1024


class Incoming:
    """Calls `receive` with each piece that arrives on a descriptor, and with b"" at its end.

    A regular file or /dev/null, which cannot be polled, is read in pieces between
    other callbacks of the loop.
    """

    def __init__(
        self, descriptor: int, loop: asyncio.AbstractEventLoop, receive: Callable[[bytes], None]
    ) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._receive = receive
        self._reading = False
        self._pollable = True

    def resume(self) -> None:
        """Start to read, or continue after `pause`."""
        if self._reading:
            return
        self._reading = True
        try:
            self._loop.add_reader(self._descriptor, self._read)
        except PermissionError:
            self._pollable = False
            self._loop.call_soon(self._read)

    def pause(self) -> None:
        """Read nothing until `resume`."""
        if self._reading and self._pollable:
            self._loop.remove_reader(self._descriptor)
        self._reading = False

    def _read(self) -> None:
        if not self._reading:
            return
        try:
            piece = os.read(self._descriptor, PIECE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.pause()
        elif not self._pollable:
            self._loop.call_soon(self._read)
        self._receive(piece)


class Outgoing:
    """A queue of bytes that are written to a descriptor as fast as its reader reads."""

    def __init__(self, descriptor: int, loop: asyncio.AbstractEventLoop) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._pieces: deque[memoryview] = deque()
        self._was_blocking = os.get_blocking(descriptor)
        self.unsent_bytes = 0
        self.broken = False
        self._empty = asyncio.Event()
        self._empty.set()
        self.on_drained: Callable[[], None] = lambda: None
        os.set_blocking(descriptor, False)

    @property
    def is_slow(self) -> bool:
        """Whether the reader is so far behind that progress and diagnostics should wait."""
        return self.unsent_bytes > MANY_BYTES

    def write(self, data: bytes) -> None:
        """Queue `data`; dropped if the reader is gone."""
        if self.broken:
            return
        self._pieces.append(memoryview(data))
        self.unsent_bytes += len(data)
        self._empty.clear()
        if len(self._pieces) == 1:
            self._send()

    async def finish(self, patience_s: float) -> None:
        """Wait until everything is sent, at most `patience_s`; later writes are dropped."""
        try:
            async with asyncio.timeout(patience_s):
                await self._empty.wait()
        except TimeoutError:
            pass
        self._give_up()
        if self._was_blocking:
            os.set_blocking(self._descriptor, True)

    def _send(self) -> None:
        left = BYTES_A_TURN
        try:
            while self._pieces and left > 0:
                sent = os.write(self._descriptor, self._pieces[0][:left])
                left -= sent
                self.unsent_bytes -= sent
                self._pieces[0] = self._pieces[0][sent:]
                if not self._pieces[0]:
                    self._pieces.popleft()
            if self._pieces:
                self._loop.call_soon(self._go_on)
            else:
                self._empty.set()
        except BlockingIOError:
            self._loop.add_writer(self._descriptor, self._go_on)
        except OSError:
            self._give_up()

    def _go_on(self) -> None:
        self._loop.remove_writer(self._descriptor)
        self._send()
        if not self.is_slow:
            self.on_drained()

    def _give_up(self) -> None:
        self.broken = True
        if self._pieces:
            self._loop.remove_writer(self._descriptor)
        self._pieces.clear()
        self._empty.set()
        self.unsent_bytes = 0
