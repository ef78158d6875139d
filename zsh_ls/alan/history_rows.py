"""Runs that other programs remembered, on their way into memory: each once, and only what is known.

A row is known by the hash of its source and its id there, so that taking the
same history in twice changes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

import attrs

from zsh_ls.model.words import Origin, Outcome

from .footprint import Mark, footprint_of, key_of
from .pattern import Kind, Lesson
from .recording import RunRecord, add_run, teach


@attrs.frozen
class HistoryRow:
    """One remembered run; None where its source does not know. `id` is its name in that source."""

    id: str
    command: str
    at_ms: int
    outcome: Outcome | None = None
    exit: int | None = None
    duration_ms: int | None = None
    session: str = ""
    is_segment: bool = False


def unix_ms(iso_time: str) -> int:
    """Milliseconds since the epoch of an ISO 8601 time; without a zone it is UTC, unreadable it is 0."""
    try:
        moment = datetime.fromisoformat(iso_time)
    except ValueError:
        return 0
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def take_in(
    connection: sqlite3.Connection, source: str, rows: Iterable[HistoryRow], half_life_ms: float
) -> int:
    """Take in the rows that are new, within the caller's transaction; gives how many were."""
    return sum(_take(connection, source, row, half_life_ms) for row in rows)


def _take(
    connection: sqlite3.Connection, source: str, row: HistoryRow, half_life_ms: float
) -> bool:
    key = _key(source, row.id)
    added = connection.execute("INSERT OR IGNORE INTO taken_in VALUES(?)", (key,)).rowcount
    if not added or not row.command.strip():
        return False
    if row.is_segment:
        _teach_segment(connection, row, half_life_ms)
    else:
        add_run(connection, _record(row), half_life_ms)
    return True


def _key(source: str, name: str) -> int:
    return key_of(f"{source}\0{name}", b"taken in")


def _record(row: HistoryRow) -> RunRecord:
    return RunRecord(
        footprint=footprint_of(row.command),
        at_ms=row.at_ms,
        session=row.session,
        origin=Origin.IMPORT,
        outcome=row.outcome,
        exit=row.exit,
        duration_ms=row.duration_ms,
    )


def _teach_segment(connection: sqlite3.Connection, row: HistoryRow, half_life_ms: float) -> None:
    lesson = Lesson(row.at_ms, row.outcome, row.exit, from_history=True)
    mark = Mark(Kind.SEGMENT, footprint_of(row.command).identity.template)
    teach(connection, [(mark, lesson)], half_life_ms)
