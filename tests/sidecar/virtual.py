"""A service in which time passes only when everybody waits: an event loop with a jumping clock.

The façade is the real one; the two packages with processes and threads are
replaced: the engine by one whose tasks print and end by a timetable, the memory
by a plain list. `test_transcripts.py` replays some of the same transcripts on a
real sidecar, so that the replacements cannot drift from it.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import attrs

from tests.memory_history import MemoryHistory
from zsh_ls.alan import Alan
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.history import CommandHistory, KillHistory
from zsh_ls.model.places import TestHistory
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places
from zsh_ls.tasks import Engine, Output, SpoolLimits, StartRequest, find_shells
from zsh_ls.tasks.output.spool import Spool

Made = TypeVar("Made")
MIDNIGHT = 1_700_000_000.0
NOWHERE = Path("/nonexistent")


class JumpingSelector(selectors.DefaultSelector):
    """A selector whose clock jumps to the next timer of the loop instead of sleeping."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            assert timeout is not None, "everybody waits and nothing will ever happen"
            self.now += max(timeout, 0.0)
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is that of its selector."""

    def __init__(self) -> None:
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)
        # Timers count as due within this; the sum of many jumps is not exact.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self._jumping.now


@attrs.frozen
class LoopClock:
    """The model's clock, as the loop's time goes."""

    loop: VirtualLoop

    def now(self) -> float:
        return MIDNIGHT + self.loop.time()

    def monotonic(self) -> float:
        return self.loop.time()


@attrs.frozen
class Timetable:
    """What a task prints when (seconds from its start), and when it ends and how; never, if None."""

    prints: tuple[tuple[float, str], ...] = ()
    ends: float | None = None
    exit: int = 0
    waits_for_input: bool = False


class TimetableTask:
    """A task that does what its timetable says."""

    def __init__(self, request: StartRequest, timetable: Timetable, clock: LoopClock) -> None:
        self.task_id = "0123abcd"
        self.request = request
        self.output = Output(Spool(NOWHERE, SpoolLimits()), clock=clock)
        self.status = Status.RUNNING
        self.exit: int | None = None
        self.pipestatus: tuple[int, ...] = ()
        self.signal = None
        self.error = None
        self.problem = None
        self.not_traced = None
        self.is_pty = False
        self.has_stdin = False
        self.script_file = None
        self.trace = None
        self.started_at = clock.now()
        self._clock, self._started, self._ended_at = clock, clock.monotonic(), 0.0
        self._timetable = timetable
        self._end = asyncio.Event()
        self._news = asyncio.Event()
        for at, text in timetable.prints:
            clock.loop.call_later(at, self._print, text)
        if timetable.ends is not None:
            clock.loop.call_later(timetable.ends, self._finish, Status.COMPLETED, timetable.exit)

    @property
    def ended(self) -> bool:
        return self._end.is_set()

    @property
    def elapsed_s(self) -> float:
        return (self._ended_at if self.ended else self._clock.monotonic()) - self._started

    @property
    def idle_s(self) -> float:
        last = self.output.last_output_at
        return self.elapsed_s if last is None else self._clock.monotonic() - last

    def waiting_for_input(self) -> bool:
        return self._timetable.waits_for_input

    async def wait_end(self) -> None:
        await self._end.wait()

    async def wait_news(self, cursor: int) -> None:
        while self.output.size_bytes <= cursor and not self.ended:
            self._news.clear()
            await self._news.wait()

    async def kill(self) -> bool:
        self._finish(Status.KILLED, 137)
        return True

    def _print(self, text: str) -> None:
        if not self.ended:
            self.output.append(text.encode())
            self._news.set()

    def _finish(self, status: Status, exit_status: int) -> None:
        if not self.ended:
            self.status, self.exit, self.pipestatus = status, exit_status, (exit_status,)
            self._ended_at = self._clock.monotonic()
            self.output.is_final = True
            self._end.set()
            self._news.set()


class TimetableEngine:
    """An engine whose every task follows one timetable."""

    def __init__(self, timetable: Timetable, clock: LoopClock) -> None:
        self._timetable, self._clock = timetable, clock
        self._tasks: list[TimetableTask] = []

    async def start(self, request: StartRequest) -> TimetableTask:
        self._tasks.append(TimetableTask(request, self._timetable, self._clock))
        return self._tasks[-1]

    def get(self, task_id: str) -> TimetableTask | None:
        return next((task for task in self._tasks if task.task_id == task_id), None)

    def all(self) -> list[TimetableTask]:
        return self._tasks

    async def close(self) -> None:
        for task in self._tasks:
            await task.kill()


class ListMemory:
    """What the façade asks of ALAN, over `MemoryHistory`."""

    def __init__(self, clock: LoopClock, session: str) -> None:
        self.history = MemoryHistory()
        self._clock, self._session = clock, session

    def is_known_closed(self, command: str, project: str) -> bool:
        return False

    async def circuit_state(self, command: str, project: str) -> None:
        return None

    async def past(self, command: str, project: str) -> CommandHistory:
        now = self._clock.now()
        return self.history.past(command, session=self._session, now=now, project=project)

    async def pasts(self, commands: Iterable[str], project: str) -> list[CommandHistory | None]:
        now, asked = self._clock.now(), list(commands)
        return self.history.pasts(asked, session=self._session, now=now, project=project)

    async def tests(self, command: str, names: Sequence[str], project: str) -> list[TestHistory]:
        return []

    async def kills(self, command: str, project: str) -> KillHistory:
        return self.history.kills(command, session=self._session, project=project)

    def remember(self, execution: CompletedRun) -> None:
        self.history.record(execution)

    async def close(self) -> None:
        pass

    def lasted(self, command: str, duration_s: float, *, killed: bool = False) -> None:
        """One earlier run, an hour before, of another session."""
        outcome = outcome_of(None if killed else 0, killed=killed)
        exits = (137, (137,)) if killed else (0, (0,))
        started = self._clock.now() - 3600
        self.remember(CompletedRun(command, "zsh", *exits, outcome, duration_s, started, "earlier"))


def service(timetable: Timetable, loop: VirtualLoop) -> tuple[Sidecar, ListMemory]:
    """A sidecar whose time is the loop's."""
    clock = LoopClock(loop)
    memory = ListMemory(clock, "now")
    options = SidecarOptions(
        session="now",
        places=Places(NOWHERE, NOWHERE, NOWHERE),
        clock=clock,
        settings=Settings(manopt_enabled=False),
    )
    engine = cast(Engine, TimetableEngine(timetable, clock))
    sidecar = Sidecar(options, cast(Alan, memory), engine)
    # They are looked for in a thread, which virtual time does not wait for.
    sidecar._shells._found = find_shells()
    return sidecar, memory


def in_virtual_time(main: Coroutine[Any, Any, Made], loop: VirtualLoop) -> Made:
    """Run `main` to its end, in no time."""
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()
