"""The reading thread's connection: opened when needed, and only to the file the writer accepted."""

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


LETTING_GO_S = 1.0


class Reader:
    """A store for questions only; it waits at most `patience_s` for others at the file.

    One thread asks; `close` may come from another.
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
        """The answer from the file that the writer has `accepted`; raises where that is not there."""
        if not self._asking.acquire(blocking=False):
            raise Unusable(f"{self._path} is being opened anew")
        try:
            return self._ask(question, accepted)
        finally:
            self._asking.release()

    def _ask(self, question: Callable[[Store], Made], accepted: tuple[int, int] | None) -> Made:
        here = file_identity(self._path)
        if here != self._identity:
            self._let_go()
        if not self._files.are_as_they_were():
            raise Unusable(f"{self._path}: its log has been changed by another program")
        if here is None or here != accepted:
            raise Unusable(f"{self._path} was removed or replaced")
        if self._store is None:
            connection = open_reader(self._path, self._patience_s)
            self._store, self._identity = self._make_store(connection), here
        try:
            return question(self._store)
        except sqlite3.Error:
            if self._files.are_as_they_were():
                self._let_go()
            raise

    def close(self) -> None:
        """Let go of the file, when what is asked now is answered; one that hangs is left as it is."""
        if self._asking.acquire(timeout=LETTING_GO_S):
            try:
                self._let_go()
            finally:
                self._asking.release()

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
