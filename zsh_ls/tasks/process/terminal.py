"""A pseudo-terminal for a task, and input for a task: any amount, in order, without blocking."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import struct
import termios
from collections import deque

from zsh_ls.tasks.supervision import held_ends

_PIECE_BYTES = 64 << 10


def open_terminal(cols: int, rows: int) -> tuple[int, int]:
    """A new terminal of the given size: our end and the task's end."""
    ours, theirs = pty.openpty()
    resize(ours, cols, rows)
    os.set_blocking(ours, False)
    return ours, theirs


def resize(descriptor: int, cols: int, rows: int) -> None:
    """Set the size of the terminal; its foreground job gets SIGWINCH."""
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def end_of_input(descriptor: int) -> bytes:
    """The character that ends the input of this terminal, usually ^D."""
    character: bytes = termios.tcgetattr(descriptor)[6][termios.VEOF]
    return character


class Feeder:
    """Our end of a task's standard input; `is_open` is False once either side has closed it."""

    def __init__(
        self, descriptor: int, loop: asyncio.AbstractEventLoop, *, is_terminal: bool
    ) -> None:
        self._descriptor = descriptor
        self._loop = loop
        self._is_terminal = is_terminal
        self._queue: deque[memoryview] = deque()
        self._closing = False
        self._at_line_start = True
        self.is_open = True
        os.set_blocking(descriptor, False)

    @property
    def has_foreground_job(self) -> bool:
        """Whether it feeds a terminal on which a process group is in the foreground."""
        try:
            return self._is_terminal and self.is_open and os.tcgetpgrp(self._descriptor) > 0
        except OSError:
            return False

    def send(self, data: bytes, *, eof: bool = False) -> None:
        """Queue `data`, with `eof` followed by the end of input; written as fast as the task reads."""
        if not self.is_open:
            return
        if data:
            self._queue.append(memoryview(data))
            self._at_line_start = data[-1:] in (b"\n", b"\r")
        if eof:
            self._end()
        self._write()

    def close(self) -> None:
        """Close the descriptor; queued data is dropped."""
        if self.is_open:
            self.is_open = False
            self._loop.remove_writer(self._descriptor)
            self._queue.clear()
            held_ends.close(self._descriptor)

    def _end(self) -> None:
        if not self._is_terminal:
            self._closing = True
            return
        # Within a line the first one only submits the text typed so far.
        mark = end_of_input(self._descriptor)
        self._queue.append(memoryview(mark if self._at_line_start else mark * 2))
        self._at_line_start = True

    def _write(self) -> None:
        try:
            while self._queue:
                self._write_piece()
        except BlockingIOError:
            self._loop.add_writer(self._descriptor, self._write)
            return
        except OSError:  # no process reads it any more
            self.close()
            return
        self._loop.remove_writer(self._descriptor)
        if self._closing:
            self.close()

    def _write_piece(self) -> None:
        piece = self._queue[0]
        written = os.write(self._descriptor, piece[:_PIECE_BYTES])
        if written < len(piece):
            self._queue[0] = piece[written:]
        else:
            self._queue.popleft()
