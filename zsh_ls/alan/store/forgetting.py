"""Removes runs from memory together with what was learnt from them.

A pattern's counts and weights are sums, so what a command or a run added to them
is subtracted exactly, and its durations are removed from the rings. The ids of
imported rows stay known, so that the next import does not bring them back.
Everything runs within the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from zsh_ls.alan.compat import ancestor
from zsh_ls.alan.learning.keys import (
    PREVIEW_LENGTH,
    CommandKeys,
    PatternKey,
    key_in,
    scoped,
)
from zsh_ls.alan.learning.observations import RunRecord, observations_of
from zsh_ls.alan.learning.pattern import (
    Observation,
    OutcomeCounts,
    PatternKind,
    PatternRow,
    without_samples,
)
from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.histogram import code_of

from .retention import PLACE_IS_UNUSED
from .rows import (
    ALL,
    OWN,
    OWN_PROJECT,
    PROJECT,
    delete_patterns,
    find_place,
    read_patterns,
    reading,
    twin_of,
    write_patterns,
)
from .schema import ORIGINS, OUTCOMES, is_shared
from .team import NO_DURATION, after_deletion, kind_of, take_back, take_back_run

KeysOf = Callable[[str], CommandKeys]
_COLUMNS = """id, at_ms, session, template, command, outcome, neutral, exit, duration_ms,
    pipestatus, preview, origin, hiding, (SELECT path FROM place WHERE place.id = run.project)"""
_ASIDE = {PatternKind.SEGMENT, PatternKind.HOST, PatternKind.REMOTE}
_TABLES = (
    "run",
    "line",
    "test",
    "pattern",
    "own_pattern",
    "project_pattern",
    "own_project_pattern",
    "project_circuit",
    "place",
    "session_template",
    "session",
    "ssh_pair",
    "ssh_remote",
    "circuit",
    "taken_in",
    "manopt_cache",
    "start_line",
)


class _ForgottenRow(NamedTuple):
    id: int
    at_ms: int
    session: int
    template: int
    command: int
    outcome: int | None
    neutral: int
    exit: int | None
    duration_ms: int | None
    pipestatus: str | None
    preview: str | None
    origin: int
    hiding: int
    scope: str | None

    @property
    @reading("a run of the log")
    def observation(self) -> Observation:
        """The observation that the run added to its command and its template."""
        outcome = None if self.outcome is None else OUTCOMES[self.outcome]
        elsewhere = ORIGINS[self.origin].is_elsewhere
        return Observation(
            self.at_ms,
            outcome,
            self.exit,
            self.duration_ms,
            neutral=bool(self.neutral),
            hiding=bool(self.hiding),
            elsewhere=elsewhere,
        )

    @reading("a run of the log")
    def record(self, keys: CommandKeys) -> RunRecord:
        """The run as it was recorded."""
        return RunRecord(
            keys=keys,
            at_ms=self.at_ms,
            session="",
            origin=ORIGINS[self.origin],
            outcome=self.observation.outcome,
            exit=self.exit,
            pipestatus=tuple(map(int, (self.pipestatus or "").split())),
            duration_ms=self.duration_ms,
            scope=self.scope,
        )


def forget_all(connection: sqlite3.Connection) -> int:
    """Empty memory; returns how many runs its log held."""
    take_back(connection)
    forgotten = connection.execute("DELETE FROM run").rowcount
    after_deletion(connection)
    shared = ancestor.AGREED_TABLES if is_shared(connection) else ()
    for table in (*_TABLES, *shared):
        connection.execute(f"DELETE FROM {table}")
    return forgotten


def forget_command(
    connection: sqlite3.Connection, keys: CommandKeys, *, keys_of: KeysOf, half_life_ms: float
) -> int:
    """Forget all runs of the command's hash, in all projects; returns how many were counted."""
    exact = read_patterns(connection, [keys.command_key]).get(keys.command_key)
    if exact is None:
        return 0
    _forget_hash(connection, keys, None, half_life_ms)
    for (path,) in connection.execute("SELECT path FROM place").fetchall():
        _forget_hash(connection, keys, path, half_life_ms)
    for table in (ALL, OWN, PROJECT, OWN_PROJECT):
        connection.execute(
            f"DELETE FROM {table} WHERE kind = ? AND text = ?",
            (PatternKind.EXACT.value, keys.identity.hash),
        )
    connection.execute("DELETE FROM line WHERE command = ?", (keys.command_key,))
    connection.execute("DELETE FROM test WHERE command = ?", (keys.command_key,))
    take_back(connection, "command = ?", keys.command_key)
    logged = _logged(connection, "command = ?", keys.command_key)
    taught = [item for run in logged for item in observations_of(run.record(keys))]
    _unteach(connection, [item for item in taught if item[0].kind in _ASIDE], half_life_ms)
    _drop_runs(connection, logged)
    if is_shared(connection):
        ancestor.forget(connection, lambda text: keys_of(text).command_key == keys.command_key)
    return int(exact.counts.runs) + exact.unjudged


