r"""A task in the foreground of the user's terminal, as if the shell had started it.

The task has a terminal of its own. What the task writes is passed on, and so are changes of the window size,
Ctrl-C, Ctrl-\ and Ctrl-Z. Other keys are passed on as the task reads them: those that it leaves stay in the
user's terminal, for the shell that called, as if the task had been in that terminal itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import math
import os
import select
import signal
import struct
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zsh_ls.model.errors import SidecarError
from zsh_ls.model.requests import SendRequest
from zsh_ls.sidecar import Sidecar
from zsh_ls.tasks.process.streams import Job
from zsh_ls.tasks.process.waiting import reads_secretly, reads_single_keys

from .signals import SignalHandlers

KEYS_BYTES = 4096
# How long keys that nobody reads rest before it is asked again who does.
_FIRST_PAUSE_S = 0.005
_LONGEST_PAUSE_S = 0.1
# Nobody answers a question so soon; a program may, before what is typed is hidden.
_SOONEST_ANSWER_S = 0.3
_INPUT_MODES, _OUTPUT_MODES, _LOCAL_MODES, _CHARACTERS = 0, 1, 3, 6
_KEY_OF_SIGNAL: dict[int, int] = {
    signal.SIGINT: termios.VINTR,
    signal.SIGQUIT: termios.VQUIT,
    signal.SIGTSTP: termios.VSUSP,
}


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


class Keyboard:
    """The keys of the user's terminal, for a task in its foreground; `close` gives the terminal back.

    The user's terminal follows the task's. While a program of the task has set that to single keys (an
    editor), the user's is in raw mode and each key is passed on. Otherwise keys wait in the user's terminal
    until something reads the task's. They are not shown there: the task's terminal shows them, if they come
    to it. Where it cannot be told who reads, all keys are passed on.
    """

    def __init__(self, sidecar: Sidecar, job: Job, terminal: int) -> None:
        assert job.terminal is not None
        self._sidecar = sidecar
        self._task_id = job.task_id
        self._takes_keys = job.takes_keys
        self._terminal = terminal
        self._its = os.dup(job.terminal)
        self._loop = asyncio.get_running_loop()
        self._before = termios.tcgetattr(terminal)
        self._raw, self._waiting = _modes_while_running(self._before)
        # The relay's thread follows the task's modes, too.
        self._lock = threading.Lock()
        self._is_open = True
        self._is_raw = self._should_be_raw()
        termios.tcsetattr(terminal, termios.TCSADRAIN, self._raw if self._is_raw else self._waiting)
        self._was_secret = False
        self._unread_since: float | None = None
        self._pause_s = _FIRST_PAUSE_S
        self._looking: asyncio.TimerHandle | None = None
        self._typed: asyncio.Queue[bytes] = asyncio.Queue()
        self._passing = self._loop.create_task(self._send_typed())
        self._loop.add_reader(terminal, self._on_key)

    def close(self) -> None:
        """Give the terminal back as it was, with the keys that were not read."""
        with self._lock:
            self._is_open = False
            self._loop.remove_reader(self._terminal)
            if self._looking is not None:
                self._looking.cancel()
            self._passing.cancel()
            os.close(self._its)
            with contextlib.suppress(OSError, termios.error):  # the terminal may have been closed
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def follow(self) -> bool:
        """Set the user's terminal as the task's asks; whether it is in raw mode. For any thread."""
        with self._lock, contextlib.suppress(OSError, termios.error):  # it has been closed
            if self._is_open and self._is_raw != (is_raw := self._should_be_raw()):
                self._is_raw = is_raw
                modes = self._raw if is_raw else self._waiting
                termios.tcsetattr(self._terminal, termios.TCSANOW, modes)
            if self._is_open and self._was_secret != (is_secret := reads_secretly(self._its)):
                self._was_secret = is_secret
                # What asks for a password discards what was typed before; that is in this terminal.
                since = self._unread_since or math.inf
                if is_secret and time.monotonic() - since > _SOONEST_ANSWER_S:
                    termios.tcflush(self._terminal, termios.TCIFLUSH)
        return self._is_raw

    def press(self, number: int) -> bool:
        """Press the key of a signal in the task's terminal; whether it was the user's key that sent it."""
        character = self._before[_CHARACTERS][_KEY_OF_SIGNAL[number]]
        # In raw mode no key sends a signal: somebody else has.
        if self._is_raw or character in (b"\0", b"\xff"):
            return False
        self._typed.put_nowait(character)
        return True

    def _should_be_raw(self) -> bool:
        return self._takes_keys is None or reads_single_keys(self._its)

    def _on_key(self) -> None:
        if _has_gone(self._terminal):
            self._loop.remove_reader(self._terminal)
            return
        was_raw, is_raw = self._is_raw, self.follow()
        if was_raw or is_raw or self._is_taken():
            # Return was pressed for a program that has just asked for single keys.
            self._take(return_key=is_raw and not was_raw)
        else:
            self._unread_since = time.monotonic()
            self._look_later()

    def _is_taken(self) -> bool:
        return self._takes_keys is None or self._takes_keys()

    def _look_later(self) -> None:
        self._loop.remove_reader(self._terminal)
        self._looking = self._loop.call_later(self._pause_s, self._look)
        self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)

    def _look(self) -> None:
        """Look again whether the keys that wait are taken now."""
        self._looking = None
        if self.follow() or self._is_taken():
            self._take()
        elif _has_keys(self._terminal):
            self._look_later()
            return
        self._pause_s, self._unread_since = _FIRST_PAUSE_S, None
        self._loop.add_reader(self._terminal, self._on_key)

    def _take(self, *, return_key: bool = False) -> None:
        with contextlib.suppress(OSError):  # it has been closed
            if data := os.read(self._terminal, KEYS_BYTES):
                self._typed.put_nowait(data.replace(b"\n", b"\r") if return_key else data)

    async def _send_typed(self) -> None:
        while True:
            text = (await self._typed.get()).decode("utf-8", "surrogateescape")
            with contextlib.suppress(SidecarError):  # the task has just ended
                await self._sidecar.send(SendRequest(self._task_id, text, newline=False))


def _modes_while_running(before: list[Any]) -> tuple[list[Any], list[Any]]:
    """Raw mode, and the same with signals and the user's ways of reading."""
    raw = [*before[:_CHARACTERS], list(before[_CHARACTERS])]
    raw[_INPUT_MODES] &= ~(
        termios.BRKINT | termios.ICRNL | termios.INPCK | termios.ISTRIP | termios.IXON
    )
    raw[_OUTPUT_MODES] &= ~termios.OPOST
    raw[_LOCAL_MODES] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    # A read never waits: a signal's key may discard what was there a moment before.
    raw[_CHARACTERS][termios.VMIN] = 0
    raw[_CHARACTERS][termios.VTIME] = 0
    waiting = [*raw[:_CHARACTERS], list(raw[_CHARACTERS])]
    waiting[_INPUT_MODES] = before[_INPUT_MODES]
    waiting[_LOCAL_MODES] |= termios.ISIG
    return raw, waiting


def _has_keys(terminal: int) -> bool:
    with contextlib.suppress(OSError):  # it has been closed
        waiting = fcntl.ioctl(terminal, termios.FIONREAD, bytes(struct.calcsize("i")))
        return bool(struct.unpack("i", waiting)[0])
    return False


def _has_gone(terminal: int) -> bool:
    gone = select.poll()
    gone.register(terminal, 0)
    return bool(gone.poll(0))


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
