"""What memory knows of a command before a run and after a kill. Only reads: weights never change (ALAN-5).

The number of queries, five or six, does not depend on the number of commands.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from zsh_ls.alan.store.rows import read_own_patterns, read_patterns
from zsh_ls.alan.store.schema import ELSEWHERE_CODES
from zsh_ls.model.estimate import MIN_SAMPLES, Estimate
from zsh_ls.model.history import CommandHistory, HostHistory, KillHistory, RemoteHistory, RunCounts
from zsh_ls.model.words import Basis

from .keys import CommandKeys
from .pattern import PatternKind, PatternRow, curve_of, ended_in, without_newest_if_cut

RETRY_WINDOW_MS = 15 * 60_000
SIMILAR_COMMANDS = 5
MIN_SAMPLES_OF_COMMAND = 5
SUCCESS = 0


class SessionTemplate(NamedTuple):
    """A template's counts in one session."""

    runs: int = 0
    killed: int = 0
    failures_in_row: int = 0


NOT_IN_SESSION = SessionTemplate()
NEVER_RAN = PatternRow(0, PatternKind.COMMAND, "", 0)
NO_RUNS = RunCounts()


@attrs.frozen
class Known:
    """Everything that was read for a set of commands."""

    patterns: Mapping[int, PatternRow]
    retries: Mapping[int, RunCounts]
    latest: Mapping[int, RunCounts]
    in_session: Mapping[int, SessionTemplate]
    hosts_of: Mapping[int, int]


def read_known(
    connection: sqlite3.Connection,
    all_keys: Sequence[CommandKeys],
    *,
    session: str,
    now_ms: int,
    own: bool = False,
) -> Known:
    """Read what is known of the commands `all_keys`, in one query for each kind of fact.

    `own` leaves out runs from elsewhere (`Origin.is_elsewhere`).
    """
    templates = {keys.template_key for keys in all_keys}
    remotes = {keys.remote_key for keys in all_keys if keys.remote_key is not None}
    row = connection.execute("SELECT id FROM session WHERE name=?", (session,)).fetchone()
    number = row[0] if row else None
    window = _Window.of(number, now_ms, own=own)
    return Known(
        reader_of(own=own)(connection, {key for keys in all_keys for key in keys.all}),
        _retries(connection, all_keys, window),
        _latest(connection, templates, window),
        _in_session(connection, templates, number),
        _hosts_of(connection, remotes) if remotes else {},
    )


def reader_of(
    *, own: bool
) -> Callable[[sqlite3.Connection, Collection[int]], dict[int, PatternRow]]:
    """The function that reads patterns with runs from elsewhere, or with `own` without."""
    return read_own_patterns if own else read_patterns


class _Window(NamedTuple):
    """The runs of one session since the window began, as a condition and its parameters."""

    sql: str
    parameters: tuple[int | None, ...]

    @classmethod
    def of(cls, session: int | None, now_ms: int, *, own: bool) -> _Window:
        only_own = f"AND origin NOT IN ({ELSEWHERE_CODES})" if own else ""
        condition = f"session = ? AND at_ms >= ? AND neutral = 0 {only_own}"
        return cls(condition, (session, now_ms - RETRY_WINDOW_MS))


def _retries(
    connection: sqlite3.Connection, all_keys: Sequence[CommandKeys], window: _Window
) -> Mapping[int, RunCounts]:
    """How often each command ran in the window."""
    commands = json.dumps([keys.command_key for keys in all_keys])
    rows = connection.execute(
        f"""SELECT command, sum(outcome IS {SUCCESS}), count(*) FROM run
        WHERE {window.sql} AND command IN (SELECT value FROM json_each(?)) GROUP BY command""",
        (*window.parameters, commands),
    )
    return {command: RunCounts(*counts) for command, *counts in rows}


def _latest(
    connection: sqlite3.Connection, templates: Iterable[int], window: _Window
) -> Mapping[int, RunCounts]:
    """Each template's few latest runs in the window, whatever their command."""
    # Counted by SQLite: all runs of a busy template's window are many rows for Python. The
    # index is named because it has the order, of which only a few rows are read.
    rows = connection.execute(
        f"""SELECT value, (SELECT json_array(total(outcome IS {SUCCESS}), count(*)) FROM
            (SELECT outcome FROM run INDEXED BY run_template WHERE template = value AND {window.sql}
            ORDER BY at_ms DESC, id DESC LIMIT {SIMILAR_COMMANDS}))
        FROM json_each(?)""",
        (*window.parameters, json.dumps(list(templates))),
    )
    return {template: RunCounts(*map(int, json.loads(counts))) for template, counts in rows}


