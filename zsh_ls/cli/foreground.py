"""A task in the foreground of the user's terminal, as if the shell had started it.

The task has a terminal of its own. While it runs, the user's terminal is in raw
mode: all keys are passed on (Ctrl-C, Ctrl-D and Ctrl-Z have the effect that the
task's terminal gives them), and so are the bytes that the task writes and changes
of the window size.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from zsh_ls.model.errors import SidecarError
from zsh_ls.model.requests import SendRequest
from zsh_ls.sidecar import Sidecar

from .signals import SignalHandlers

KEYS_BYTES = 4096


def has_terminal() -> bool:
    """Whether standard input and output are a terminal that this process may use."""
    # A stream is None if its descriptor was closed before the start.
    is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return is_terminal and standard_input() is not None


def standard_input() -> int | None:
    """The descriptor for a command to read; None for a background job, which must not read the terminal."""
    if sys.stdin is None:
        return None
    descriptor = sys.stdin.fileno()
    if not os.isatty(descriptor):
        return descriptor
    with contextlib.suppress(OSError):  # not the controlling terminal of this session
        return descriptor if os.tcgetpgrp(descriptor) == os.getpgrp() else None
    return None


@contextmanager
def raw_mode(terminal: int) -> Iterator[None]:
    """Set the terminal to raw mode within the context."""
    before = termios.tcgetattr(terminal)
    tty.setraw(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        with contextlib.suppress(OSError, termios.error):  # the terminal may have been closed
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def keys_passed_on(sidecar: Sidecar, task_id: str, terminal: int) -> Iterator[None]:
    """Send what is typed to the task, in order, within the context."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Queue[bytes] = asyncio.Queue()

    def take() -> None:
        try:
            data = os.read(terminal, KEYS_BYTES)
        except OSError:
            data = b""
        if data:
            typed.put_nowait(data)
        else:
            loop.remove_reader(terminal)

    async def pass_on() -> None:
        while True:
            text = (await typed.get()).decode("utf-8", "surrogateescape")
            with contextlib.suppress(SidecarError):  # the task has just ended
                await sidecar.send(SendRequest(task_id, text, newline=False))

    loop.add_reader(terminal, take)
    passing = loop.create_task(pass_on())
    try:
        yield
    finally:
        loop.remove_reader(terminal)
        passing.cancel()


@contextmanager
def size_passed_on(
    sidecar: Sidecar, task_id: str, terminal: int, handlers: SignalHandlers
) -> Iterator[None]:
    """Keep the task's terminal as large as the user's, within the context."""
    loop = asyncio.get_running_loop()
    jobs: set[asyncio.Task[None]] = set()

    async def resize() -> None:
        with contextlib.suppress(
            SidecarError, OSError
        ):  # the task has just ended, or the terminal has been closed
            size = os.get_terminal_size(terminal)
            await sidecar.resize(task_id, size.columns, size.lines)

    def changed() -> None:
        job = loop.create_task(resize())
        jobs.add(job)
        job.add_done_callback(jobs.discard)

    handlers.handle(signal.SIGWINCH, changed)
    changed()  # the size may have changed since the task was started
    try:
        yield
    finally:
        handlers.leave(signal.SIGWINCH)
