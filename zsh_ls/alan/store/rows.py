"""Converts patterns to rows and back.

A pattern that also counts runs from elsewhere (`Origin.is_elsewhere`) has a second
row without them, its twin, in the table `OWN`; a pattern without a twin has no such runs.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from zsh_ls.alan.learning.pattern import ENTRY_BYTES, OutcomeCounts, PatternKind, PatternRow

_COLUMNS = """key, kind, text, at_ms, runs, succeeded, timed_out, killed,
    w_runs, w_succeeded, w_timed_out, w_killed, unjudged, streak, longest_success, longest_failure,
    total_ms, samples, ring, last_exit"""
_KINDS = tuple(PatternKind)
ALL, OWN = "pattern", "own_pattern"

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
    *numbers, ring, _ = rest
    if not isinstance(text, str) or not isinstance(ring, bytes) or len(ring) % ENTRY_BYTES:
        raise ValueError("its name or its durations are none")
    sum(numbers, at_ms)  # raises TypeError if one is no number
    counts, weights, tail = OutcomeCounts(*rest[:4]), OutcomeCounts(*rest[4:8]), rest[8:]
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
    )


def read_patterns(
    connection: sqlite3.Connection, keys: Iterable[int], table: str = ALL
) -> dict[int, PatternRow]:
    """The patterns of many keys, in one query; keys without a row are left out."""
    query = f"SELECT {_COLUMNS} FROM {table} WHERE key IN (SELECT value FROM json_each(?))"
    rows = connection.execute(query, (json.dumps(list(keys)),))
    return {row[0]: pattern_of(row) for row in rows}


def read_own_patterns(
    connection: sqlite3.Connection, keys: Collection[int]
) -> dict[int, PatternRow]:
    """The patterns of many keys without runs from elsewhere."""
    own = read_patterns(connection, keys) | read_patterns(connection, keys, OWN)
    return {key: pattern for key, pattern in own.items() if not pattern.is_empty}


def write_patterns(
    connection: sqlite3.Connection, patterns: Iterable[PatternRow], table: str = ALL
) -> None:
    """Insert patterns, replacing rows with the same keys."""
    command = f"INSERT OR REPLACE INTO {table}({_COLUMNS}) VALUES({','.join('?' * 20)})"
    connection.executemany(command, [row_of(pattern) for pattern in patterns])


def delete_patterns(connection: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Delete patterns and their twins."""
    gone = [(key,) for key in keys]
    for table in (ALL, OWN):
        connection.executemany(f"DELETE FROM {table} WHERE key = ?", gone)
