"""Memory whose file may fail: whatever happens to it, what is asked is answered and nothing raises.

A keeper belongs to one thread. While the file works, it is used. When it does
not (full disk, read-only, damaged, held by another process for long), memory
goes on in RAM, beginning with what can be read of the file, and runs are kept
to be written when the file works again.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from zsh_ls.model.clock import Clock
from zsh_ls.model.execution import Execution

from .database import (
    Unusable,
    file_identity,
    is_busy,
    open_database,
    open_memory,
)
from .store import Store
from .terminal import spool_beside

Made = TypeVar("Made")
MakeStore = Callable[[sqlite3.Connection], Store]

RETRY_EVERY_S = 30.0
BUSY_ATTEMPTS = 6
KEPT_FOR_LATER = 1000
COPIED_AT_MOST_BYTES = 256 << 20
_log = logging.getLogger(__name__)


class Keeper:
    """The writer's store, on the file or in RAM."""

    def __init__(self, path: Path, make_store: MakeStore, clock: Clock) -> None:
        self.path = path
        self.problem: str | None = None
        self.in_memory = False
        self.closing = threading.Event()
        self._make_store = make_store
        self._clock = clock
        self._waiting: deque[Execution] = deque(maxlen=KEPT_FOR_LATER)
        self._retry_at = 0.0
        self._damaged: tuple[int, int] | None = None
        self.identity: tuple[int, int] | None = None
        self._store = self._open()

    def _open(self) -> Store:
        try:
            return self._open_file()
        except Unusable as error:
            return self._open_memory(error)

    def _open_file(self) -> Store:
        connection = open_database(self.path)
        store = self._make_store(connection)
        try:
            store.take_in_ancestor()
        except sqlite3.Error as error:
            store.close()
            raise Unusable.by(self.path, error) from error
        self.identity = file_identity(self.path)
        self.in_memory = False
        return store

    def _open_memory(self, error: Unusable) -> Store:
        self._say(f"{error}. What is learnt is kept in memory only.")
        self.in_memory = True
        self._retry_at = self._clock.monotonic() + RETRY_EVERY_S
        self._damaged = file_identity(self.path) if error.damaged else None
        readable = error.may_be_read and self._is_small()
        return self._make_store(open_memory(self.path if readable else None))

    def _say(self, problem: str) -> None:
        self.problem = problem
        _log.warning("%s", problem)

    def _is_small(self) -> bool:
        try:
            return self.path.stat().st_size <= COPIED_AT_MOST_BYTES
        except OSError:
            return False

    def record(self, execution: Execution) -> None:
        """Learn from a run, on the file where that is possible."""
        self._return_to_file()
        if self.in_memory:
            self._waiting.append(execution)
            self._store.record(execution)
            return
        self._reopen_if_moved()
        error = self._try_to_record(execution)
        if error is not None:
            self._waiting.append(execution)
            self._leave_file(error)
            self._store.record(execution)

    def _try_to_record(self, execution: Execution) -> sqlite3.Error | None:
        for attempt in range(BUSY_ATTEMPTS):
            try:
                self._store.record(execution)
            except sqlite3.Error as error:
                last = attempt == BUSY_ATTEMPTS - 1 or self.closing.is_set()
                if last or not is_busy(error):
                    return error
            else:
                return None
        return None

    def learn_from_terminal(self) -> None:
        """Take in what the user ran by hand; without a file to keep it in, it waits where it is."""
        if self.in_memory:
            return
        self._reopen_if_moved()
        try:
            self._store.take_in_terminal(spool_beside(self.path))
        except sqlite3.Error as error:
            if not is_busy(error):
                self._leave_file(error)
        except OSError as error:
            _log.info("what shells wrote down cannot be taken in: %s", error)

    def ask(self, question: Callable[[Store], Made]) -> Made:
        """What the store answers; where the file cannot, what memory in RAM does."""
        self._reopen_if_moved()
        try:
            return question(self._store)
        except sqlite3.Error as error:
            if self.in_memory:
                raise
            self._leave_file(error)
            return question(self._store)

    def _leave_file(self, error: sqlite3.Error) -> None:
        self._close_store()
        self._store = self._open_memory(Unusable.by(self.path, error))

    def _return_to_file(self) -> None:
        """Every 30 s, try to write what waits; where that works, memory is on the file again.

        A damaged file is not tried again: it would be written to.
        """
        if not self.in_memory or self._clock.monotonic() < self._retry_at:
            return
        self._retry_at = self._clock.monotonic() + RETRY_EVERY_S
        if self._damaged is not None and file_identity(self.path) == self._damaged:
            return
        in_ram = self._store
        try:
            on_file = self._open_file()
            on_file.record_all(self._waiting)
        except (Unusable, sqlite3.Error) as error:
            self.in_memory = True
            _log.info("memory stays in RAM: %s", error)
            return
        in_ram.close()
        self._waiting.clear()
        self._store, self.problem = on_file, None

    def _reopen_if_moved(self) -> None:
        """A file that was removed or replaced under us would swallow every record."""
        if self.in_memory or file_identity(self.path) == self.identity:
            return
        self._close_store()
        self._store = self._open()
        if not self.in_memory:
            self._say(f"{self.path} was removed or replaced; memory goes on in the file there now")

    def _close_store(self) -> None:
        try:
            self._store.close()
        except sqlite3.Error as error:
            _log.info("closing %s: %s", self.path, error)

    def close(self) -> None:
        """Write what waits, if the file works by now, and close it."""
        if self._waiting:
            self._retry_at = self._clock.monotonic()
            self._return_to_file()
        self._close_store()
