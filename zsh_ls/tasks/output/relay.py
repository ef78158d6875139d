"""Passing on what a command writes as it comes, and keeping it: one thread for each stream.

A command is read no faster than its bytes are taken: who reads slowly holds it up, and who closes a
pipe has it get SIGPIPE, as if both ends were one pipe.
"""

from __future__ import annotations

import asyncio
import os
import select
import threading
from collections.abc import Callable
from functools import partial

from zsh_ls.tasks.supervision import held_ends

from .output import Output

PIECE_BYTES = 64 << 10


class Relay:
    """From `source`, the reading end of a pipe or our end of a terminal, to the descriptor `target`.

    `on_news` is called in the loop after each piece, `on_closed` at the end, `on_lost` with what the system
    said where something could not be written for another reason than that nobody reads it. `before_output`
    is called in the thread before each piece is written.
    """

    def __init__(
        self,
        source: int,
        target: int,
        output: Output,
        loop: asyncio.AbstractEventLoop,
        *,
        on_news: Callable[[], None],
        on_closed: Callable[[], None],
        on_lost: Callable[[OSError], None],
        before_output: Callable[[], None] | None,
        is_terminal: bool,
    ) -> None:
        self.descriptor = source
        self.is_open = True
        self._source = os.dup(source)
        self._target = target
        self._output = output
        self._loop = loop
        self._on_news = on_news
        self._on_closed = on_closed
        self._on_lost = on_lost
        self._before_output = before_output
        self._is_terminal = is_terminal
        self._is_passing = False
        self._stopped, self._stopping = os.pipe()
        threading.Thread(target=self._run, daemon=True, name="relay").start()

    @property
    def is_busy(self) -> bool:
        """Whether there is something that has not been passed on."""
        if not self.is_open:
            return False
        waiting = select.poll()
        waiting.register(self.descriptor, select.POLLIN)
        return self._is_passing or any(mask & select.POLLIN for _, mask in waiting.poll(0))

    def close(self) -> None:
        """Stop passing on; a process that still writes to a pipe gets SIGPIPE."""
        if self.is_open:
            self.is_open = False
            held_ends.close(self.descriptor)
            os.close(self._stopping)

    def _run(self) -> None:
        can_pass = True
        news = select.poll()
        news.register(self._source, select.POLLIN)
        news.register(self._stopped, select.POLLIN)
        while not any(ready == self._stopped for ready, _ in news.poll()):
            # Set before the bytes are taken: `is_busy` sees them in the one place or the other.
            self._is_passing = True
            try:
                data = os.read(self._source, PIECE_BYTES)
            except BlockingIOError:
                self._is_passing = False
                continue
            except OSError as fault:
                data = b""
                if not self._is_terminal:  # it gives EIO when its last process has left it
                    self._output.unread = fault
            if self._before_output is not None:
                self._before_output()
            can_pass = can_pass and self._write(data)
            if not data or not self._keep(data) or not (can_pass or self._is_terminal):
                break
            self._is_passing = False
        os.close(self._source)
        os.close(self._stopped)
        self._in_loop(self._end)

    def _write(self, data: bytes) -> bool:
        """Whether all of it has been written: False if nobody reads there any more."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._target, left) :]
            except BlockingIOError:
                room = select.poll()
                room.register(self._target, select.POLLOUT)
                room.poll()
            except OSError as refused:
                if not isinstance(refused, BrokenPipeError) and not self._is_terminal:
                    self._in_loop(partial(self._on_lost, refused))
                return False
        return True

    def _keep(self, data: bytes) -> bool:
        """Add it to the output, in the loop; False if there is no loop any more."""
        kept = threading.Event()

        def keep() -> None:
            try:
                self._output.append(data)
                self._on_news()
            finally:
                kept.set()

        return self._in_loop(keep) and kept.wait()

    def _end(self) -> None:
        if self.is_open:
            self.close()
            self._on_closed()

    def _in_loop(self, call: Callable[[], None]) -> bool:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop is closed
            return False
        return True


class Relays:
    """All relays of one task; closed when the last one is."""

    def __init__(self, on_closed: Callable[[], None]) -> None:
        self._on_closed = on_closed
        self._relays: list[Relay] = []
        self.descriptor = -1

    def add(
        self,
        source: int,
        target: int,
        output: Output,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
        *,
        on_lost: Callable[[OSError], None],
        before_output: Callable[[], None] | None,
        is_terminal: bool,
    ) -> None:
        """Pass on one more stream; `descriptor` is that of the first."""
        if not self._relays:
            self.descriptor = source
        relay = Relay(
            source,
            target,
            output,
            loop,
            on_news=on_news,
            on_closed=self._one_closed,
            on_lost=on_lost,
            before_output=before_output,
            is_terminal=is_terminal,
        )
        self._relays.append(relay)

    @property
    def is_open(self) -> bool:
        """Whether anything can still come."""
        return any(relay.is_open for relay in self._relays)

    @property
    def is_busy(self) -> bool:
        """Whether there is something that has not been passed on."""
        return any(relay.is_busy for relay in self._relays)

    def take_what_is_there(self) -> None:
        """Nothing: what is there is passed on as fast as it is taken."""

    def close(self) -> None:
        """Stop passing on."""
        for relay in self._relays:
            relay.close()

    def _one_closed(self) -> None:
        if not self.is_open:
            self._on_closed()
