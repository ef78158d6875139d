"""What memory says before a run and after a kill. Only reads: no weight ever changes here (ALAN-5).

However many commands are asked for, it is the same five or six queries.
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
    traces: Sequence[CommandKeys],
    *,
    session: str,
    now_ms: int,
    own: bool = False,
) -> Known:
    """Read what is known of `traces`, in one query for each kind of fact.

    `own` leaves out what runs from elsewhere taught.
    """
    templates = {trace.template_key for trace in traces}
    remotes = {trace.remote_key for trace in traces if trace.remote_key is not None}
    number = _session_number(connection, session)
    window = _Window.of(number, now_ms, own=own)
    return Known(
        reader_of(own=own)(connection, {key for trace in traces for key in trace.keys}),
        _retries(connection, traces, window),
        _latest(connection, templates, window),
        _in_session(connection, templates, number),
        _hosts_of(connection, remotes) if remotes else {},
    )


def reader_of(
    *, own: bool
) -> Callable[[sqlite3.Connection, Collection[int]], dict[int, PatternRow]]:
    """How patterns are read: with what came from elsewhere, or without."""
    return read_own_patterns if own else read_patterns


def _session_number(connection: sqlite3.Connection, name: str) -> int | None:
    row = connection.execute("SELECT id FROM session WHERE name=?", (name,)).fetchone()
    return row[0] if row else None


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
    connection: sqlite3.Connection, traces: Sequence[CommandKeys], window: _Window
) -> Mapping[int, RunCounts]:
    """How often each command ran in the window."""
    commands = json.dumps([trace.command_key for trace in traces])
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
    rows = connection.execute(
        "SELECT remote, hosts FROM ssh_remote WHERE remote IN (SELECT value FROM json_each(?))",
        (json.dumps(list(remotes)),),
    )
    return dict(rows.fetchall())


def past_of(trace: CommandKeys, known: Known) -> CommandHistory:
    """What is known of one command (ALAN-8)."""
    retries = known.retries.get(trace.command_key, NO_RUNS)
    in_session = known.in_session.get(trace.template_key, NOT_IN_SESSION)
    exact = known.patterns.get(trace.command_key) or NEVER_RAN
    return CommandHistory(
        template=trace.identity.template,
        base=trace.identity.base,
        runs=exact.runs,
        retries=retries,
        # Where the command itself has not run, the latest of its template are all of others.
        similar=NO_RUNS if retries.total else known.latest.get(trace.template_key, NO_RUNS),
        streak=exact.streak,
        success_rate=exact.success_rate,
        timeout_rate=exact.timeout_rate,
        mean_duration_s=exact.mean_s,
        failures_in_row=in_session.failures_in_row,
        host=_host_past(trace, known),
        remote=_remote_past(trace, known),
        estimate=estimate_of(trace, known.patterns),
    )


def is_known(trace: CommandKeys, known: Known) -> bool:
    """Whether memory holds anything of the command itself, its template, its host or remote command."""
    specific = (trace.command_key, trace.template_key, trace.host_key, trace.remote_key)
    return any(key in known.patterns for key in specific if key is not None)


def _host_past(trace: CommandKeys, known: Known) -> HostHistory | None:
    if trace.host_key is None or trace.host_key not in known.patterns:
        return None
    pattern = known.patterns[trace.host_key]
    return HostHistory(trace.host or "", pattern.runs, pattern.failed, 1.0 - pattern.success_rate)


def _remote_past(trace: CommandKeys, known: Known) -> RemoteHistory | None:
    if trace.remote_key is None or trace.remote_key not in known.patterns:
        return None
    pattern = known.patterns[trace.remote_key]
    hosts = known.hosts_of.get(pattern.key, 0)
    return RemoteHistory(
        trace.remote or "", pattern.runs, pattern.failed, hosts, pattern.success_rate
    )


def estimate_of(trace: CommandKeys, patterns: Mapping[int, PatternRow]) -> Estimate | None:
    """The exact command's durations where there are enough, else the template's, else the base's."""
    steps = (
        (trace.command_key, MIN_SAMPLES_OF_COMMAND, Basis.COMMAND, trace.identity.template),
        (trace.template_key, MIN_SAMPLES, Basis.TEMPLATE, trace.identity.template),
        (trace.base_key, MIN_SAMPLES, Basis.BASE, trace.identity.base),
    )
    for key, needed, basis, name in steps:
        pattern = patterns.get(key)
        if pattern is not None and ended_in(pattern.ring) >= needed:
            return Estimate(name, curve_of(pattern.ring), basis)
    return None


def kill_past_of(trace: CommandKeys, known: Known) -> KillHistory:
    """Kills of the template, with the one just made.

    The kill is judged by what was known before it: a late kill would otherwise
    raise the very median it is measured against.
    """
    pattern = known.patterns.get(trace.template_key)
    here = known.in_session.get(trace.template_key, NOT_IN_SESSION)
    if pattern is None:
        return KillHistory(trace.identity.template, 0, 0, here.killed, here.runs)
    return KillHistory(
        trace.identity.template,
        int(pattern.counts.killed),
        int(pattern.counts.runs),
        here.killed,
        here.runs,
        _template_estimate(trace, without_newest_if_cut(pattern.ring)),
    )


def _template_estimate(trace: CommandKeys, ring: bytes) -> Estimate | None:
    if ended_in(ring) < MIN_SAMPLES:
        return None
    return Estimate(trace.identity.template, curve_of(ring), Basis.TEMPLATE)
