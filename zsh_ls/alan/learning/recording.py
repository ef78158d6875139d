"""Writes runs to memory: their rows in the log, and their observations to their patterns.

Imported runs are recorded once each, recognized by a hash of their source and their
id there. Thousands of runs may be written at once, so their patterns are read and
written together. Everything runs within the caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from zsh_ls.alan.store.rows import (
    ALL,
    PROJECT,
    place_id,
    read_patterns,
    twin_of,
    write_patterns,
)
from zsh_ls.alan.store.schema import ORIGINS, OUTCOMES
from zsh_ls.lazy import attrs
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.system.projects import scope_of

from .keys import CommandKeys, PatternKey, key_in, key_of
from .observations import RunRecord, is_judged, observations_of
from .pattern import Observation, PatternKind, PatternRow

_INSERT_RUN = """INSERT INTO run(at_ms, session, template, command, outcome, neutral, exit,
    duration_ms, pipestatus, origin, host, remote, preview, hiding, project, folder)
    VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""
# Not `OR REPLACE`: that deletes and inserts, and the trigger would count the pair again.
_INSERT_PAIR = """INSERT INTO ssh_pair(remote, host, at_ms) VALUES(?, ?, ?)
    ON CONFLICT DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)"""

_NEWER = "excluded.at_ms >= line.at_ms"
_ADD_LINE = f"""INSERT INTO line VALUES(?,?,?,?,?,?,?,?,?,?,?,1) ON CONFLICT DO UPDATE SET
    runs = runs + 1, first_ms = min(first_ms, excluded.first_ms),
    folder = CASE WHEN {_NEWER} THEN excluded.folder ELSE folder END,
    outcome = CASE WHEN {_NEWER} THEN excluded.outcome ELSE outcome END,
    exit = CASE WHEN {_NEWER} THEN excluded.exit ELSE exit END,
    duration_ms = CASE WHEN {_NEWER} THEN excluded.duration_ms ELSE duration_ms END,
    origin = CASE WHEN {_NEWER} THEN excluded.origin ELSE origin END,
    at_ms = max(at_ms, excluded.at_ms)"""
LONGEST_LINE = 4_000
"""How many characters a line of history has at most: a longer one is no line to be typed again."""


# Histories count whole seconds.
SAME_START_MS = 1_500


def add_run(connection: sqlite3.Connection, run: RunRecord, half_life_ms: float) -> None:
    """Write one run and its observations, and count it in its session."""
    add_runs(connection, [run], half_life_ms)
    _count_in_session(connection, run, session_id(connection, run.session, run.at_ms))


def add_runs(
    connection: sqlite3.Connection, runs: Sequence[RunRecord], half_life_ms: float
) -> None:
    """Write runs and their observations without counting them in their sessions."""
    teach(
        connection,
        [observation for run in runs for observation in observations_of(run)],
        half_life_ms,
    )
    sessions = {
        name: session_id(connection, name, runs[0].at_ms) for name in {run.session for run in runs}
    }
    places = _places(connection, runs)
    rows = [_log_row(run, sessions[run.session], places) for run in runs]
    connection.executemany(_INSERT_RUN, rows)
    connection.executemany(_INSERT_PAIR, _host_pairs(runs))
    connection.executemany(_ADD_LINE, _lines(runs, places))


def _places(connection: sqlite3.Connection, runs: Sequence[RunRecord]) -> dict[str | None, int]:
    """The row ids of the folders of runs."""
    paths = {path for run in runs for path in (run.scope, run.folder) if path is not None}
    return {path: place_id(connection, path) for path in paths}


def session_id(connection: sqlite3.Connection, name: str, at_ms: int) -> int:
    """The row id of a session, which is inserted if it is new."""
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
    """Add observations to their patterns; a pattern may have several, as `grep *` in `grep a | grep b`."""
    # Pattern by pattern, not run by run: an import takes a third less time.
    by_key: defaultdict[int, list[Observation]] = defaultdict(list)
    pattern_keys: dict[int, PatternKey] = {}
    for pattern_key, observation in observations:
        key = pattern_key.key
        by_key[key].append(observation)
        if pattern_key.is_named or key not in pattern_keys:
            pattern_keys[key] = pattern_key
    for table in (ALL, PROJECT):
        keys = [key for key in by_key if (pattern_keys[key].scope is None) == (table == ALL)]
        known = read_patterns(connection, keys, table)
        twins = read_patterns(connection, keys, twin_of(table))
        before = {}
        for key in keys:
            named = _named(known.get(key), pattern_keys[key], by_key[key][0])
            before[key] = _placed(connection, named, pattern_keys[key])
        own = {key: _own(twins.get(key), before[key], by_key[key], half_life_ms) for key in keys}
        after = [before[key].after_all(by_key[key], half_life_ms) for key in keys]
        write_patterns(connection, after, table)
        new_twins = [twin for twin in own.values() if twin is not None]
        write_patterns(connection, new_twins, twin_of(table))


