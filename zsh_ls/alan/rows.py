"""Patterns to rows and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from .pattern import Kind, Pattern, Tally

_COLUMNS = """key, kind, text, at_ms, runs, succeeded, timed_out, killed,
    w_runs, w_succeeded, w_timed_out, w_killed, unjudged, streak, longest_success, longest_failure,
    total_ms, samples, ring, last_exit"""
_SELECT = f"SELECT {_COLUMNS} FROM pattern WHERE key IN (SELECT value FROM json_each(?))"
_REPLACE = f"INSERT OR REPLACE INTO pattern({_COLUMNS}) VALUES({','.join('?' * 20)})"

Row = tuple[int | float | str | bytes | None, ...]


def pattern_of(row: tuple[int, ...]) -> Pattern:
    """The pattern of a row of `_COLUMNS`."""
    key, kind, text, at_ms, *rest = row
    counts, weights, tail = Tally(*rest[:4]), Tally(*rest[4:8]), rest[8:]
    return Pattern(key, Kind(kind), text, at_ms, counts, weights, *tail)  # type: ignore[arg-type]


def row_of(pattern: Pattern) -> Row:
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


def read_patterns(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, Pattern]:
    """The patterns of many keys, in one query; keys without a row are left out."""
    rows = connection.execute(_SELECT, (json.dumps(list(keys)),))
    return {row[0]: pattern_of(row) for row in rows}


def write_patterns(connection: sqlite3.Connection, patterns: Iterable[Pattern]) -> None:
    """Put patterns in place of what their keys held."""
    connection.executemany(_REPLACE, [row_of(pattern) for pattern in patterns])


def delete_patterns(connection: sqlite3.Connection, keys: Iterable[int]) -> None:
    """Let go of patterns."""
    connection.executemany("DELETE FROM pattern WHERE key = ?", [(key,) for key in keys])