def _forget_hash(
    connection: sqlite3.Connection, keys: CommandKeys, scope: str | None, half_life_ms: float
) -> None:
    """Forget a command's hash in a project, or everywhere, and what it added to wider patterns."""
    table = ALL if scope is None else PROJECT
    own_table = twin_of(table)
    command, *wider = (
        key_in(key, scope) for key in (keys.command_key, keys.template_key, keys.base_key)
    )
    patterns = read_patterns(connection, (command, *wider), table)
    if command not in patterns:
        return
    exact = patterns[command]
    left = [_without(patterns[key], exact, half_life_ms) for key in wider if key in patterns]
    _store(connection, left, table)
    twins = read_patterns(connection, (command, *wider), own_table)
    own = twins.get(command, exact)
    own_left = [_without(twins[key], own, half_life_ms) for key in wider if key in twins]
    write_patterns(connection, own_left, own_table)
    delete_patterns(connection, [command], table)
    connection.execute("DELETE FROM project_circuit WHERE command = ?", (command,))


def forget_since(
    connection: sqlite3.Connection, at_ms: int, *, keys_of: KeysOf, half_life_ms: float
) -> int:
    """Forget the logged runs that ended at `at_ms` (Unix milliseconds) or later; returns their number."""
    connection.execute("DELETE FROM line WHERE at_ms >= ? AND first_ms >= ?", (at_ms, at_ms))
    connection.execute("DELETE FROM start_line WHERE at_ms >= ?", (at_ms,))
    connection.execute("DELETE FROM test WHERE at_ms >= ?", (at_ms,))
    # Of a line that was run before as well nothing but that is left.
    connection.execute(
        """UPDATE line SET at_ms = first_ms, outcome = NULL, exit = NULL, duration_ms = NULL,
        runs = 1 WHERE at_ms >= ?""",
        (at_ms,),
    )
    logged = _logged(connection, "at_ms >= ?", at_ms)
    taught = [item for run in logged for item in _taught(run, keys_of)]
    _unteach(connection, taught, half_life_ms)
    for run in logged:
        _take_back(connection, run)
    _drop_runs(connection, logged)
    _recount_streaks(connection, {(run.template, run.command, run.scope) for run in logged})
    if is_shared(connection):
        ancestor.forget_since(connection, at_ms)
    return len(logged)


