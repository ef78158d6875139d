"""How runs change memory: their rows in the log, and what they teach their patterns.

Runs that other programs remembered are recorded too, each once: a row is known
by the hash of its source and its id there. Thousands of rows are learnt from at
once: their patterns are read together and written together. Everything here
happens within the caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import attrs

from zsh_ls.alan.store.rows import OWN, read_patterns, write_patterns
from zsh_ls.alan.store.schema import ORIGINS, OUTCOMES
from zsh_ls.model.words import Origin, Outcome

from .keys import CommandKeys, PatternKey, key_of
from .observations import RunRecord, is_judged, observations_of
from .pattern import Observation, PatternKind, PatternRow

_INSERT_RUN = """INSERT INTO run(at_ms, session, template, command, outcome, neutral, exit,
    duration_ms, pipestatus, origin, host, remote, preview) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"""
# Not `OR REPLACE`: it would insert anew, and the pair would be counted again.
_INSERT_PAIR = """INSERT INTO ssh_pair(remote, host, at_ms) VALUES(?, ?, ?)
    ON CONFLICT DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)"""


def add_run(connection: sqlite3.Connection, run: RunRecord, half_life_ms: float) -> None:
    """Write one run of a session with all it teaches."""
    add_runs(connection, [run], half_life_ms)
    _count_in_session(connection, run, session_id(connection, run.session, run.at_ms))


def add_runs(
    connection: sqlite3.Connection, runs: Sequence[RunRecord], half_life_ms: float
) -> None:
    """Write many runs; what is counted per session is not touched."""
    teach(
        connection,
        [observation for run in runs for observation in observations_of(run)],
        half_life_ms,
    )
    sessions = {
        name: session_id(connection, name, runs[0].at_ms) for name in {run.session for run in runs}
    }
    connection.executemany(_INSERT_RUN, [_log_row(run, sessions[run.session]) for run in runs])
    connection.executemany(_INSERT_PAIR, _host_pairs(runs))


def session_id(connection: sqlite3.Connection, name: str, at_ms: int) -> int:
    """The number of a session, given one if it has none."""
    row = connection.execute("SELECT id FROM session WHERE name=?", (name,)).fetchone()
    if row is not None:
        return int(row[0])
    added = connection.execute("INSERT INTO session(name, at_ms) VALUES(?, ?)", (name, at_ms))
    return int(added.lastrowid or 0)


def teach(
    connection: sqlite3.Connection,
    observations: Sequence[tuple[PatternKey, Observation]],
    half_life_ms: float,
) -> None:
    """One observation after another: both segments of `grep a | grep b` teach `grep *`."""
    by_key: defaultdict[int, list[Observation]] = defaultdict(list)
    marks: dict[int, PatternKey] = {}
    for mark, observation in observations:
        key = mark.key
        by_key[key].append(observation)
        if mark.is_named or key not in marks:
            marks[key] = mark
    keys = list(by_key)
    known, twins = read_patterns(connection, keys), read_patterns(connection, keys, OWN)
    before = {key: _named(known.get(key), marks[key], by_key[key][0]) for key in keys}
    own = {key: _own(twins.get(key), before[key], by_key[key], half_life_ms) for key in keys}
    after = [before[key].after_all(by_key[key], half_life_ms) for key in keys]
    write_patterns(connection, after)
    write_patterns(connection, [twin for twin in own.values() if twin is not None], OWN)


def _named(known: PatternRow | None, mark: PatternKey, first: Observation) -> PatternRow:
    """The pattern to teach, with its text where that is to be kept."""
    name = mark.text if mark.is_named else ""
    if known is None:
        return PatternRow(mark.key, mark.kind, name, first.at_ms)
    return known if known.text else attrs.evolve(known, text=name)


def _own(
    twin: PatternRow | None,
    before: PatternRow,
    observations: Sequence[Observation],
    half_life_ms: float,
) -> PatternRow | None:
    """What the pattern is without runs from elsewhere; None where none has ever taught it."""
    if twin is None and not any(observation.elsewhere for observation in observations):
        return None
    own = [observation for observation in observations if not observation.elsewhere]
    return (twin or before).after_all(own, half_life_ms)


def _log_row(run: RunRecord, session: int) -> tuple[int | str | None, ...]:
    trace = run.keys
    return (
        run.at_ms,
        session,
        trace.template_key,
        trace.command_key,
        None if run.outcome is None else OUTCOMES.index(run.outcome),
        run.neutral,
        run.exit,
        run.duration_ms,
        " ".join(map(str, run.pipestatus)) or None,
        ORIGINS.index(run.origin),
        trace.host if trace.identity.keeps_text else None,
        trace.kept_remote,
        trace.preview,
    )


def _host_pairs(runs: Sequence[RunRecord]) -> list[tuple[int, int, int]]:
    """On which hosts remote commands have been judged."""
    return [
        (run.keys.remote_key, run.keys.host_key, run.at_ms)
        for run in runs
        if run.keys.remote_key is not None and run.keys.host_key is not None
        if is_judged(run)
    ]


def _count_in_session(connection: sqlite3.Connection, run: RunRecord, session: int) -> None:
    """Kills (KILL-2) and failures in a row (MAN-1) of the template within the session.

    A success ends the row of failures; a kill, a timeout and a known normal exit are passed over.
    """
    succeeded = run.outcome is Outcome.SUCCESS
    failed = run.outcome is Outcome.FAILURE and not run.neutral
    killed = run.outcome is Outcome.KILLED
    connection.execute(
        """INSERT INTO session_template VALUES(?, ?, 1, ?, ?, ?)
        ON CONFLICT DO UPDATE SET runs = runs + 1, succeeded = succeeded + excluded.succeeded,
            killed = killed + excluded.killed, failures_in_row = CASE WHEN excluded.succeeded THEN 0
                ELSE failures_in_row + excluded.failures_in_row END""",
        (session, run.keys.template_key, succeeded, killed, failed),
    )


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
