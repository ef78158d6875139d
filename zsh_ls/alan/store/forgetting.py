"""Removes runs from memory together with what was learnt from them.

A pattern's counts and weights are sums, so what a command or a run added to them
is subtracted exactly, and its durations are removed from the rings. The ids of
imported rows stay known, so that the next import does not bring them back.
Everything runs within the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import attrs

from zsh_ls.alan.compat import ancestor
from zsh_ls.alan.learning.keys import PREVIEW_LENGTH, CommandKeys, PatternKey
from zsh_ls.alan.learning.observations import RunRecord, observations_of
from zsh_ls.alan.learning.pattern import (
    Observation,
    OutcomeCounts,
    PatternKind,
    PatternRow,
    without_samples,
)

from .rows import ALL, OWN, delete_patterns, read_patterns, reading, write_patterns
from .schema import ORIGINS, OUTCOMES

KeysOf = Callable[[str], CommandKeys]
_COLUMNS = """id, at_ms, session, template, command, outcome, neutral, exit, duration_ms,
    pipestatus, preview, origin"""
_TABLES = (
    "run",
    "pattern",
    "own_pattern",
    "session_template",
    "session",
    "ssh_pair",
    "ssh_remote",
    "circuit",
    "taken_in",
    "manopt_cache",
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

    @property
    @reading("a run of the log")
    def observation(self) -> Observation:
        """The observation that the run added to its command and its template."""
        outcome = None if self.outcome is None else OUTCOMES[self.outcome]
        elsewhere = ORIGINS[self.origin].is_elsewhere
        return Observation(self.at_ms, outcome, self.exit, self.duration_ms, elsewhere=elsewhere)

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
        )


def forget_all(connection: sqlite3.Connection) -> int:
    """Empty memory; returns how many runs its log held."""
    forgotten = connection.execute("DELETE FROM run").rowcount
    shared = ancestor.AGREED_TABLES if ancestor.is_shared(connection) else ()
    for table in (*_TABLES, *shared):
        connection.execute(f"DELETE FROM {table}")
    return forgotten


def forget_command(
    connection: sqlite3.Connection, keys: CommandKeys, *, keys_of: KeysOf, half_life_ms: float
) -> int:
    """Forget all runs of the command's hash; returns how many were counted."""
    patterns = read_patterns(connection, keys.all)
    exact = patterns.get(keys.command_key)
    if exact is None:
        return 0
    wider = [key for key in (keys.template_key, keys.base_key) if key in patterns]
    _store(connection, [_without(patterns[key], exact, half_life_ms) for key in wider])
    twins = read_patterns(connection, keys.all, OWN)
    own = twins.get(keys.command_key, exact)
    left = [_without(twins[key], own, half_life_ms) for key in wider if key in twins]
    write_patterns(connection, left, OWN)
    logged = _logged(connection, "command = ?", keys.command_key)
    aside = {PatternKind.SEGMENT, PatternKind.HOST, PatternKind.REMOTE}
    taught = [item for run in logged for item in observations_of(run.record(keys))]
    _unteach(connection, [item for item in taught if item[0].kind in aside], half_life_ms)
    _drop_runs(connection, logged)
    delete_patterns(connection, [keys.command_key])
    connection.execute("DELETE FROM circuit WHERE command = ?", (keys.command_key,))
    if ancestor.is_shared(connection):
        ancestor.forget(connection, lambda text: keys_of(text).command_key == keys.command_key)
    return int(exact.counts.runs) + exact.unjudged


def forget_since(
    connection: sqlite3.Connection, at_ms: int, *, keys_of: KeysOf, half_life_ms: float
) -> int:
    """Forget the logged runs that ended at `at_ms` (Unix milliseconds) or later; returns their number."""
    logged = _logged(connection, "at_ms >= ?", at_ms)
    taught = [item for run in logged for item in _taught(run, keys_of)]
    _unteach(connection, taught, half_life_ms)
    _drop_runs(connection, logged)
    _recount_streaks(connection, {(run.template, run.command) for run in logged})
    if ancestor.is_shared(connection):
        ancestor.forget_since(connection, at_ms)
    return len(logged)


def _logged(connection: sqlite3.Connection, where: str, value: int) -> list[_ForgottenRow]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM run WHERE {where}", (value,))
    return [_ForgottenRow._make(row) for row in rows]


def _taught(run: _ForgottenRow, keys_of: KeysOf) -> Iterable[tuple[PatternKey | int, Observation]]:
    """The run's observations: all if its whole text is stored, else those of its command and template."""
    if run.preview is not None and len(run.preview) < PREVIEW_LENGTH:
        keys = keys_of(run.preview)
        if keys.command_key == run.command:
            return observations_of(run.record(keys))
    return [(run.command, run.observation), (run.template, run.observation)]


def _unteach(
    connection: sqlite3.Connection,
    observations: Sequence[tuple[PatternKey | int, Observation]],
    half_life_ms: float,
) -> None:
    keys = [
        pattern_key.key if isinstance(pattern_key, PatternKey) else pattern_key
        for pattern_key, _ in observations
    ]
    patterns, twins = read_patterns(connection, keys), read_patterns(connection, keys, OWN)
    for key, (_, observation) in zip(keys, observations, strict=True):
        taught = PatternRow(key, PatternKind.COMMAND, "", observation.at_ms).after(
            observation, half_life_ms
        )
        for learnt in (patterns,) if observation.elsewhere else (patterns, twins):
            if key in learnt:
                learnt[key] = _without(learnt[key], taught, half_life_ms)
    write_patterns(connection, twins.values(), OWN)
    _store(connection, patterns.values())


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


def _store(connection: sqlite3.Connection, patterns: Iterable[PatternRow]) -> None:
    """Write patterns, and delete those that have no run left."""
    write_patterns(connection, [it for it in patterns if not it.is_empty])
    gone = [it.key for it in patterns if it.is_empty]
    delete_patterns(connection, gone)
    connection.executemany("DELETE FROM ssh_pair WHERE host = ?", [(key,) for key in gone])


def _drop_runs(connection: sqlite3.Connection, runs: Sequence[_ForgottenRow]) -> None:
    connection.executemany("DELETE FROM run WHERE id = ?", [(run.id,) for run in runs])
    connection.executemany(
        """UPDATE session_template SET runs = max(0, runs - 1),
            succeeded = max(0, succeeded - ?), killed = max(0, killed - ?),
            failures_in_row = max(0, failures_in_row - ?)
        WHERE session = ? AND template = ?""",
        [
            (
                run.outcome == 0,
                run.outcome == 3,
                run.outcome == 1 and not run.neutral,
                run.session,
                run.template,
            )
            for run in runs
        ],
    )


def _recount_streaks(connection: sqlite3.Connection, commands: Iterable[tuple[int, int]]) -> None:
    """Compute the streaks of commands (pairs of template and command key) again from the log."""
    for template, command in commands:
        rows = connection.execute(
            """SELECT outcome, origin FROM run WHERE template = ? AND command = ? AND neutral = 0
                AND outcome IS NOT NULL ORDER BY at_ms, id""",
            (template, command),
        ).fetchall()
        own = [outcome for outcome, origin in rows if not ORIGINS[origin].is_elsewhere]
        for table, outcomes in ((ALL, [outcome for outcome, _ in rows]), (OWN, own)):
            streak = 0
            for outcome in outcomes:
                streak = max(streak, 0) + 1 if outcome == 0 else min(streak, 0) - 1
            query = f"UPDATE {table} SET streak = ? WHERE key = ?"
            connection.execute(query, (streak, command))