def forget_project(
    connection: sqlite3.Connection, path: str, *, keys_of: KeysOf, half_life_ms: float
) -> int:
    """Forget what ran in a project, with its folders; returns how many runs of the log that were."""
    project = find_place(connection, path)
    if project is None:
        return 0
    connection.execute("DELETE FROM line WHERE project = ?", (project,))
    connection.execute("DELETE FROM test WHERE project = ?", (project,))
    take_back(connection, "place = ?", project)
    logged = _logged(connection, "project = ?", project)
    # What is learnt of exact texts, hosts and remote commands is known by the log alone.
    taught = [item for run in logged for item in _taught(run, keys_of)]
    by_log = {*_ASIDE, PatternKind.EXACT} - {PatternKind.SEGMENT}
    of_log = [
        item
        for item in taught
        if isinstance(item[0], PatternKey) and item[0].kind in by_log and item[0].scope is None
    ]
    _unteach(connection, of_log, half_life_ms)
    for table, whole in ((PROJECT, ALL), (OWN_PROJECT, OWN)):
        rows = connection.execute(
            f"SELECT key FROM {table} WHERE project = ? AND text <> '' AND kind <= ?",
            (project, PatternKind.SEGMENT.value),
        ).fetchall()
        parts = read_patterns(connection, [key for (key,) in rows], table).values()
        keys = {PatternKey(part.kind, part.text).key: part for part in parts}
        known = read_patterns(connection, keys, whole)
        left = [_without(it, keys[key], half_life_ms) for key, it in known.items()]
        if whole == ALL:
            _store(connection, left, ALL)
        else:
            write_patterns(connection, left, OWN)
    _drop_runs(connection, logged)
    for table in (PROJECT, OWN_PROJECT, "project_circuit"):
        connection.execute(f"DELETE FROM {table} WHERE project = ?", (project,))
    _recount_streaks(connection, {(run.template, run.command, None) for run in logged})
    connection.execute(f"DELETE FROM place WHERE {PLACE_IS_UNUSED}")
    return len(logged)


def _logged(connection: sqlite3.Connection, where: str, value: int) -> list[_ForgottenRow]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM run WHERE {where}", (value,))
    return [_ForgottenRow._make(row) for row in rows]


class _Target(NamedTuple):
    """A pattern that is known by its key alone."""

    key: int
    scope: str | None


Taught = tuple[PatternKey | _Target, Observation]


def _taught(run: _ForgottenRow, keys_of: KeysOf) -> Iterable[Taught]:
    """The run's observations: all if its whole text is stored, else those of its command and template."""
    if run.preview is not None and len(run.preview) < PREVIEW_LENGTH:
        keys = keys_of(run.preview)
        if keys.command_key == run.command:
            return observations_of(run.record(keys))
    everywhere = (run.command, run.template)
    targets = [_Target(key, None) for key in everywhere]
    if run.scope is not None:
        targets += [_Target(scoped(key, run.scope), run.scope) for key in everywhere]
    return [(target, run.observation) for target in targets]


def _unteach(
    connection: sqlite3.Connection,
    observations: Sequence[Taught],
    half_life_ms: float,
) -> None:
    for table in (ALL, PROJECT):
        there = [it for it in observations if (it[0].scope is None) == (table == ALL)]
        _unteach_in(connection, there, half_life_ms, table)


def _unteach_in(
    connection: sqlite3.Connection, observations: Sequence[Taught], half_life_ms: float, table: str
) -> None:
    keys = [target.key for target, _ in observations]
    patterns = read_patterns(connection, keys, table)
    twins = read_patterns(connection, keys, twin_of(table))
    for key, (_, observation) in zip(keys, observations, strict=True):
        taught = PatternRow(key, PatternKind.COMMAND, "", observation.at_ms).after(
            observation, half_life_ms
        )
        for learnt in (patterns,) if observation.elsewhere else (patterns, twins):
            if key in learnt:
                learnt[key] = _without(learnt[key], taught, half_life_ms)
    write_patterns(connection, twins.values(), twin_of(table))
    _store(connection, patterns.values(), table)


def _without(whole: PatternRow, part: PatternRow, half_life_ms: float) -> PatternRow:
    """`whole` without the runs that `part` counts."""
    faded = 0.5 ** ((whole.at_ms - part.at_ms) / half_life_ms)
    counts = whole.counts.plus(part.counts, times=-1)
    weights = whole.weights.plus(part.weights, times=-faded)
    return attrs.evolve(
        whole,
        counts=counts,
        weights=OutcomeCounts(*(max(0.0, weight) for weight in weights)),
        unjudged=whole.unjudged - part.unjudged,
        total_ms=whole.total_ms - part.total_ms,
        samples=whole.samples - part.samples,
        ring=without_samples(whole.ring, part.ring),
    )


