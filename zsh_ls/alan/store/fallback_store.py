"""The writing thread's store, which falls back to RAM when the file fails, so that nothing raises.

While the file works, it is used. When it does not (full disk, read-only, damaged,
locked by another process for long), a copy in RAM of what can be read of the file
is used instead, and new runs are queued to be written when the file works again.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from zsh_ls.alan.terminal import spool_beside
from zsh_ls.model.clock import Clock
from zsh_ls.model.completed_run import CompletedRun

from .database import (
    HURRIED_TIMEOUT_S,
    Patience,
    Unusable,
    fault_in_file,
    file_identity,
    is_busy,
    open_database,
    open_memory,
)
from .handoff import folder_beside, write_handoff
from .log_files import LogFiles, cuts_repaired
from .store import Store

Made = TypeVar("Made")
MakeStore = Callable[[sqlite3.Connection], Store]

RETRY_EVERY_S = 30.0
# Another process's lock is retried more often, because it is usually released soon.
BUSY_RETRY_EVERY_S = 1.0
# How long the writing thread waits for another process's lock before it falls back to RAM.
LOCK_PATIENCE_S = 2.0
TERMINAL_PATIENCE_S = 0.2
# The first tries may find the log cut by another program, and recover it.
TRIES = (False, False, True)
"""Whether each of the tries on the file is the last, after which memory goes on in RAM."""
MAX_WAITING_RUNS = 1000
MAX_COPIED_BYTES = 256 << 20
_log = logging.getLogger(__name__)


class FallbackStore:
    """A store on the file or in RAM, to be used by one thread.

    `before_reopening` is called before the file is opened again, and must close all
    other connections of this process to it (see `database.open_database`).
    """

    def __init__(
        self, path: Path, make_store: MakeStore, clock: Clock, files: LogFiles | None = None
    ) -> None:
        self.path = path
        self.spool = spool_beside(path)
        """The folder that terminals' shells write to."""
        self.problem: str | None = None
        self.in_memory = False
        self.closing = threading.Event()
        self.before_reopening: Callable[[], None] = lambda: None
        self._files = files or LogFiles(path)
        self._make_store = make_store
        self._clock = clock
        self._waiting: deque[CompletedRun] = deque()
        self._recorded: CompletedRun | None = None
        """The last run that is in the file, or in RAM and in the queue."""
        self._dropped = 0
        self._is_ours = True
        self._retry_at = 0.0
        self._damaged: tuple[int, int] | None = None
        self._learnt: tuple[object, ...] | None = None
        self.identity: tuple[int, int] | None = None
        self._store = self._open()

    def _open(self) -> Store:
        try:
            store = self._open_file(LOCK_PATIENCE_S)
        except Unusable as error:
            return self._open_memory(error)
        self.in_memory = False
        return store

    def _open_file(self, patience_s: float) -> Store:
        self.before_reopening()
        cuts = cuts_repaired()
        connection = open_database(self.path, patience_s)
        store = self._make_store(connection)
        store.patience = Patience(patience_s, self.closing, self._files.are_unchanged)
        try:
            store.is_open()
            self._files.opened(cuts)
            # Another process may still have the log open, and use its outdated index.
            if self._files.log_is_cut or not self._files.are_unchanged():
                cuts = cuts_repaired()
                store.rebuild_log_index(self._files.renew)
                self._files.opened(cuts)
            store.import_ancestor_rows()
            self.identity = file_identity(self.path)
            self._files.opened(cuts)
        except (sqlite3.Error, OSError) as error:
            store.close()
            raise self._unusable(error) from error
        return store

    def _unusable(self, error: sqlite3.Error | OSError) -> Unusable:
        if isinstance(error, sqlite3.Error):
            return Unusable.by(self.path, error)
        return Unusable(f"{self.path} cannot be written: {error.strerror}", is_readable=True)

    def _open_memory(self, error: Unusable) -> Store:
        self._report(f"{error}. What is learnt is kept in memory only.")
        self.in_memory = True
        self._files.closed()
        self._retry_at = self._clock.monotonic() + _retry_after_s(error)
        self._damaged = file_identity(self.path) if error.damaged else None
        # One that was damaged after it was opened was ours: what waits is left for when it has gone.
        self._is_ours = error.is_readable or (error.damaged and self.identity is not None)
        readable = error.is_readable and self._is_small()
        return self._make_store(open_memory(self.path if readable else None))

    def _report(self, problem: str) -> None:
        """Set `problem`, and log it if it is new."""
        if problem != self.problem:
            _log.warning("%s", problem)
        self.problem = problem

    def _is_small(self) -> bool:
        try:
            return self.path.stat().st_size <= MAX_COPIED_BYTES
        except OSError:
            return False

    @property
    def is_blocked(self) -> bool:
        """Whether a transaction waits for another process's lock."""
        return self._store.patience.is_blocked

    def record(self, run: CompletedRun) -> None:
        """Record a run, in the file if possible, else in RAM and in the queue."""
        # A bug of this program must not stop later runs from being recorded, and may not come again.
        for is_last in (False, True):
            try:
                if run is not self._recorded:
                    self._record(run)
            except Exception as fault:
                _log.error("a run is not remembered", exc_info=fault)
                if is_last:
                    self._report(
                        f"A run could not be remembered: internal error ({type(fault).__name__})"
                    )
            else:
                return

    def _record(self, run: CompletedRun) -> None:
        self.return_to_file()
        self._check()
        for is_last in TRIES:
            if self.in_memory:
                break
            try:
                self._add(run)
            except sqlite3.Error as error:
                self._leave_file(error, is_last=is_last)
            else:
                self._recorded = run
                self._files.is_overwritten()
                return
        # What RAM does not take the file would not take either, nor anything queued behind it.
        self._add(run)
        self._queue(run)
        self._recorded = run

    def _add(self, run: CompletedRun) -> None:
        if run is not self._store.recorded:
            self._store.record(run)

    def _queue(self, run: CompletedRun) -> None:
        self._waiting.append(run.without_texts())
        if len(self._waiting) > MAX_WAITING_RUNS:
            self._waiting.popleft()
            if not self._dropped:
                _log.warning(
                    "%s: more than %d runs wait to be written; the oldest are let go",
                    self.path,
                    MAX_WAITING_RUNS,
                )
            self._dropped += 1

    def has_work(self) -> bool:
        """Whether `learn_from_terminal` may find anything; for any thread, and takes some microseconds."""
        return self._learnt is None or self._learnt != self._outside() or self._store.is_untidy

    def _outside(self) -> tuple[object, ...]:
        """The file, and when the folders that other processes write to were changed last."""
        return (
            file_identity(self.path),
            *(_changed_at(it) for it in (self.spool, folder_beside(self.path))),
        )

    def learn_from_terminal(self) -> None:
        """Import terminal runs and handoff files, and tidy the file.

        While memory is in RAM, they stay in their files.
        """
        self._check()
        if self.in_memory:
            return
        self._store.patience.seconds = TERMINAL_PATIENCE_S
        # Before the folders are listed: what comes meanwhile has the next visit.
        before = self._outside()
        self._learnt = None
        try:
            self._store.import_terminal_runs(self.spool)
            self._store.import_handoff(folder_beside(self.path))
            self._store.tidy()
            self._learnt = before
        except sqlite3.Error as error:
            if not is_busy(error):
                self._leave_file(error, is_last=False)
        except OSError as error:
            _log.info("what shells wrote down cannot be imported: %s", error)
        finally:
            self._store.patience.seconds = LOCK_PATIENCE_S
            self._files.is_overwritten()

    def ask(self, question: Callable[[Store], Made]) -> Made:
        """What `question` returns for the store on the file, or for one in RAM if the file fails."""
        self._check()
        for is_last in TRIES:
            if self.in_memory:
                break
            try:
                answer = question(self._store)
            except sqlite3.Error as error:
                self._leave_file(error, is_last=is_last)
            else:
                self._files.is_overwritten()
                return answer
        return question(self._store)

    def _leave_file(self, error: sqlite3.Error, *, is_last: bool) -> None:
        """Fall back to RAM, or if the log was cut and this was not the last try, recover it."""
        if not is_last and not self._files.are_unchanged():
            self._check()
            return
        self._go_to_memory(Unusable.by(self.path, error))

    def return_to_file(self) -> None:
        """Try to open the file again and write the queued runs, at most every few seconds.

        A damaged file is not tried again before it is replaced: opening it would write to it.
        """
        if not self.in_memory or self._clock.monotonic() < self._retry_at:
            return
        self._retry_at = self._clock.monotonic() + RETRY_EVERY_S
        if self._damaged is not None and file_identity(self.path) == self._damaged:
            return
        in_ram, on_file = self._store, None
        try:
            # Without waiting for locks: memory in RAM can answer meanwhile.
            on_file = self._open_file(HURRIED_TIMEOUT_S if self.closing.is_set() else 0.0)
            on_file.record_all(self._waiting)
        except (Unusable, sqlite3.Error) as error:
            if on_file is not None:
                on_file.close()
            self._files.closed()
            unusable = error if isinstance(error, Unusable) else Unusable.by(self.path, error)
            self._retry_at = self._clock.monotonic() + _retry_after_s(unusable)
            _log.info("memory stays in RAM: %s", error)
            return
        in_ram.close()
        on_file.patience.seconds = LOCK_PATIENCE_S
        self._waiting.clear()
        self._dropped = 0
        self._store, self.problem, self.in_memory = on_file, None, False

    def _check(self) -> None:
        """Reopen the file if it was removed, replaced or overwritten, recover its log if that was cut."""
        if self.in_memory:
            return
        if file_identity(self.path) != self.identity:
            # What is written to a file that was removed or replaced is lost.
            self._open_anew()
            if not self.in_memory:
                self._report(
                    f"{self.path} was removed or replaced; memory goes on in the file there now"
                )
        elif self._files.is_overwritten():
            self._go_on_overwritten()
        elif not self._files.are_unchanged():
            self._recover_log()

    def _go_on_overwritten(self) -> None:
        """Go on where another program has written into the file.

        SQLite would add pages to it that it has of what was there before, and nobody could read the file.
        Where the log is still needed and makes sense with the file, it is copied again as a whole; else it is
        given up.
        """
        makes_sense = not self._files.is_copied and fault_in_file(self.path) is None
        with suppress(sqlite3.Error, OSError):
            again = self._files.copy_again if makes_sense else self._files.empty
            self._store.rebuild_log_index(again)
            self._store.checkpoint()
        self._open_anew()
        if not self.in_memory and (damage := fault_in_file(self.path)) is not None:
            self._go_to_memory(damage)
        if not self.in_memory:
            self._report(
                f"{self.path} was written by another program; memory goes on with what is there now"
            )

    def _recover_log(self) -> None:
        """Go on with what is left of a log that another program has cut or removed."""
        are_replaced = self._files.are_replaced
        is_news = True
        try:
            if not are_replaced:
                cuts = cuts_repaired()
                is_news = self._store.rebuild_log_index(self._files.renew)
                self._files.opened(cuts)
            else:
                if self._files.was_removed:
                    self._store.checkpoint()
                self._open_anew()
        except (sqlite3.Error, OSError) as error:
            self._go_to_memory(self._unusable(error))
        if not self.in_memory and is_news:
            what = "removed" if are_replaced else "cut"
            self._report(
                f"{self.path}: its log was {what} by another program; what could be read is kept"
            )

    def _go_to_memory(self, error: Unusable) -> None:
        self.before_reopening()
        self._close_store()
        self._store = self._open_memory(error)

    def _open_anew(self) -> None:
        self.before_reopening()
        self._close_store()
        self._files.closed()
        self._store = self._open()

    def _close_store(self) -> None:
        try:
            self._store.close()
        except sqlite3.Error as error:
            _log.info("closing %s: %s", self.path, error)

    def close(self) -> None:
        """Write the queued runs, to a handoff file if the database cannot be written, and close."""
        self._check()
        if self._waiting:
            self._retry_at = self._clock.monotonic()
            self.return_to_file()
        if self._waiting:
            self._leave_for_next_process()
        self._close_store()

    def _leave_for_next_process(self) -> None:
        if not self._is_ours:
            return
        found = [self._store.redacted(run) for run in self._waiting]
        try:
            write_handoff(folder_beside(self.path), [it for it in found if it is not None])
        except OSError as error:
            _log.info("%d runs are not remembered: %s", len(found), error)


def _changed_at(folder: Path) -> int | None:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return None


def _retry_after_s(error: Unusable) -> float:
    return BUSY_RETRY_EVERY_S if error.busy else RETRY_EVERY_S
