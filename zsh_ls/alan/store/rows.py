"""Converts patterns to rows and back.

A pattern that also counts runs from elsewhere (`Origin.is_elsewhere`) has a second
row without them, its twin, in the table `OWN`; a pattern without a twin has no such runs.
Patterns of projects are in `PROJECT`, their twins in `OWN_PROJECT`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from zsh_ls.alan.learning.pattern import ENTRY_BYTES, OutcomeCounts, PatternKind, PatternRow

_COLUMNS = """key, kind, text, at_ms, runs, succeeded, timed_out, killed, hiding,
    w_runs, w_succeeded, w_timed_out, w_killed, w_hiding, unjudged, streak, longest_success,
    longest_failure, total_ms, samples, ring, last_exit, sound"""
_KINDS = tuple(PatternKind)
ALL, OWN = "pattern", "own_pattern"
PROJECT, OWN_PROJECT = "project_pattern", "own_project_pattern"

MOST_KEPT = 4096
"""How many patterns a reader keeps, some 4 MB."""

Row = tuple[int | float | str | bytes | None, ...]


class Unreadable(sqlite3.DatabaseError):
    """A row with values that no zsh-ls wrote: the file is damaged."""

    sqlite_errorname = "SQLITE_CORRUPT"


@contextlib.contextmanager
def reading(subject: str) -> Iterator[None]:
    """Raise Unreadable for errors in the block, where values of a row of `subject` are converted."""
    try:
        yield
    except (IndexError, TypeError, ValueError) as error:
        raise Unreadable(f"{subject} cannot be read: {error}") from error


def pattern_of(row: tuple[Any, ...]) -> PatternRow:
    """The pattern of a row of `_COLUMNS`; raises Unreadable for invalid values."""
    # No `with reading`: a script's lines need a thousand rows, and it takes a third of this.
    try:
        return _pattern_of(row)
    except (IndexError, TypeError, ValueError) as error:
        raise Unreadable(f"what was learnt under {row[0]} cannot be read: {error}") from error


def _pattern_of(row: tuple[Any, ...]) -> PatternRow:
    key, kind, text, at_ms = row[:4]
    ring = row[20]
    if not isinstance(text, str) or not isinstance(ring, bytes) or len(ring) % ENTRY_BYTES:
        raise ValueError("its name or its durations are none")
    sum(row[4:20], at_ms + row[22])  # raises TypeError if one is no number
    counts, weights = OutcomeCounts._make(row[4:9]), OutcomeCounts._make(row[9:14])
    return PatternRow(key, _KINDS[kind], text, at_ms, counts, weights, *row[14:])


def row_of(pattern: PatternRow) -> Row:
    """The row of `_COLUMNS` of a pattern."""
    return (
        pattern.key,
        pattern.kind.value,
        pattern.text,
        pattern.at_ms,
        *(int(count) for count in pattern.counts),
        *pattern.weights,
        pattern.unjudged,
        pattern.streak,
        pattern.longest_success,
        pattern.longest_failure,
        pattern.total_ms,
        pattern.samples,
        pattern.ring,
        pattern.last_exit,
        pattern.sound,
    )


def read_patterns(
    connection: sqlite3.Connection, keys: Iterable[int], table: str = ALL
) -> dict[int, PatternRow]:
    """The patterns of many keys, in one query; keys without a row are left out."""
    project = "project" if table in (PROJECT, OWN_PROJECT) else "NULL"
    query = (
        f"SELECT {_COLUMNS}, {project} FROM {table} WHERE key IN (SELECT value FROM json_each(?))"
    )
    rows = connection.execute(query, (json.dumps(list(keys)),))
    return {row[0]: pattern_of(row) for row in rows}


def twin_of(table: str) -> str:
    """The table of the twins of a table's patterns."""
    return OWN if table == ALL else OWN_PROJECT


class PatternReader:
    """Reads patterns on a connection, and keeps them for as long as no other connection changes the file.

    The lines of a script are looked up again after every edit, and few edits follow a run.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version = (-1, -1)
        self._kept: dict[str, dict[int, PatternRow | None]] = {}

    def read(self, keys: Collection[int], table: str, *, own: bool) -> dict[int, PatternRow]:
        """The patterns of many keys; `own` leaves out runs from elsewhere."""
        if not own:
            return self._read(keys, table)
        with_twins = self._read(keys, table) | self._read(keys, twin_of(table))
        return {key: pattern for key, pattern in with_twins.items() if not pattern.is_empty}

    def _read(self, keys: Collection[int], table: str) -> dict[int, PatternRow]:
        # Asked before the rows are: a row that is newer than its version is only read again.
        (theirs,) = self._connection.execute("PRAGMA data_version").fetchone()
        version = (theirs, self._connection.total_changes)
        if version != self._version or sum(map(len, self._kept.values())) > MOST_KEPT:
            self._version, self._kept = version, {}
        kept = self._kept.setdefault(table, {})
        new = [key for key in keys if key not in kept]
        if new:
            kept |= dict.fromkeys(new) | read_patterns(self._connection, new, table)
        return {key: found for key in keys if (found := kept[key]) is not None}


def write_patterns(
    connection: sqlite3.Connection, patterns: Iterable[PatternRow], table: str = ALL
) -> None:
    """Insert patterns, replacing rows with the same keys; `table` is one of projects or not, as they."""
    if table in (PROJECT, OWN_PROJECT):
        columns, rows = f"{_COLUMNS}, project", [(*row_of(it), it.project) for it in patterns]
    else:
        columns, rows = _COLUMNS, [row_of(pattern) for pattern in patterns]
    slots = ",".join("?" * (columns.count(",") + 1))
    connection.executemany(f"INSERT OR REPLACE INTO {table}({columns}) VALUES({slots})", rows)


def place_id(connection: sqlite3.Connection, path: str) -> int:
    """The row id of a folder, which is inserted if it is new."""
    found = find_place(connection, path)
    if found is not None:
        return found
    added = connection.execute("INSERT INTO place(path) VALUES(?)", (stored_path(path),))
    return int(added.lastrowid or 0)


def stored_path(path: str) -> str:
    """A folder's path as SQLite can hold it; bytes that are no text are replaced."""
    return path.encode("utf-8", "replace").decode()


def find_place(connection: sqlite3.Connection, path: str) -> int | None:
    """The row id of a folder, None if nothing is known of it."""
    row = connection.execute("SELECT id FROM place WHERE path = ?", (stored_path(path),)).fetchone()
    return int(row[0]) if row else None


def delete_patterns(connection: sqlite3.Connection, keys: Iterable[int], table: str = ALL) -> None:
    """Delete patterns of a table, and their twins."""
    gone = [(key,) for key in keys]
    for each in (table, twin_of(table)):
        connection.executemany(f"DELETE FROM {each} WHERE key = ?", gone)