def _named(known: PatternRow | None, pattern_key: PatternKey, first: Observation) -> PatternRow:
    """The pattern's row, new or known, with its text if it may be stored."""
    name = pattern_key.name if pattern_key.is_named else ""
    if known is None:
        return PatternRow(pattern_key.key, pattern_key.kind, name, first.at_ms)
    return known if known.text else attrs.evolve(known, text=name)


def _placed(
    connection: sqlite3.Connection, pattern: PatternRow, pattern_key: PatternKey
) -> PatternRow:
    """The pattern with the project that its key names."""
    if pattern_key.scope is None or pattern.project is not None:
        return pattern
    return attrs.evolve(pattern, project=place_id(connection, pattern_key.scope))


def _own(
    twin: PatternRow | None,
    before: PatternRow,
    observations: Sequence[Observation],
    half_life_ms: float,
) -> PatternRow | None:
    """The pattern without runs from elsewhere; None if it never had such runs and needs no such row."""
    if twin is None and not any(observation.elsewhere for observation in observations):
        return None
    own = [observation for observation in observations if not observation.elsewhere]
    return (twin or before).after_all(own, half_life_ms)


def _log_row(
    run: RunRecord, session: int, places: Mapping[str | None, int]
) -> tuple[int | str | None, ...]:
    keys = run.keys
    return (
        run.at_ms,
        session,
        keys.template_key,
        keys.command_key,
        None if run.outcome is None else OUTCOMES.index(run.outcome),
        run.neutral,
        run.exit,
        run.duration_ms,
        " ".join(map(str, run.pipestatus)) or None,
        ORIGINS.index(run.origin),
        keys.host if keys.identity.keeps_text else None,
        keys.kept_remote,
        keys.preview,
        run.hiding,
        places.get(run.scope),
        places.get(run.folder),
    )


def _lines(
    runs: Sequence[RunRecord], places: Mapping[str | None, int]
) -> list[tuple[int | str | None, ...]]:
    """The rows of the runs' lines, of those whose text may be kept."""
    return [
        (
            key_in(key_of(run.keys.identity.text, b"line"), run.scope),
            run.keys.identity.text,
            run.keys.command_key,
            places.get(run.scope),
            places.get(run.folder),
            run.at_ms,
            run.at_ms,
            None if run.outcome is None else OUTCOMES.index(run.outcome),
            run.exit,
            run.duration_ms,
            ORIGINS.index(run.origin),
        )
        for run in runs
        if run.keys.identity.keeps_text and len(run.keys.identity.text) <= LONGEST_LINE
    ]


def _host_pairs(runs: Sequence[RunRecord]) -> list[tuple[int, int, int]]:
    """Rows (remote command, host, time) of the ssh runs that reached their host."""
    return [
        (run.keys.remote_key, run.keys.host_key, run.at_ms)
        for run in runs
        if run.keys.remote_key is not None and run.keys.host_key is not None
        if is_judged(run)
    ]


def _count_in_session(connection: sqlite3.Connection, run: RunRecord, session: int) -> None:
    """Count the run in its session, project and template: kills (KILL-2), failures of usage in a row (MAN-1).

    A success and a failure of another kind end the row; a kill, a timeout and a known normal exit leave it.
    """
    succeeded = run.outcome is Outcome.SUCCESS
    failed = run.outcome is Outcome.FAILURE and not run.neutral
    misused = failed and run.is_usage_failure
    killed = run.outcome is Outcome.KILLED
    connection.execute(
        """INSERT INTO session_template VALUES(?, ?, 1, ?, ?, ?)
        ON CONFLICT DO UPDATE SET runs = runs + 1, succeeded = succeeded + excluded.succeeded,
            killed = killed + excluded.killed, failures_in_row = CASE WHEN ? THEN 0
                ELSE failures_in_row + excluded.failures_in_row END""",
        (
            session,
            key_in(run.keys.template_key, run.scope),
            succeeded,
            killed,
            misused,
            succeeded or (failed and not misused),
        ),
    )


