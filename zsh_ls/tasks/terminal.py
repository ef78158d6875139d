"""A terminal for a task: its two ends, its size, what ends a line of input."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios


def open_terminal(cols: int, rows: int) -> tuple[int, int]:
    """The end that we keep and the end that the task gets, of the given size."""
    ours, theirs = pty.openpty()
    resize(ours, cols, rows)
    os.set_blocking(ours, False)
    return ours, theirs


def resize(descriptor: int, cols: int, rows: int) -> None:
    """Give the terminal a new size; its foreground job gets SIGWINCH."""
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def end_of_input(descriptor: int) -> bytes:
    """The character that ends input on this terminal, usually ^D."""
    character: bytes = termios.tcgetattr(descriptor)[6][termios.VEOF]
    return character
