"""`Alan`: the asynchronous interface to memory. One thread writes, one reads; the event loop never blocks."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from zsh_ls.model.clock import Clock
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.words import Outcome

from .learning.keys import CommandKeys, keys_of
from .store.circuits import Closed
from .store.database import Unusable, file_identity, local_path
from .store.fallback_store import FallbackStore
from .store.log_files import LogFiles, Stamp
from .store.reader import Reader
from .store.rows import stored_path
from .store.store import DEFAULT_HALF_LIFE_H, SharedByProcess, Store
from .terminal import spool_beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.estimate import Estimate
    from zsh_ls.model.history import KillHistory
    from zsh_ls.model.places import TestHistory
    from zsh_ls.model.recall import HistoryLine, Recall
    from zsh_ls.model.reports import Circuit, CircuitList, CommandStats, DatabaseHealth, MemoryStats
    from zsh_ls.model.startup import MeasuredStart, StartLine


Made = TypeVar("Made")
Question = Callable[[Store], Made]

WRITE_AFTER_S = 0.002
"""Delay before a run is written, so that its response is sent first: the writer's work would delay it."""
READ_AFTER_WRITE_S = 5.0
"""How long a read waits for runs that are being written, unless another process blocks the writer."""
BLOCKED_AFTER_S = 0.1
READ_PATIENCE_S = 0.3
"""How long a read waits for another process that holds an exclusive lock."""
RETURN_EVERY_S = 1.0
TERMINAL_EVERY_S = 12.0
COMMANDS_A_QUESTION = 250
"""How many of a long script's lines one query looks up; a run about to start waits behind it."""
_log = logging.getLogger(__name__)


