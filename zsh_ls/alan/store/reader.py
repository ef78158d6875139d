"""A read-only connection, opened when needed, and only to the file that the writer has opened."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .database import Unusable, file_identity, open_reader
from .log_files import LogFiles
from .store import Store

Made = TypeVar("Made")


CLOSE_PATIENCE_S = 1.0


class Reader:
    """A read-only store that waits at most `patience_s` for other processes' locks.

    `ask` is called by one thread, `close` by any.
    """

    def __init__(
        self,
        path: Path,
        make_store: Callable[[sqlite3.Connection], Store],
        files: LogFiles,
        patience_s: float,
    ) -> None:
        self._path = path
        self._files = files
        self._asking = threading.Lock()
        self._make_store = make_store
        self._patience_s = patience_s
        self._store: Store | None = None
        self._identity: tuple[int, int] | None = None

    def ask(self, question: Callable[[Store], Made], accepted: tuple[int, int] | None) -> Made:
        """What `question` returns; raises Unusable unless the file is the one the writer `accepted`."""
        if not self._asking.acquire(blocking=False):
            raise Unusable(f"{self._path} is being opened anew")
        try:
            return self._ask(question, accepted)
        finally:
            self._asking.release()

    def _ask(self, question: Callable[[Store], Made], accepted: tuple[int, int] | None) -> Made:
        here = file_identity(self._path)
        if here != self._identity:
            self._close()
        if not self._files.are_unchanged():
            raise Unusable(f"{self._path}: its log has been changed by another program")
        if here is None or here != accepted:
            raise Unusable(f"{self._path} was removed or replaced")
        if self._store is None:
            connection = open_reader(self._path, self._patience_s)
            self._store, self._identity = self._make_store(connection), here
        try:
            answer = question(self._store)
        except sqlite3.Error:
            if self._files.are_unchanged():
                self._close()
            raise
        if not self._files.are_unchanged():
            raise Unusable(f"{self._path}: its log was changed while it was read")
        return answer

    def close(self) -> None:
        """Close the connection after the question that runs, unless that takes CLOSE_PATIENCE_S."""
        if self._asking.acquire(timeout=CLOSE_PATIENCE_S):
            try:
                self._close()
            finally:
                self._asking.release()

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
