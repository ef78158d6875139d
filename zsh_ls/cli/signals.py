"""Functions of the event loop that are called when a signal arrives.

`asyncio`'s own `add_signal_handler` loads the module that reads sources, to see whether it was given a
coroutine, and makes a list of all signals each time: a twentieth of a short run.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from types import FrameType

_AT_ONCE = 4096


class SignalHandlers:
    """Handlers of one event loop, which runs in the main thread; at most one of these at a time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls: dict[int, Callable[[], object]] = {}
        self._before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
        self._arrived, self._told = os.pipe()
        for end in (self._arrived, self._told):
            os.set_blocking(end, False)
        self._told_before = signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
        self._loop.add_reader(self._arrived, self._on_arrival)

    def handle(self, number: int, call: Callable[..., object], *arguments: object) -> None:
        """Call `call` in the loop whenever the signal arrives, and nothing else."""
        self._calls[number] = lambda: call(*arguments)
        before = signal.signal(number, _noted)
        self._before.setdefault(number, before)
        signal.siginterrupt(number, False)

    def leave(self, number: int) -> None:
        """Let the signal do what it did before."""
        del self._calls[number]
        signal.signal(number, self._before.pop(number) or signal.SIG_DFL)

    def close(self) -> None:
        """Let each signal do what it did before."""
        for number in list(self._calls):
            self.leave(number)
        signal.set_wakeup_fd(self._told_before)
        self._loop.remove_reader(self._arrived)
        os.close(self._arrived)
        os.close(self._told)

    def _on_arrival(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for number in os.read(self._arrived, _AT_ONCE):
                if call := self._calls.get(number):
                    # Apart from each other: what one of them raises is not for the next.
                    self._loop.call_soon(call)


def _noted(_number: int, _frame: FrameType | None) -> None:
    """What Python calls beside writing the signal's number, which is what counts."""
