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
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import attrs

from zsh_ls.model.errors import SidecarError
from zsh_ls.model.requests import PollRequest, SendRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar

from .running import Interrupts

KEYS_BYTES = 4096
LONGEST_LISTEN_S = 300.0

Start = Callable[[os.terminal_size], Awaitable[TaskResult]]


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


async def in_foreground(sidecar: Sidecar, start: Start, interrupts: Interrupts) -> TaskResult:
    """Start a task on a terminal of the same size, and connect it with the user's terminal until its end.

    `start` must request a terminal. Returns the result; its output has been shown already.
    """
    terminal = sys.stdin.fileno()
    with raw_mode(terminal):
        first = await start(os.get_terminal_size(sys.stdout.fileno()))
        interrupts.reach(first.task_id)
        with (
            keys_passed_on(sidecar, first.task_id, terminal),
            size_passed_on(sidecar, first.task_id, sys.stdout.fileno()),
        ):
            line_is_open = await _show(sidecar, first.task_id)
        result = first
        while result.status is Status.RUNNING:
            poll = PollRequest(first.task_id, listen=LONGEST_LISTEN_S, until="end")
            result = await sidecar.poll(poll)
    if line_is_open:
        print()
    return attrs.evolve(result, output="")


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
def size_passed_on(sidecar: Sidecar, task_id: str, terminal: int) -> Iterator[None]:
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

    loop.add_signal_handler(signal.SIGWINCH, changed)
    changed()  # the size may have changed since the task was started
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGWINCH)


async def _show(sidecar: Sidecar, task_id: str) -> bool:
    """Write the task's output until its end; returns whether its last line has no newline."""
    sys.stdout.flush()
    written, last = 0, b"\n"
    while (news := await sidecar.raw_output(task_id, written)).data:
        written, last = news.next_byte, news.data[-1:]
        # In a thread, as a slow terminal must not delay the keys.
        await asyncio.to_thread(_write, news.data)
    return last != b"\n"


def _write(data: bytes) -> None:
    view = memoryview(data)
    with contextlib.suppress(OSError):  # the terminal has been closed; the task gets SIGHUP
        while view:
            view = view[os.write(sys.stdout.fileno(), view) :]
