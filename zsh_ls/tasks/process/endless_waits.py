"""Ends programs that wait for keys where none can come (RUN-17).

vim, at the end of its standard input, reads its standard error instead: where it was started by xargs that is
the terminal. Without a terminal it is the pipe that the task writes to, which gives nothing to read and
never ends. A program that reads it would wait until the task's limit, and an unlimited task for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from . import processes
from .waiting import Input, waiting_below

FIRST_LOOK_S = 1.0
LONGEST_PAUSE_S = 16.0


class EndlessWaits:
    """Looks for such programs below a shell, the more seldom the longer it runs, and ends them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        shell: Callable[[], int | None],
        links: frozenset[str],
    ) -> None:
        """`shell` gives the process id of the task's shell while it runs; `links`: its outputs in /proc."""
        self._loop = loop
        self._shell = shell
        self._source = Input(links)
        self._pause_s = FIRST_LOOK_S
        self._timer = loop.call_later(FIRST_LOOK_S, self._look)
        self.ended: list[str] = []
        """The names of those that were ended, in the order of their ends."""

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _look(self) -> None:
        shell = self._shell()
        if shell is None:
            return
        for pid in waiting_below(shell, self._source):
            self._end(pid)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self._timer = self._loop.call_later(self._pause_s, self._look)

    def _end(self, pid: int) -> None:
        with contextlib.suppress(
            OSError
        ):  # it has just ended, or no file can be opened: the next time
            process = processes.stat(pid)
            with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
                name = file.read().strip()
            if process is not None and processes.send(process, signal.SIGTERM):
                self.ended.append(name)
