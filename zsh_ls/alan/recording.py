"""How runs change memory: their rows in the log, and what they teach their patterns.

Everything here happens within the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

import attrs

from zsh_ls.model.words import Outcome

from .keys import PatternKey
from .observations import RunRecord, is_judged, observations_of
from .pattern import Observation, PatternRow
from .rows import OWN, read_patterns, write_patterns
from .schema import ORIGINS, OUTCOMES

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
