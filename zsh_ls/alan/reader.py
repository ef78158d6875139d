"""The reading thread's connection: opened when needed, and only to the file the writer accepted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .database import BUSY_TIMEOUT_S, Unusable, file_identity, open_reader
from .store import Store

Made = TypeVar("Made")


class Reader:
    """A store for questions only; it waits at most `patience_s` for others at the file."""

    def __init__(
        self,
        path: Path,
        make_store: Callable[[sqlite3.Connection], Store],
        patience_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self._path = path
        self._make_store = make_store
        self._patience_s = patience_s
        self._store: Store | None = None
        self._identity: tuple[int, int] | None = None

    def ask(self, question: Callable[[Store], Made], accepted: tuple[int, int] | None) -> Made:
        """The answer from the file that the writer has `accepted`; raises where that is not there."""
        here = file_identity(self._path)
        if here != self._identity:
            self.close()
        if here is None or here != accepted:
            raise Unusable(f"{self._path} was removed or replaced")
        if self._store is None:
            connection = open_reader(self._path, self._patience_s)
            self._store, self._identity = self._make_store(connection), here
        try:
            return question(self._store)
        except sqlite3.Error:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        if self._store is not None:
            self._store.close()
            self._store = None
