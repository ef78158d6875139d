"""Runs that other programs remembered, taken into memory: each once, and only what is known.

A row is known by the hash of its source and its id there, so that taking the
same history in twice changes nothing. Thousands of rows are learnt from at
once: their patterns are read together and written together.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import attrs

from zsh_ls.model.words import Origin, Outcome

from .keys import CommandKeys, PatternKey, key_of
from .observations import RunRecord
from .pattern import Observation, PatternKind
from .recording import add_runs, teach

Tracer = Callable[[str], CommandKeys]


@attrs.frozen
class HistoryRow:
    """One remembered run, at the moment it ended; None where its source does not know.

    `id` is its name in that source. A `is_segment` row is a part of a pipeline
    that the source remembers as if it were a run.
    """

    id: str
    command: str
    at_ms: int
    outcome: Outcome | None = None
    exit: int | None = None
    duration_ms: int | None = None
    is_segment: bool = False


def unix_ms(iso_time: str) -> int:
    """Milliseconds since the epoch of an ISO 8601 time; without a zone it is UTC, unreadable it is 0."""
    try:
        moment = datetime.fromisoformat(iso_time)
    except ValueError:
        return 0
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def take_in(
    connection: sqlite3.Connection,
    source: str,
    rows: Sequence[HistoryRow],
    *,
    trace: Tracer,
    half_life_ms: float,
) -> int:
    """Take in the rows that are new, within the caller's transaction; gives how many were."""
    new = _unseen(connection, source, [row for row in rows if row.command.strip()])
    runs = [_record(row, source, trace) for row in new if not row.is_segment]
    observations = [_segment_lesson(row, trace) for row in new if row.is_segment]
    teach(connection, observations, half_life_ms)
    add_runs(connection, runs, half_life_ms)
    return len(new)


def is_new(connection: sqlite3.Connection, source: str, name: str) -> bool:
    """Whether `name` of that source was not taken in before; from now on it has been."""
    key = key_of(f"{source}\0{name}", b"taken in")
    return bool(connection.execute("INSERT OR IGNORE INTO taken_in VALUES(?)", (key,)).rowcount)


def _unseen(
    connection: sqlite3.Connection, source: str, rows: Sequence[HistoryRow]
) -> list[HistoryRow]:
    """The rows that were not taken in before; from now on they have been."""
    keyed = {key_of(f"{source}\0{row.id}", b"taken in"): row for row in rows}
    found = connection.execute(
        "SELECT key FROM taken_in WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keyed)),),
    )
    for (key,) in found.fetchall():
        del keyed[key]
    connection.executemany("INSERT INTO taken_in VALUES(?)", [(key,) for key in keyed])
    return list(keyed.values())


def _record(row: HistoryRow, source: str, trace: Tracer) -> RunRecord:
    return RunRecord(
        keys=trace(row.command),
        at_ms=row.at_ms,
        session=source,
        origin=Origin.IMPORT,
        outcome=row.outcome,
        exit=row.exit,
        duration_ms=row.duration_ms,
    )


def _segment_lesson(row: HistoryRow, trace: Tracer) -> tuple[PatternKey, Observation]:
    observation = Observation(row.at_ms, row.outcome, row.exit, from_history=True)
    return PatternKey(PatternKind.SEGMENT, trace(row.command).identity.template), observation