def _in_session(
    connection: sqlite3.Connection, templates: Iterable[int], session: int | None
) -> Mapping[int, SessionTemplate]:
    rows = connection.execute(
        """SELECT template, runs, killed, failures_in_row FROM session_template
        WHERE session = ? AND template IN (SELECT value FROM json_each(?))""",
        (session, json.dumps(list(templates))),
    )
    return {template: SessionTemplate(*counts) for template, *counts in rows}


def _hosts_of(connection: sqlite3.Connection, remotes: Iterable[int]) -> Mapping[int, int]:
    # A trigger counts the pairs as they come: counting a fleet of thousands takes too long here.
    rows = connection.execute(
        "SELECT remote, hosts FROM ssh_remote WHERE remote IN (SELECT value FROM json_each(?))",
        (json.dumps(list(remotes)),),
    )
    return dict(rows.fetchall())


def past_of(keys: CommandKeys, known: Known) -> CommandHistory:
    """What is known of one command (ALAN-8)."""
    retries = known.retries.get(keys.command_key, NO_RUNS)
    in_session = known.in_session.get(keys.template_key, NOT_IN_SESSION)
    exact = known.patterns.get(keys.command_key) or NEVER_RAN
    return CommandHistory(
        template=keys.identity.template,
        base=keys.identity.base,
        runs=exact.runs,
        retries=retries,
        # Only if the command itself did not run are the template's latest runs all of other commands.
        similar=NO_RUNS if retries.total else known.latest.get(keys.template_key, NO_RUNS),
        streak=exact.streak,
        success_rate=exact.success_rate,
        timeout_rate=exact.timeout_rate,
        mean_duration_s=exact.mean_s,
        failures_in_row=in_session.failures_in_row,
        host=_host_history(keys, known),
        remote=_remote_history(keys, known),
        estimate=estimate_of(keys, known.patterns),
    )


def is_known(keys: CommandKeys, known: Known) -> bool:
    """Whether memory knows the command, its template, its ssh host or its remote command."""
    specific = (keys.command_key, keys.template_key, keys.host_key, keys.remote_key)
    return any(key in known.patterns for key in specific if key is not None)


def _host_history(keys: CommandKeys, known: Known) -> HostHistory | None:
    if keys.host_key is None or keys.host_key not in known.patterns:
        return None
    pattern = known.patterns[keys.host_key]
    return HostHistory(keys.host or "", pattern.runs, pattern.failed, 1.0 - pattern.success_rate)


def _remote_history(keys: CommandKeys, known: Known) -> RemoteHistory | None:
    if keys.remote_key is None or keys.remote_key not in known.patterns:
        return None
    pattern = known.patterns[keys.remote_key]
    hosts = known.hosts_of.get(pattern.key, 0)
    return RemoteHistory(
        keys.remote or "", pattern.runs, pattern.failed, hosts, pattern.success_rate
    )


def estimate_of(keys: CommandKeys, patterns: Mapping[int, PatternRow]) -> Estimate | None:
    """The exact command's durations where there are enough, else the template's, else the base's."""
    steps = (
        (keys.command_key, MIN_SAMPLES_OF_COMMAND, Basis.COMMAND, keys.identity.template),
        (keys.template_key, MIN_SAMPLES, Basis.TEMPLATE, keys.identity.template),
        (keys.base_key, MIN_SAMPLES, Basis.BASE, keys.identity.base),
    )
    for key, needed, basis, name in steps:
        pattern = patterns.get(key)
        if pattern is not None and ended_in(pattern.ring) >= needed:
            return Estimate(name, curve_of(pattern.ring), basis)
    return None


def kill_past_of(keys: CommandKeys, known: Known) -> KillHistory:
    """Kills of the template, the latest included.

    The estimate is the one from before that kill: a late kill would otherwise raise
    the median that it is compared with.
    """
    pattern = known.patterns.get(keys.template_key)
    here = known.in_session.get(keys.template_key, NOT_IN_SESSION)
    if pattern is None:
        return KillHistory(keys.identity.template, 0, 0, here.killed, here.runs)
    ring, estimate = without_newest_if_cut(pattern.ring), None
    if ended_in(ring) >= MIN_SAMPLES:
        estimate = Estimate(keys.identity.template, curve_of(ring), Basis.TEMPLATE)
    return KillHistory(
        keys.identity.template,
        int(pattern.counts.killed),
        int(pattern.counts.runs),
        here.killed,
        here.runs,
        estimate,
    )
