"""The figures of `zsh/stats`, about a command and about memory as a whole. Only reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from zsh_ls.alan.store.rows import ALL, PROJECT, PatternReader, read_patterns, reading, twin_of
from zsh_ls.alan.store.schema import ORIGINS, OUTCOMES
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.history import MIN_RUNS_HERE
from zsh_ls.model.reports import (
    CommandStats,
    Durations,
    HotPattern,
    MemoryStats,
    RecentRun,
    SessionStats,
    SshStats,
)
from zsh_ls.model.words import Basis, Scope
from zsh_ls.shell.template.identity import NOT_KEPT

from .keys import CommandKeys, PatternKey, key_in
from .pattern import PatternKind, PatternRow, curve_of, ended_in

# As many as a terminal has room to draw.
RECENT_RUNS = 60
HOT_PATTERNS = 10
HOT_CANDIDATES = 200
RATE_DIGITS = 3
# Of the project whose folder is the second parameter, of all if that is NULL.
_IN_PLACE = "(?2 IS NULL OR project = (SELECT id FROM place WHERE path = ?2))"


def command_stats(
    connection: sqlite3.Connection,
    keys: CommandKeys,
    *,
    scope: str | None = None,
    own: bool = False,
) -> CommandStats:
    """Runs, rates and durations of the command's template, and the streak of its hash.

    They are those of the project `scope` where the template has MIN_RUNS_HERE runs there,
    else those of everywhere; the streak is the project's. For a command that only ran as a
    segment of pipelines, the figures of that segment. `own` leaves out runs from elsewhere
    (`Origin.is_elsewhere`).
    """
    segment = PatternKey(PatternKind.SEGMENT, keys.identity.template).key
    reader = PatternReader(connection)
    patterns = reader.read([*keys.all, segment], ALL, own=own)
    pattern, table = patterns.get(keys.template_key) or patterns.get(segment), ALL
    exact = patterns.get(keys.command_key)
    if scope is not None:
        places = {key: key_in(key, scope) for key in (keys.command_key, keys.template_key, segment)}
        here = reader.read(list(places.values()), PROJECT, own=own)
        found = here.get(places[keys.template_key]) or here.get(places[segment])
        exact = here.get(places[keys.command_key])
        if found is not None and found.runs >= MIN_RUNS_HERE:
            pattern, table = found, PROJECT
    host = patterns.get(keys.host_key) if keys.host_key is not None else None
    durations = Durations(None, None, 0)
    if pattern and (samples := ended_in(pattern.ring)):
        estimate = Estimate("", curve_of(pattern.ring), Basis.TEMPLATE)
        durations = Durations(round(estimate.median_s, 1), round(estimate.p90_s, 1), samples)
    return CommandStats(
        known=pattern is not None,
        command_template=keys.told(keys.identity.template),
        runs=int(pattern.counts.runs) if pattern else 0,
        success_rate=_rounded(pattern.success_rate if pattern else 0.0),
        timeout_rate=_rounded(pattern.timeout_rate if pattern else 0.0),
        kill_rate=_rounded(pattern.kill_rate if pattern else 0.0),
        streak=exact.streak if exact else 0,
        durations=durations,
        recent=_recent(connection, keys, scope if table == PROJECT else None),
        ssh=_ssh_stats(keys, host) if host else None,
        runs_elsewhere=0
        if own or pattern is None
        else elsewhere_of(connection, [pattern], table)[0],
        scope=Scope.PROJECT if table == PROJECT else Scope.EVERYWHERE,
    )


def _ssh_stats(keys: CommandKeys, host: PatternRow) -> SshStats:
    remote = keys.told(keys.remote) if keys.remote else None
    return SshStats(keys.told(keys.host or ""), host.runs, host.failed, remote)


def elsewhere_of(
    connection: sqlite3.Connection, patterns: Sequence[PatternRow], table: str = ALL
) -> list[int]:
    """How many runs of each pattern of a table came from terminals or imports."""
    twins = read_patterns(connection, [pattern.key for pattern in patterns], twin_of(table))
    return [
        int(pattern.counts.runs - twins[pattern.key].counts.runs) if pattern.key in twins else 0
        for pattern in patterns
    ]


def _rounded(rate: float) -> float:
    return round(rate, RATE_DIGITS)


@reading("the latest runs of the log")
def _recent(
    connection: sqlite3.Connection, keys: CommandKeys, scope: str | None
) -> tuple[RecentRun, ...]:
    rows = connection.execute(
        f"""SELECT preview, outcome, exit, duration_ms, at_ms, origin FROM run
        WHERE template = ?1 AND {_IN_PLACE} ORDER BY at_ms DESC LIMIT ?3""",
        (keys.template_key, scope, RECENT_RUNS),
    )
    return tuple(
        RecentRun(
            command=NOT_KEPT if preview is None else preview,
            outcome="" if outcome is None else OUTCOMES[outcome].value,
            exit=exit_status,
            duration_s=(duration_ms or 0) / 1000,
            at=at_ms / 1000,
            origin=ORIGINS[origin].value,
        )
        for preview, outcome, exit_status, duration_ms, at_ms, origin in rows
    )


def memory_stats(
    connection: sqlite3.Connection,
    session: str,
    *,
    now_ms: int,
    half_life_ms: float,
    scope: str | None = None,
) -> MemoryStats:
    """How many runs are remembered, since when, and which templates run most; in `scope`, or in all."""
    log = _log(connection, scope)
    return MemoryStats(
        observations=sum(log.outcomes.values()),
        templates=_templates(connection, scope),
        oldest=log.oldest,
        newest=log.newest,
        session=_session(connection, session),
        hot_patterns=_hot_patterns(connection, now_ms, half_life_ms, scope),
        outcomes={word.value: log.outcomes.get(code, 0) for code, word in enumerate(OUTCOMES)},
    )


def observations(connection: sqlite3.Connection) -> int:
    """How many runs the log holds."""
    return _count(connection, "SELECT count(*) FROM run")


def _templates(connection: sqlite3.Connection, scope: str | None) -> int:
    if scope is None:
        return _count(connection, "SELECT count(*) FROM pattern WHERE kind = 1")
    (count,) = connection.execute(
        f"SELECT count(*) FROM project_pattern WHERE kind = ?1 AND {_IN_PLACE}",
        (PatternKind.TEMPLATE.value, scope),
    ).fetchone()
    return int(count)


def _count(connection: sqlite3.Connection, query: str) -> int:
    (count,) = connection.execute(query).fetchone()
    return int(count)


def _session(connection: sqlite3.Connection, name: str) -> SessionStats:
    runs, succeeded = connection.execute(
        """SELECT coalesce(sum(runs), 0), coalesce(sum(succeeded), 0) FROM session_template
        WHERE session = (SELECT id FROM session WHERE name = ?)""",
        (name,),
    ).fetchone()
    return SessionStats(name, runs, succeeded)


def _hot_patterns(
    connection: sqlite3.Connection, now_ms: int, half_life_ms: float, scope: str | None
) -> tuple[HotPattern, ...]:
    """The templates of highest weight at `now_ms`, which prefers recent runs."""
    table = ALL if scope is None else PROJECT
    # Literals, because an index is of templates alone, and only used where the query says so.
    here = "" if scope is None else "AND project = (SELECT id FROM place WHERE path = ?2)"
    rows = connection.execute(
        f"""SELECT key FROM {table} WHERE kind = 1 AND w_runs > 0 AND text <> '' {here}
        ORDER BY w_runs DESC LIMIT ?1""",
        (HOT_CANDIDATES,) if scope is None else (HOT_CANDIDATES, scope),
    )
    candidates = read_patterns(connection, [key for (key,) in rows.fetchall()], table).values()

    def rank(pattern: PatternRow) -> tuple[float, str]:
        weight = pattern.weights.runs * float(0.5 ** ((now_ms - pattern.at_ms) / half_life_ms))
        # Keys are digests, in a project of its folder too: their order would differ by machine.
        return -weight, pattern.text

    return tuple(
        HotPattern(pattern.text, pattern.runs, _rounded(pattern.success_rate))
        for pattern in sorted(candidates, key=rank)[:HOT_PATTERNS]
    )


class _Log(NamedTuple):
    outcomes: dict[int | None, int]
    oldest: float | None
    newest: float | None


@reading("the log")
def _log(connection: sqlite3.Connection, scope: str | None) -> _Log:
    """Counts by outcome code, and the oldest and newest time in Unix seconds."""
    rows = connection.execute(
        """SELECT outcome, count(*), min(at_ms), max(at_ms) FROM run
        WHERE ?1 IS NULL OR project = (SELECT id FROM place WHERE path = ?1) GROUP BY outcome""",
        (scope,),
    ).fetchall()
    if not rows:
        return _Log({}, None, None)
    outcomes = {outcome: count for outcome, count, _, _ in rows}
    oldest, newest = min(row[2] for row in rows), max(row[3] for row in rows)
    return _Log(outcomes, oldest / 1000, newest / 1000)
