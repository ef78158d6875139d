"""What an importer finds in a history, and how histories kept in SQLite are opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import attrs

from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.model.words import Outcome


class UnreadableHistory(Exception):
    """The history file is missing, unreadable or of another format, as the message says."""


@attrs.frozen
class Left:
    """A row that cannot be imported; rows are counted by `reason`."""

    reason: str


Found = HistoryRow | Left
Reader = Callable[[Path], Iterator[Found]]
WITHOUT_TIME = Left("without a time")


def outcome_of_exit(exit_status: int | None) -> Outcome | None:
    """The outcome of a run with that exit status, None if the status is unknown."""
    if exit_status is None:
        return None
    return Outcome.SUCCESS if exit_status == 0 else Outcome.FAILURE


def known_ms(duration_ms: float | None) -> int | None:
    """The duration rounded, None where it is missing, zero or negative, which means not measured."""
    return round(duration_ms) if duration_ms is not None and duration_ms > 0 else None


@contextmanager
def foreign_database(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """Another program's database, opened read-only; raises UnreadableHistory if it lacks `table`."""
    if not path.is_file():
        raise UnreadableHistory(f"{path} is not there")
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=5)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            if not connection.execute(f"PRAGMA table_info({table})").fetchall():
                raise UnreadableHistory(
                    f"{path} has no table {table!r}: it is another kind of file"
                )
            yield connection
    except sqlite3.Error as error:
        raise UnreadableHistory(f"{path} cannot be read: {error}") from error
