"""Reading a task's output in bounded pieces, without ever blocking on it.

A pipe with more data than the event loop should handle is read by two threads:
one lets the kernel move the bytes to the file (splice(2)), so that neither the
disk nor a copy delays the loop; the other counts lines closely behind it, since
every request by line number needs the count. 1 GiB takes 1.1 times as long as if it
were redirected to a file, and holds up the loop for 33 ms; read in the loop it
took 1.7 times as long, and held it up for 86 ms.
"""

from __future__ import annotations

import array
import asyncio
import fcntl
import os
import select
import termios
import threading
from collections.abc import Callable

from zsh_ls.tasks.supervision import held_ends

from .newlines import STEP_BYTES
from .output import Output

POUR_BYTES = 1 << 20
# How far the line count may lag: a request by line number has to count the rest itself.
LAG_BYTES = 8 << 20
# A pipe that stays empty for this long is handed back to the event loop.
QUIET_MS = 20
CAN_POUR = hasattr(os, "splice")
READ_BYTES = 1 << 20
# After this many full reads other callbacks of the loop get their turn.
READS_IN_A_TURN = 4
# After this many turns in a row that used up their reads, the threads take over.
TORRENT_TURNS = 4


class SplicePump:
    """Moves a pipe into an output until it is closed, empty for QUIET_MS, or `stop` is called.

    `on_news` and `on_done(closed)` are called in the loop, the latter once all
    lines are counted, but not after `stop`. Raises RuntimeError if no thread can
    be started.
    """

    def __init__(
        self,
        descriptor: int,
        output: Output,
        loop: asyncio.AbstractEventLoop,
        on_news: Callable[[], None],
        on_done: Callable[[bool], None],
    ) -> None:
        self._descriptor = descriptor
        self._output = output
        self._loop = loop
        self._on_news = on_news
        self._on_done = on_done
        self._stopping = False
        self._poured_all = False
        self._counting = True
        self._is_notifying = False
        self._moved = threading.Condition()
        self._threads = [
            threading.Thread(target=run, daemon=True) for run in (self._pour, self._count)
        ]
        pouring, counting = self._threads
        counting.start()  # `_pour` joins it
        try:
            pouring.start()
        except RuntimeError:
            with self._moved:
                self._poured_all = True
                self._moved.notify_all()
            counting.join()
            raise

    def stop(self) -> None:
        """Stop both threads, with all lines counted; unread bytes stay in the pipe."""
        self._stopping = True
        for thread in self._threads:
            thread.join()

    def _pour(self) -> None:
        try:
            closed = self._pour_until_quiet()
        except OSError as fault:
            self._output.unread, closed = fault, True
        with self._moved:
            self._poured_all = True
            self._moved.notify_all()
        self._threads[1].join()
        self._in_loop(self._done, closed)

    def _pour_until_quiet(self) -> bool:
        """Move bytes until the pipe is empty for QUIET_MS; returns whether it was closed."""
        arrival = select.poll()
        arrival.register(self._descriptor, select.POLLIN)
        while not self._stopping and arrival.poll(QUIET_MS):
            if not self._output.pour(self._descriptor, POUR_BYTES):
                return True
            if not self._is_notifying:  # one call that waits in the loop is enough
                self._is_notifying = True
                self._in_loop(self._call_on_news)
            with self._moved:
                self._moved.notify_all()
                self._moved.wait_for(
                    lambda: self._output.uncounted_bytes < self._lag_bytes or not self._counting
                )
        return False

    @property
    def _lag_bytes(self) -> int:
        """Smaller once the disk refuses bytes: these stay in memory only briefly."""
        return LAG_BYTES if self._output.spool.failure is None else STEP_BYTES

    def _count(self) -> None:
        try:
            while self._has_more_to_count():
                self._output.count_lines()
        finally:  # after a failure `_pour` must not wait for this thread, or the command would hang
            with self._moved:
                self._counting = False
                self._moved.notify_all()

    def _has_more_to_count(self) -> bool:
        """Wait for the next piece to count; False when there will be none."""
        with self._moved:
            self._moved.notify_all()
            self._moved.wait_for(lambda: self._poured_all or self._output.uncounted_bytes)
            return self._output.uncounted_bytes > 0

    def _call_on_news(self) -> None:
        self._is_notifying = False
        self._on_news()

    def _done(self, closed: bool) -> None:
        if not self._stopping:
            self._on_done(closed)

    def _in_loop(self, call: Callable[..., None], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop is closed: nobody waits for output any more
            self._stopping = True


class Drain:
    """The reading end of a task's output, open until all writers have closed theirs."""

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
        self._is_pipe = is_pipe
        self._full_turns = 0
        self._pump: SplicePump | None = None
        loop.add_reader(descriptor, self._on_readable)

    def take_what_is_there(self) -> None:
        """Read what is in the pipe now, but not what is written while this runs."""
        self._end_pump()
        left = max(1, self._waiting_bytes())
        while self.is_open and left > 0 and (read := self._read(min(left, READ_BYTES))):
            left -= read

    def close(self) -> None:
        """Stop reading; a process that still writes gets SIGPIPE."""
        if self.is_open:
            self._end_pump()
            self.is_open = False
            self._loop.remove_reader(self.descriptor)
            held_ends.close(self.descriptor)

    def _on_readable(self) -> None:
        for _ in range(READS_IN_A_TURN):
            if not self.is_open or self._read(READ_BYTES) < READ_BYTES // 16:
                self._full_turns = 0
                return
        self._full_turns += 1
        if self._full_turns >= TORRENT_TURNS and self._is_pipe and CAN_POUR:
            self._begin_pump()

    def _begin_pump(self) -> None:
        try:
            self._pump = SplicePump(
                self.descriptor, self._output, self._loop, self._on_news, self._on_pump_done
            )
        except RuntimeError:  # no thread can be started now
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
        """Read one piece; returns its length."""
        try:
            data = os.read(self.descriptor, limit_bytes)
        except BlockingIOError:
            return 0
        except OSError as fault:
            data = b""
            if self._is_pipe:  # a terminal gives EIO when its last process has left it
                self._output.unread = fault
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
        except OSError:  # a terminal that no process has open any more
            return 0
        return waiting[0]
