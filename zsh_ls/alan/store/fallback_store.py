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

import attrs

from zsh_ls.alan.terminal import spool_beside
from zsh_ls.model.clock import Clock
from zsh_ls.model.execution import Execution

from .database import (
    HURRIED_TIMEOUT_S,
    Patience,
    Unusable,
    file_identity,
    is_busy,
    open_database,
    open_memory,
)
from .handoff import folder_beside, hand_on
from .log_files import LogFiles
from .store import Store

Made = TypeVar("Made")
MakeStore = Callable[[sqlite3.Connection], Store]

RETRY_EVERY_S = 30.0
# Another process's lock is looked for more often: it is a matter of moments as a rule.
BUSY_RETRY_EVERY_S = 1.0
# So long a run waits, in the writing thread, for others at the file; then memory goes on in RAM.
LOCK_PATIENCE_S = 2.0
TERMINAL_PATIENCE_S = 0.2
KEPT_FOR_LATER = 1000
COPIED_AT_MOST_BYTES = 256 << 20
_log = logging.getLogger(__name__)


class FallbackStore:
    """The writer's store, on the file or in RAM.

    `let_go` is called before the file is opened anew: nobody else in this
    process may have it open then.
    """

    def __init__(
        self, path: Path, make_store: MakeStore, clock: Clock, files: LogFiles | None = None
    ) -> None:
        self.path = path
        self.problem: str | None = None
        self.in_memory = False
        self.closing = threading.Event()
        self.let_go: Callable[[], None] = lambda: None
        self._files = files or LogFiles(path)
        self._make_store = make_store
        self._clock = clock
        self._waiting: deque[Execution] = deque()
        self._dropped = 0
        self._is_ours = True
        self._retry_at = 0.0
        self._damaged: tuple[int, int] | None = None
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
        self.let_go()
        connection = open_database(self.path, patience_s)
        store = self._make_store(connection)
        store.patience = Patience(patience_s, self.closing, self._files.are_as_they_were)
        try:
            store.is_open()
            self._files.opened()
            if self._files.log_is_cut:  # others have it open, and an index of what is there no more
                store.read_log_anew(self._files.renew)
            store.take_in_ancestor()
        except (sqlite3.Error, OSError) as error:
            store.close()
            raise self._unusable(error) from error
        self.identity = file_identity(self.path)
        self._files.opened()
        return store

    def _unusable(self, error: sqlite3.Error | OSError) -> Unusable:
        if isinstance(error, sqlite3.Error):
            return Unusable.by(self.path, error)
        return Unusable(f"{self.path} cannot be written: {error.strerror}", may_be_read=True)

    def _open_memory(self, error: Unusable) -> Store:
        self._say(f"{error}. What is learnt is kept in memory only.")
        self.in_memory = True
        self._files.closed()
        self._retry_at = self._clock.monotonic() + _retry_after_s(error)
        self._damaged = file_identity(self.path) if error.damaged else None
        self._is_ours = error.may_be_read
        readable = self._is_ours and self._is_small()
        return self._make_store(open_memory(self.path if readable else None))

    def _say(self, problem: str) -> None:
        """Once, however often it is met while it lasts."""
        if problem != self.problem:
            _log.warning("%s", problem)
        self.problem = problem

    def _is_small(self) -> bool:
        try:
            return self.path.stat().st_size <= COPIED_AT_MOST_BYTES
        except OSError:
            return False

    @property
    def is_blocked(self) -> bool:
        """Whether a change waits for another process at the file."""
        return self._store.patience.is_blocked

    def record(self, execution: Execution) -> None:
        """Learn from a run, on the file where that is possible."""
        try:
            self._record(execution)
        except Exception as fault:  # a mistake of this program: others are to be remembered
            _log.error("a run is not remembered", exc_info=fault)
            self._say(f"A run could not be remembered: internal error ({type(fault).__name__})")

    def _record(self, execution: Execution) -> None:
        self.return_to_file()
        self._check()
        for _ in range(2):  # where another program has cut the log, once more on what is left
            if self.in_memory:
                break
            try:
                self._store.record(execution)
            except sqlite3.Error as error:
                self._leave_file(error)
            else:
                return
        self._keep_for_later(execution)
        self._store.record(execution)

    def _keep_for_later(self, execution: Execution) -> None:
        self._waiting.append(attrs.evolve(execution, output=None))
        if len(self._waiting) > KEPT_FOR_LATER:
            self._waiting.popleft()
            if not self._dropped:
                _log.warning(
                    "%s: more than %d runs wait to be written; the oldest are let go",
                    self.path,
                    KEPT_FOR_LATER,
                )
            self._dropped += 1

    def learn_from_terminal(self) -> None:
        """Take in what the user ran by hand; without a file to keep it in, it waits where it is."""
        self._check()
        if self.in_memory:
            return
        self._store.patience.seconds = TERMINAL_PATIENCE_S
        try:
            self._store.take_in_terminal(spool_beside(self.path))
            self._store.take_in_handed_on(folder_beside(self.path))
        except sqlite3.Error as error:
            if not is_busy(error):
                self._leave_file(error)
        except OSError as error:
            _log.info("what shells wrote down cannot be taken in: %s", error)
        finally:
            self._store.patience.seconds = LOCK_PATIENCE_S

    def ask(self, question: Callable[[Store], Made]) -> Made:
        """What the store answers; where the file cannot, what memory in RAM does."""
        self._check()
        for _ in range(2):
            if self.in_memory:
                break
            try:
                return question(self._store)
            except sqlite3.Error as error:
                self._leave_file(error)
        return question(self._store)

    def _leave_file(self, error: sqlite3.Error) -> None:
        """Go on in RAM; where the log was cut under us, on the file opened anew."""
        if not self._files.are_as_they_were():
            self._check()
            return
        self._go_to_memory(Unusable.by(self.path, error))

    def return_to_file(self) -> None:
        """Every now and then, try to write what waits; where that works, memory is on the file again.

        A damaged file is not tried again: it would be written to.
        """
        if not self.in_memory or self._clock.monotonic() < self._retry_at:
            return
        self._retry_at = self._clock.monotonic() + RETRY_EVERY_S
        if self._damaged is not None and file_identity(self.path) == self._damaged:
            return
        in_ram, on_file = self._store, None
        try:
            # Nobody waits: whoever asks meanwhile is answered from RAM.
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
        """See to it that the file and its log are those that were opened, and as long as they were."""
        if self.in_memory:
            return
        if file_identity(self.path) != self.identity:
            # A file that was removed or replaced under us would swallow every record.
            self._open_anew()
            if not self.in_memory:
                self._say(
                    f"{self.path} was removed or replaced; memory goes on in the file there now"
                )
        elif not self._files.are_as_they_were():
            self._mend()

    def _mend(self) -> None:
        """Another program has cut or removed a part of the log: go on with what is left."""
        are_others = self._files.are_others
        try:
            if not are_others:
                self._store.read_log_anew(self._files.renew)
                self._files.opened()
            else:
                if self._files.was_removed:
                    self._store.checkpoint()
                self._open_anew()
        except (sqlite3.Error, OSError) as error:
            self._go_to_memory(self._unusable(error))
        if not self.in_memory:
            what = "removed" if are_others else "cut"
            self._say(
                f"{self.path}: its log was {what} by another program; what could be read is kept"
            )

    def _go_to_memory(self, error: Unusable) -> None:
        self.let_go()
        self._close_store()
        self._store = self._open_memory(error)

    def _open_anew(self) -> None:
        self.let_go()
        self._close_store()
        self._files.closed()
        self._store = self._open()

    def _close_store(self) -> None:
        try:
            self._store.close()
        except sqlite3.Error as error:
            _log.info("closing %s: %s", self.path, error)

    def close(self) -> None:
        """Write what waits, if the file works by now, and close it; else leave it for the next process."""
        self._check()
        if self._waiting:
            self._retry_at = self._clock.monotonic()
            self.return_to_file()
        if self._waiting:
            self._hand_on()
        self._close_store()

    def _hand_on(self) -> None:
        if not self._is_ours:
            return
        found = [self._store.redacted(execution) for execution in self._waiting]
        try:
            hand_on(folder_beside(self.path), [it for it in found if it is not None])
        except OSError as error:
            _log.info("%d runs are not remembered: %s", len(found), error)


def _retry_after_s(error: Unusable) -> float:
    return BUSY_RETRY_EVERY_S if error.busy else RETRY_EVERY_S