class Alan:
    """A.L.A.N. on its own threads. No method raises because of the database: see `FallbackStore`."""

    def __init__(self, path: Path, clock: Clock, session: str) -> None:
        self.path = path
        self._files = LogFiles(path)
        self.leaves_out_elsewhere = False
        """Whether to answer from this program's own runs only, not from imported or terminal runs."""
        self.extra_redactions: tuple[str, ...] = ()
        """The user's own redaction patterns, applied to runs recorded from now on."""
        self._clock = clock
        self._session = session
        self._writing = ThreadPoolExecutor(1, "alan-writer")
        self._reading = ThreadPoolExecutor(1, "alan-reader")
        self._last_write: Future[None] | None = None
        self._last_note: Future[None] | None = None
        self._unwritten: list[CompletedRun] = []
        self._next_write: asyncio.TimerHandle | None = None
        self._next_return: asyncio.TimerHandle | None = None
        self._last_timeout: Future[None] | None = None
        self._closed: tuple[Stamp, Closed] | None = None
        self._next_terminal: asyncio.TimerHandle | None = None
        self.on_remembered: Callable[[CompletedRun], None] = lambda _run: None
        """Called on the event loop with each run to be recorded; must not block."""
        self._shared: SharedByProcess | None = None
        self._store: FallbackStore
        self._reader: Reader
        self._prompt_reader: Reader

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        clock: Clock,
        session: str,
        half_life_h: float = DEFAULT_HALF_LIFE_H,
        extra_redactions: Sequence[str] = (),
    ) -> Alan:
        """Open the memory at `path`. If that fails, memory is in RAM and `problem` says why."""
        alan = cls(local_path(path), clock, session)
        alan.extra_redactions = tuple(extra_redactions)

        def make_store(connection: sqlite3.Connection) -> Store:
            store = Store(connection, half_life_h=half_life_h, keys_of=alan.keys_of)
            store.shared_by_process = lambda: alan._shared
            return store

        files = alan._files
        alan._reader = Reader(alan.path, make_store, files, READ_PATIENCE_S)
        alan._prompt_reader = Reader(alan.path, make_store, files, 0.0)
        alan._store = await alan._run_in(
            alan._writing, partial(FallbackStore, alan.path, make_store, clock, files)
        )
        alan._store.before_reopening = alan._close_readers
        # Shells know where the file is meant to be, not that a network disk cannot have it.
        alan._store.spool = spool_beside(path)
        await alan._run_in(alan._writing, alan._store.learn_from_terminal)
        await alan._run_in(alan._reading, partial(alan._try_read_now, Store.is_open))
        alan._schedule_terminal()
        alan._schedule_renewal()
        return alan

    def keys_of(self, command: str) -> CommandKeys:
        """The keys of a command's text, by the user's own patterns of secrets too."""
        return keys_of(command, self.extra_redactions)

    @property
    def problem(self) -> str | None:
        """What is wrong with the file, if anything, in a sentence for the user."""
        return self._store.problem

    async def _run_in(self, pool: ThreadPoolExecutor, job: Callable[[], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(pool, job)

    def _schedule_terminal(self) -> None:
        """Import what the user ran in terminals after TERMINAL_EVERY_S, and then again and again."""

        def learn() -> None:
            # Looked at here, as to wake the writing thread for nothing is to wake the machine twice.
            if not self._store.has_work():
                self._schedule_terminal()
                return
            self._writing.submit(self._store.learn_from_terminal).add_done_callback(_log_failure)
            self._schedule_terminal()

        loop = asyncio.get_running_loop()
        self._next_terminal = loop.call_later(TERMINAL_EVERY_S, learn)

    def _schedule_renewal(self) -> None:
        """Queue one step of key renewal behind the runs that wait to be written."""

        def renew() -> None:
            if not self._store.closing.is_set() and self._store.ask(Store.renew_some):
                self._schedule_renewal()

        self._writing.submit(renew).add_done_callback(_log_failure)

    def remember(self, run: CompletedRun) -> None:
        """Queue a run to be recorded; later reads see it. Never blocks, never raises."""
        if self._store.closing.is_set():
            _log.warning("a run ended after memory was closed and is not remembered")
            return
        self.on_remembered(run)
        self._unwritten.append(run)
        loop = asyncio.get_running_loop()
        # One that is overdue has failed.
        if self._next_write is None or self._next_write.when() + WRITE_AFTER_S < loop.time():
            self._next_write = loop.call_later(WRITE_AFTER_S, self._write)

    def _write(self) -> None:
        """Submit the queued runs to the writing thread, in their order."""
        if self._next_write is not None:
            self._next_write.cancel()
            self._next_write = None
        has_runs = bool(self._unwritten)
        while self._unwritten:
            run = self._unwritten[0]
            self._last_write = self._writing.submit(self._store.record, run)
            del self._unwritten[0]
            self._last_write.add_done_callback(_log_failure)
            self._last_write.add_done_callback(partial(self._once_more, run))
            if run.outcome is Outcome.TIMEOUT:
                self._last_timeout = self._last_write
        if has_runs:
            self._last_note = self._writing.submit(self._note_closed_circuits)
            self._last_note.add_done_callback(_log_failure)
        if self._next_return is None:
            loop = asyncio.get_running_loop()
            self._next_return = loop.call_later(RETURN_EVERY_S, self._return_to_file)

    def _once_more(self, run: CompletedRun, write: Future[None]) -> None:
        """Record a run whose recording failed before the store knew of it; the store records none twice."""
        if not write.cancelled() and write.exception() is not None:
            self._writing.submit(self._store.record, run)

    def _note_closed_circuits(self) -> None:
        """Keep which circuits are closed, for the next run: on the writing thread, which has the time."""
        if self._unwritten or self._store.in_memory:
            return
        # Before the question: what is committed in between changes it, and the answer is not used.
        stamp = self._files.stamp()
        closed = None if stamp is None else self._store.ask(Store.closed_circuits)
        self._closed = None if stamp is None or closed is None else (stamp, closed)

    def _return_to_file(self) -> None:
        """While memory is in RAM, retry the file every RETURN_EVERY_S."""
        self._next_return = None
        if self._store.in_memory and not self._store.closing.is_set():
            self._writing.submit(self._store.return_to_file).add_done_callback(_log_failure)
            loop = asyncio.get_running_loop()
            self._next_return = loop.call_later(RETURN_EVERY_S, self._return_to_file)

    def _close_readers(self) -> None:
        _close(self._prompt_reader)
        _close(self._reader)

    async def record(self, run: CompletedRun) -> None:
        """Record a run, and return when it is stored and known here."""
        self.remember(run)
        self._write()
        if self._last_note is not None:
            await asyncio.wait((asyncio.wrap_future(self._last_note),))

    async def _ask(self, question: Question[Made]) -> Made:
        """What `question` returns for a store that has the runs remembered so far."""
        await self._wait_for_writes()
        if not self._store.in_memory:
            try:
                return await self._run_in(
                    self._reading, partial(self._reader.ask, question, self._store.identity)
                )
            except (sqlite3.Error, Unusable) as error:
                _log.info("reading again through the writer: %s", error)
        return await self._run_in(self._writing, partial(self._store.ask, question))

    async def _wait_for_writes(self) -> None:
        self._write()
        last = self._last_write
        if last is None or last.done():
            return
        written = asyncio.wrap_future(last)
        for _ in range(round(READ_AFTER_WRITE_S / BLOCKED_AFTER_S)):
            if self._store.is_blocked or last.done():
                return
            await asyncio.wait((written,), timeout=BLOCKED_AFTER_S)

    async def _change(self, change: Question[Made]) -> Made:
        self._write()
        return await self._run_in(self._writing, partial(self._store.ask, change))

    async def past(self, command: str, project: str = "") -> CommandHistory:
        """What is known of a command before it runs now in `project` (`CompletedRun.scope`)."""
        now, own = self._clock.now(), self.leaves_out_elsewhere
        return await self._ask(
            lambda store: store.past(
                command, session=self._session, now=now, project=project, own=own
            )
        )

    async def pasts(
        self, commands: Iterable[str], project: str = ""
    ) -> list[CommandHistory | None]:
        """What is known of each of many commands in `project`, None for an unknown one.

        Asks for COMMANDS_A_QUESTION at a time.
        """
        now, asked, own = self._clock.now(), list(commands), self.leaves_out_elsewhere
        found: list[CommandHistory | None] = []
        for start in range(0, len(asked), COMMANDS_A_QUESTION):
            some = asked[start : start + COMMANDS_A_QUESTION]
            found += await self._ask(
                partial(
                    Store.pasts,
                    commands=some,
                    session=self._session,
                    now=now,
                    project=project,
                    own=own,
                )
            )
        return found

    async def kills(self, command: str, project: str = "") -> KillHistory:
        """The kills of the command's template in `project`, the one just remembered included."""
        own = self.leaves_out_elsewhere
        return await self._ask(
            lambda store: store.kills(command, session=self._session, project=project, own=own)
        )

    async def tests(self, command: str, names: Sequence[str], project: str) -> list[TestHistory]:
        """What is known of tests in `project`: of those names, and of those `command` ran last."""
        return await self._ask(lambda store: store.tests(command, names, project=project))

    async def estimate(self, command: str, project: str = "") -> Estimate | None:
        """How long the command takes in `project`, None where too little is known."""
        own = self.leaves_out_elsewhere
        return await self._ask(lambda store: store.estimate(command, project=project, own=own))

    async def command_stats(self, command: str, project: str | None = None) -> CommandStats:
        """What is known of one command, in `project` where it has enough runs, else everywhere."""
        own = self.leaves_out_elsewhere
        return await self._ask(lambda store: store.command_stats(command, project=project, own=own))

    async def memory_stats(self, project: str | None = None) -> MemoryStats:
        """Figures about memory as a whole, or about one project."""
        now = self._clock.now()
        return await self._ask(lambda store: store.memory_stats(self._session, now, project))

    async def history(
        self, words: Sequence[str], project: str | None = None, *, limit: int
    ) -> list[HistoryLine]:
        """The newest lines that hold all words, of `project` or of everywhere."""
        return await self._ask(lambda store: store.history(words, project=project, limit=limit))

    async def recalling(self, question: Callable[[Recall], Made]) -> Made:
        """What `question` returns for recalled runs, templates and hosts; called on another thread."""
        own = self.leaves_out_elsewhere
        return await self._ask(lambda store: question(store.recall(own=own)))

    async def health(self) -> DatabaseHealth:
        """The memory's path, whether it can be written, and how many runs it holds."""
        from zsh_ls.model.reports import DatabaseHealth  # noqa: PLC0415

        observations = await self._ask(Store.observations)
        return DatabaseHealth(
            path=str(self.path),
            status="degraded" if self._store.in_memory else "ok",
            observations=observations,
            problem=self.problem,
        )

    def share_by_process(self, shared: SharedByProcess | None) -> None:
        """Read what that team told, as long as this process lives."""
        self._shared = shared

    def ask_from_thread(self, question: Question[Made], patience_s: float) -> Made:
        """What `question` returns, or changes, for the writing thread's store; blocks, for other threads.

        Raises TimeoutError, and RuntimeError where memory is closed or in RAM.
        """
        if self._store.closing.is_set() or self._store.in_memory:
            raise RuntimeError(self.problem or "it is closed")
        return self._writing.submit(self._store.ask, question).result(patience_s)

    async def team_problem(self) -> str | None:
        """Why the last exchange with the team's server failed, None if it did not."""
        return await self._ask(lambda store: store.team.problem)

    async def circuit_state(self, command: str, project: str = "") -> Circuit | None:
        """The command's circuit in `project` (RUN-14), None where it is closed.

        Every run waits for this, and it is one page that SQLite has cached, so it is read on the
        event loop's thread first. Only if the circuit may not be closed, the reading thread is asked.
        """
        now = self._clock.now()
        if not self._has_unwritten_timeout():
            known = self._try_read_now(lambda store: (store.circuit_state(command, now, project),))
            if known == (None,):
                return None
        return await self._ask(lambda store: store.circuit_state(command, now, project))

    def _has_unwritten_timeout(self) -> bool:
        """Whether a timeout is not written yet: it may be the one that opens a circuit."""
        return any(run.outcome is Outcome.TIMEOUT for run in self._unwritten) or (
            self._last_timeout is not None and not self._last_timeout.done()
        )

    def is_known_closed(self, command: str, project: str = "") -> bool:
        """Whether the command's circuit in `project` is closed, as far as can be told without a question.

        It can where nothing was committed since the last run was recorded: then that is still so.
        """
        if self._closed is None or self._has_unwritten_timeout() or self._store.in_memory:
            return False
        stamp, closed = self._closed
        if self._files.stamp() != stamp or file_identity(self.path) != self._store.identity:
            return False
        return closed.has(self.keys_of(command), stored_path(project))

    def _try_read_now(self, question: Question[Made]) -> Made | None:
        """The answer read on this thread without waiting for any lock, None if that is impossible."""
        if self._store.in_memory:
            return None
        try:
            return self._prompt_reader.ask(question, self._store.identity)
        except (sqlite3.Error, Unusable):
            return None

    async def circuits(self, project: str | None = None) -> CircuitList:
        """The circuits that are not closed, in `project` or in all."""
        now = self._clock.now()
        return await self._ask(lambda store: store.circuits(now, project))

    async def trial(self, command: str, project: str = "") -> bool:
        """Claim the single trial of a half-open circuit; False if it is claimed, or the circuit open."""
        now = self._clock.now()
        return await self._change(lambda store: store.claim_trial(command, now, project))

    async def record_timeout(self, command: str, project: str = "") -> Circuit | None:
        """The circuit's state after a timeout, which `remember` has already counted."""
        return await self.circuit_state(command, project)

    async def reset(self, command: str | None = None, project: str | None = None) -> CircuitList:
        """Close the command's circuits, or all, in `project` or in all; returns those still not closed."""
        await self._change(lambda store: store.reset_circuit(command, project))
        return await self.circuits(project)

    async def manopt(self, page: str, page_mtime: float | None = None) -> str | None:
        """The cached option table of a man page, None if its file has changed since."""
        return await self._ask(lambda store: store.manopt(page, page_mtime))

    async def store_manopt(self, page: str, text: str, page_mtime: float | None = None) -> None:
        """Cache the option table of a man page whose file has that modification time."""
        now = self._clock.now()
        await self._change(lambda store: store.store_manopt(page, text, page_mtime, now))

    async def starts(self, shell: str) -> list[MeasuredStart]:
        """The measured starts of a shell, the earliest first (START-6)."""
        return await self._ask(lambda store: store.starts(shell))

    async def store_start(self, shell: str, lines: tuple[StartLine, ...]) -> None:
        """Keep what lines took in a start of a shell that was measured now."""
        from zsh_ls.model.startup import MeasuredStart  # noqa: PLC0415

        start = MeasuredStart(self._clock.now(), lines)
        await self._change(lambda store: store.store_start(shell, start))

    async def close(self) -> None:
        """Write the queued runs and close the file."""
        self._write()
        self._store.closing.set()
        for timer in (self._next_terminal, self._next_return):
            if timer is not None:
                timer.cancel()
        _close(self._prompt_reader)
        await self._run_in(self._reading, partial(_close, self._reader))
        await self._run_in(self._writing, self._store.close)
        self._files.closed()
        self._reading.shutdown(wait=False)
        self._writing.shutdown(wait=False)


def _close(reader: Reader) -> None:
    """Close a reader; a failure is logged, for what is not yet written is worth more."""
    try:
        reader.close()
    except Exception as fault:
        _log.error("a reader of memory could not be closed", exc_info=fault)


def _log_failure(write: Future[None]) -> None:
    """Log a failed job: the store falls back to RAM, so what still fails is a bug of this program."""
    if not write.cancelled() and (error := write.exception()) is not None:
        _log.error("memory could not be written", exc_info=error)