def _store(connection: sqlite3.Connection, patterns: Iterable[PatternRow], table: str) -> None:
    """Write patterns of a table, and delete those that have no run left."""
    write_patterns(connection, [it for it in patterns if not it.is_empty], table)
    gone = [it.key for it in patterns if it.is_empty]
    delete_patterns(connection, gone, table)
    connection.executemany("DELETE FROM ssh_pair WHERE host = ?", [(key,) for key in gone])


def _drop_runs(connection: sqlite3.Connection, runs: Sequence[_ForgottenRow]) -> None:
    in_row = _in_rows_of_usage(connection, runs)
    connection.executemany("DELETE FROM run WHERE id = ?", [(run.id,) for run in runs])
    after_deletion(connection)
    connection.executemany(
        """UPDATE session_template SET runs = max(0, runs - 1),
            succeeded = max(0, succeeded - ?), killed = max(0, killed - ?),
            failures_in_row = max(0, failures_in_row - ?)
        WHERE session = ? AND template = ?""",
        [
            (
                run.outcome == 0,
                run.outcome == 3,
                run.id in in_row,
                run.session,
                key_in(run.template, run.scope),
            )
            for run in runs
        ],
    )


def _take_back(connection: sqlite3.Connection, run: _ForgottenRow) -> None:
    """Let what the run gave to the team be taken out there (TEAM-3)."""
    place = None if run.scope is None else find_place(connection, run.scope)
    outcome = run.observation.outcome
    if place is None or outcome is None:
        return
    neutral = bool(run.neutral)
    kind = kind_of(outcome, neutral=neutral, hiding=bool(run.hiding))
    code = NO_DURATION
    if run.duration_ms is not None:
        code = code_of(run.duration_ms, outcome, neutral=neutral)
    take_back_run(connection, run.id, place, run.command, kind=kind, code=code)


def _in_rows_of_usage(connection: sqlite3.Connection, runs: Sequence[_ForgottenRow]) -> set[int]:
    """The ids of runs that the rows of failures of usage count (MAN-1).

    The log does not say which failure was one of usage. But any other ends the row, so that a row of
    two is the last two failures of its template in its session and project.
    """
    found: set[int] = set()
    for session, template, scope in {(run.session, run.template, run.scope) for run in runs}:
        row = connection.execute(
            "SELECT failures_in_row FROM session_template WHERE session = ? AND template = ?",
            (session, key_in(template, scope)),
        ).fetchone()
        project = None if scope is None else find_place(connection, scope)
        failures = connection.execute(
            """SELECT id FROM run WHERE session = ? AND template = ? AND project IS ?
                AND outcome = 1 AND neutral = 0 ORDER BY at_ms DESC, id DESC LIMIT ?""",
            (session, template, project, row[0] if row else 0),
        )
        found.update(key for (key,) in failures)
    return found


def _recount_streaks(
    connection: sqlite3.Connection, commands: Iterable[tuple[int, int, str | None]]
) -> None:
    """Compute the streaks of commands (template, command key and project) again from the log."""
    for template, command, scope in commands:
        rows = connection.execute(
            """SELECT outcome, origin, hiding, place.path FROM run
                LEFT JOIN place ON place.id = run.project WHERE template = ? AND command = ?
                AND neutral = 0 AND outcome IS NOT NULL ORDER BY at_ms, run.id""",
            (template, command),
        ).fetchall()
        for path in {None, scope}:
            logged = [row for row in rows if path is None or row[3] == path]
            own = [row for row in logged if not ORIGINS[row[1]].is_elsewhere]
            table = ALL if path is None else PROJECT
            for name, kept in ((table, logged), (twin_of(table), own)):
                streak, sound = 0, 0
                for outcome, _, hiding, _ in kept:
                    streak = max(streak, 0) + 1 if outcome == 0 else min(streak, 0) - 1
                    sound = sound + 1 if outcome == 0 and not hiding else 0
                connection.execute(
                    f"UPDATE {name} SET streak = ?, sound = ? WHERE key = ?",
                    (streak, sound, key_in(command, path)),
                )