KeysOf = Callable[[str], CommandKeys]


@attrs.frozen
class HistoryRow:
    """One run of another program's history, dated by its end; fields its source lacks are None.

    Its `folder` is where it ran.
    `id` identifies it in that source. `is_segment` marks a pipeline segment that the
    source stores as if it were a run.
    """

    id: str
    command: str
    at_ms: int
    outcome: Outcome | None = None
    exit: int | None = None
    duration_ms: int | None = None
    is_segment: bool = False
    folder: str | None = None


def unix_ms(iso_time: str) -> int:
    """Unix milliseconds of an ISO 8601 time, read as UTC if it has no zone; 0 if it is invalid."""
    try:
        moment = datetime.fromisoformat(iso_time)
    except ValueError:
        return 0
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def import_rows(
    connection: sqlite3.Connection,
    source: str,
    rows: Sequence[HistoryRow],
    *,
    keys_of: KeysOf,
    half_life_ms: float,
) -> int:
    """Import the rows that are new, within the caller's transaction; returns their number.

    What a terminal's hook has told of is none: a history has those runs, too.
    """
    unseen = _unseen(connection, source, [row for row in rows if row.command.strip()])
    new = _not_told_of(connection, unseen, keys_of)
    scopes: dict[str | None, str] = {}
    for folder in {row.folder for row in new if row.folder}:
        scopes[folder] = scope_of(folder)
    runs = [_record(row, source, keys_of, scopes) for row in new if not row.is_segment]
    observations = [
        (
            PatternKey(PatternKind.SEGMENT, keys_of(row.command).identity.template),
            Observation(row.at_ms, row.outcome, row.exit, from_history=True),
        )
        for row in new
        if row.is_segment
    ]
    teach(connection, observations, half_life_ms)
    add_runs(connection, runs, half_life_ms)
    return len(new)


def is_new(connection: sqlite3.Connection, source: str, name: str) -> bool:
    """Mark `name` of that source as imported; True if it was not before."""
    key = key_of(f"{source}\0{name}", b"taken in")
    return bool(connection.execute("INSERT OR IGNORE INTO taken_in VALUES(?)", (key,)).rowcount)


def _unseen(
    connection: sqlite3.Connection, source: str, rows: Sequence[HistoryRow]
) -> list[HistoryRow]:
    """Mark the rows as imported; returns those that were not before."""
    keyed = {key_of(f"{source}\0{row.id}", b"taken in"): row for row in rows}
    found = connection.execute(
        "SELECT key FROM taken_in WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keyed)),),
    )
    for (key,) in found.fetchall():
        del keyed[key]
    connection.executemany("INSERT INTO taken_in VALUES(?)", [(key,) for key in keyed])
    return list(keyed.values())


def _not_told_of(
    connection: sqlite3.Connection, rows: Sequence[HistoryRow], keys_of: KeysOf
) -> list[HistoryRow]:
    """The rows but those that began when a run of the same text did that a terminal told of."""
    terminal = ORIGINS.index(Origin.TERMINAL)
    (first_ms,) = connection.execute(
        "SELECT min(at_ms - coalesce(duration_ms, 0)) FROM run WHERE origin = ?", (terminal,)
    ).fetchone()
    if first_ms is None:
        return list(rows)

    def is_told(row: HistoryRow) -> bool:
        began = row.at_ms - (row.duration_ms or 0)
        if row.is_segment or began < first_ms - SAME_START_MS:
            return False
        found = connection.execute(
            """SELECT 1 FROM run WHERE command = ?1 AND origin = ?2 AND at_ms >= ?3 - ?4
            AND abs(at_ms - coalesce(duration_ms, 0) - ?3) <= ?4 LIMIT 1""",
            (keys_of(row.command).command_key, terminal, began, SAME_START_MS),
        )
        return found.fetchone() is not None

    return [row for row in rows if not is_told(row)]


def _record(
    row: HistoryRow, source: str, keys_of: KeysOf, scopes: Mapping[str | None, str]
) -> RunRecord:
    return RunRecord(
        keys=keys_of(row.command),
        at_ms=row.at_ms,
        session=source,
        origin=Origin.IMPORT,
        outcome=row.outcome,
        exit=row.exit,
        duration_ms=row.duration_ms,
        scope=scopes.get(row.folder),
        folder=row.folder,
    )
