"""Reads from the client on the event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

PIECE_BYTES = 256 * 1024


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
