"""A process of this program beside it, which works on texts while the other's threads answer.

Threads of one Python take turns, so who asks waits for what is worked out meanwhile; a process does
not hold anybody up, and what it keeps between two calls makes the next one short. It reads nothing
but what it is sent, has the limits of `limited_process`, and ends with the one that started it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import queue
import resource
import signal
import struct
import sys
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import FrameType
from typing import BinaryIO, TypeVar

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.system import programs

from .limited_process import MOST_MEMORY_BYTES

# One that nobody has asked for so long is ended; the next call starts another one.
IDLE_S = 120.0
# Nobody waits for its search for garbage, which comes when nothing has been asked for so long.
QUIET_S = 2.0
# So many values come at a time: while one lot is read, no other thread runs.
TOGETHER = 200
_BEGIN = "import sys; sys.path[:] = {path!r}; from zsh_ls.machine.side_process import main; main()"
_SIZE = struct.Struct(">I")

Value = TypeVar("Value")


class WorkRefusedError(Exception):
    """The process gave no result: it took too much time or memory, or could not be started."""


class Request(NamedTuple):
    """One call; without a `function`, call `number` is to be broken off."""

    number: int
    function: Callable[..., Sequence[object]] | None
    arguments: tuple[object, ...] = ()
    allowed_s: int = 0


class SideProcess:
    """Functions called in a process that is started by the first call, one after another."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._count = 0
        self._size = 0
        self._idle: asyncio.TimerHandle | None = None

    async def call(
        self, function: Callable[..., Sequence[Value]], *arguments: object, allowed_s: int
    ) -> list[Value]:
        """What `function`, which its module has by its name, gives in the process: a sequence of values.

        Arguments and values are pickled. `allowed_s` are seconds of processor time. Cancelled, the work
        is broken off. Raises WorkRefusedError where there is no result.
        """
        async with self._turn:
            self._stay()
            self._count += 1
            request = Request(self._count, function, arguments, allowed_s)
            try:
                process = await self._running()
                assert process.stdin is not None
                process.stdin.write(_framed(request))
                return await self._answer(process, request.number)
            except asyncio.CancelledError:
                self._break_off(request.number)
                raise
            except (OSError, asyncio.IncompleteReadError) as gone:
                await self._end()
                raise WorkRefusedError(str(gone)) from gone

    async def stop(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        await self._end()

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._size = 0
            path = [folder for folder in sys.path if os.path.isabs(folder)]
            self._process = await programs.start(
                [sys.executable, "-IS", "-c", _BEGIN.format(path=path)],
                stdin=PIPE,
                stdout=PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Reading never pauses, else the end of one that still has something to say is not seen.
                limit=MOST_MEMORY_BYTES,
            )
        return self._process

    async def _answer(self, process: Process, wanted: int) -> list[Value]:
        """The values of a call; what is still said of calls that were broken off is passed over."""
        assert process.stdout is not None
        found: list[Value] = []
        while True:
            # Who is cancelled between the two leaves the size to the next call.
            if not self._size:
                (self._size,) = _SIZE.unpack(await process.stdout.readexactly(_SIZE.size))
            data = await process.stdout.readexactly(self._size)
            self._size = 0
            number, values = pickle.loads(data)
            if number == wanted and values is None:
                raise WorkRefusedError
            if number == wanted and not values:
                return found
            if number == wanted:
                found += values

    def _break_off(self, number: int) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write(_framed(Request(number, None)))

    def _stay(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(IDLE_S, self._unused)

    def _unused(self) -> None:
        if self._turn.locked():
            self._stay()
        elif self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process = None

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _framed(message: object) -> bytes:
    data = pickle.dumps(message)
    return _SIZE.pack(len(data)) + data


class _BrokenOffError(BaseException):
    """Nobody wants the result any more."""


class _Worker:
    """What the process does: one call after another, while a thread reads what comes."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._stopped = 0
        self._working_on = 0

    def work(self) -> None:
        signal.signal(signal.SIGUSR1, self._break_off)
        threading.Thread(target=self._read, daemon=True).start()
        for request in self._in_turn():
            try:
                self._working_on = request.number
                values = self._values(request)
                self._working_on = 0
            except _BrokenOffError:
                continue
            for some in _lots(values):
                self._sink.write(_framed((request.number, some)))
            self._sink.flush()

    def _in_turn(self) -> Iterator[Request]:
        while True:
            try:
                yield self._requests.get(timeout=QUIET_S)
            except queue.Empty:
                gc.collect()
                yield self._requests.get()

    def _values(self, request: Request) -> Sequence[object] | None:
        if request.number <= self._stopped:
            raise _BrokenOffError
        assert request.function is not None
        allowed_s = round(sum(os.times()[:2])) + 1 + request.allowed_s
        resource.setrlimit(resource.RLIMIT_CPU, (allowed_s, resource.RLIM_INFINITY))
        gc.enable()  # Work that was broken off may have had it off.
        try:
            return tuple(request.function(*request.arguments))
        except (MemoryError, RecursionError):
            return None

    def _read(self) -> None:
        try:
            while len(size := self._source.read(_SIZE.size)) == _SIZE.size:
                request: Request = pickle.loads(self._source.read(_SIZE.unpack(size)[0]))
                if request.function is None:
                    self._stopped = request.number
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                else:
                    self._requests.put(request)
        finally:
            # Also where a request cannot be read: who asked would wait for ever.
            os._exit(0)

    def _break_off(self, number: int, frame: FrameType | None) -> None:
        if 0 < self._working_on <= self._stopped:
            self._working_on = 0
            raise _BrokenOffError


def _lots(values: Sequence[object] | None) -> Iterator[Sequence[object] | None]:
    """Values a few at a time and nothing at the end; None where there is no result."""
    if values is None:
        yield None
        return
    for start in range(0, len(values), TOGETHER):
        yield values[start : start + TOGETHER]
    yield ()


def main() -> None:
    """Call what is asked for on standard input until that is closed."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Trees of long texts are made and given up again and again; cycles are few.
    gc.set_threshold(50_000, 10, 1 << 30)
    _Worker(sys.stdin.buffer, sys.stdout.buffer).work()
