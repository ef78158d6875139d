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
    with reading(f"what was learnt under {row[0]}"):
        return _pattern_of(row)


def _pattern_of(row: tuple[Any, ...]) -> PatternRow:
    key, kind, text, at_ms, *rest = row
    *numbers, ring, _, sound, _ = rest
    if not isinstance(text, str) or not isinstance(ring, bytes) or len(ring) % ENTRY_BYTES:
        raise ValueError("its name or its durations are none")
    sum(numbers, at_ms + sound)  # raises TypeError if one is no number
    counts, weights, tail = OutcomeCounts(*rest[:5]), OutcomeCounts(*rest[5:10]), rest[10:]
    return PatternRow(key, _KINDS[kind], text, at_ms, counts, weights, *tail)


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


def read_own_patterns(
    connection: sqlite3.Connection, keys: Collection[int], table: str = ALL
) -> dict[int, PatternRow]:
    """The patterns of many keys without runs from elsewhere."""
    twins = read_patterns(connection, keys, twin_of(table))
    own = read_patterns(connection, keys, table) | twins
    return {key: pattern for key, pattern in own.items() if not pattern.is_empty}


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
