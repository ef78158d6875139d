"""What memory knows of a command before a run and after a kill. Only reads: weights never change (ALAN-5).

The number of queries, seven or eight, does not depend on the number of commands; `normal_rate`
alone is of one command. What is asked is asked for one project (ALAN-13); durations, and what
a command did elsewhere, also for everywhere.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.alan.store.rows import (
    ALL,
    PROJECT,
    PatternReader,
    find_place,
)
from zsh_ls.alan.store.schema import ELSEWHERE_CODES, OUTCOMES
from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.estimate import MIN_SAMPLES, Estimate
from zsh_ls.model.history import (
    CommandHistory,
    HostHistory,
    KillHistory,
    Rates,
    RemoteHistory,
    RunCounts,
)
from zsh_ls.model.words import Basis, Outcome, Scope

from .keys import CommandKeys, scoped
from .pattern import PatternKind, PatternRow, curve_of, samples_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.team import TeamFigure


RETRY_WINDOW_MS = 15 * 60_000
SIMILAR_COMMANDS = 5
MIN_SAMPLES_OF_COMMAND = 5
FEW_COMMANDS = 10
SUCCESS = OUTCOMES.index(Outcome.SUCCESS)


class Retries(NamedTuple):
    """Runs of a command in the window, the beginnings of their texts, and when the latest ended."""

    counts: RunCounts = RunCounts()
    previews: frozenset[str | None] = frozenset()
    latest_ms: int = 0


class SessionTemplate(NamedTuple):
    """A template's counts in one session."""

    runs: int = 0
    killed: int = 0
    failures_in_row: int = 0


NOT_IN_SESSION = SessionTemplate()
NEVER_RAN = PatternRow(0, PatternKind.COMMAND, "", 0)
NO_RUNS = RunCounts()
NO_RETRIES = Retries()


@attrs.frozen
class Known:
    """Everything that was read for a set of commands and a project.

    `patterns` has those of everywhere and those of the project, whose keys are `scoped`.
    """

    scope: str
    patterns: Mapping[int, PatternRow]
    retries: Mapping[int, Retries]
    latest: Mapping[int, RunCounts]
    in_session: Mapping[int, SessionTemplate]
    hosts_of: Mapping[int, int]
    team: Mapping[int, TeamFigure]


def read_known(
    connection: sqlite3.Connection,
    patterns: PatternReader,
    all_keys: Sequence[CommandKeys],
    *,
    session: str,
    now_ms: int,
    scope: str,
    own: bool = False,
    team: Mapping[int, TeamFigure],
) -> Known:
    """Read what is known of the commands `all_keys` in a project, in one query for each kind of fact.

    `own` leaves out runs from elsewhere (`Origin.is_elsewhere`); `team` is what the team knows of the
    project's templates, by their keys.
    """
    templates = {keys.template_key for keys in all_keys}
    remotes = {keys.remote_key for keys in all_keys if keys.remote_key is not None}
    row = connection.execute("SELECT id FROM session WHERE name=?", (session,)).fetchone()
    number = row[0] if row else None
    window = _Window.of(number, now_ms, find_place(connection, scope), own=own)
    return Known(
        scope,
        patterns_of(patterns, all_keys, scope, own=own),
        _retries(connection, all_keys, window),
        _latest(connection, templates, window),
        _in_session(connection, {scoped(key, scope) for key in templates}, number),
        _hosts_of(connection, remotes) if remotes else {},
        team,
    )


def patterns_of(
    patterns: PatternReader, all_keys: Sequence[CommandKeys], scope: str, *, own: bool
) -> Mapping[int, PatternRow]:
    """The patterns of commands, everywhere and in a project."""
    everywhere = patterns.read({key for keys in all_keys for key in keys.all}, ALL, own=own)
    here_keys = {key for keys in all_keys for key in keys.all_in(scope)}
    return everywhere | patterns.read(here_keys, PROJECT, own=own)


class _Window(NamedTuple):
    """The runs of one session and project since the window began: a condition and its parameters."""

    sql: str
    parameters: tuple[int | None, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the session or the project has no run at all."""
        return None in self.parameters

    @classmethod
    def of(cls, session: int | None, now_ms: int, project: int | None, *, own: bool) -> _Window:
        only_own = f"AND origin NOT IN ({ELSEWHERE_CODES})" if own else ""
        condition = f"session = ? AND at_ms >= ? AND project = ? AND neutral = 0 {only_own}"
        return cls(condition, (session, now_ms - RETRY_WINDOW_MS, project))


def _retries(
    connection: sqlite3.Connection, all_keys: Sequence[CommandKeys], window: _Window
) -> Mapping[int, Retries]:
    """How often each command ran in the window; a success that hid a failure counts as none."""
    if window.is_empty:
        return {}
    commands = json.dumps([keys.command_key for keys in all_keys])
    # A session has many runs that are of none of a few commands, but fewer than a script has commands.
    index = "run_command" if len(all_keys) <= FEW_COMMANDS else "run_session"
    rows = connection.execute(
        f"""SELECT command, preview, sum(outcome IS {SUCCESS} AND NOT hiding), count(*), max(at_ms)
            FROM run INDEXED BY {index}
        WHERE {window.sql} AND command IN (SELECT value FROM json_each(?))
        GROUP BY command, preview""",
        (*window.parameters, commands),
    )
    found: dict[int, Retries] = {}
    for command, preview, succeeded, total, at_ms in rows:
        counts, previews, latest_ms = found.get(command, NO_RETRIES)
        summed = RunCounts(counts.succeeded + succeeded, counts.total + total)
        found[command] = Retries(summed, previews | {preview}, max(latest_ms, at_ms))
    return found


def _latest(
    connection: sqlite3.Connection, templates: Iterable[int], window: _Window
) -> Mapping[int, RunCounts]:
    """Each template's few latest runs in the window, whatever their command."""
    if window.is_empty:
        return {}
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
    command_key, template_key = keys.command_key, keys.template_key
    command_here, template_here, _, exact_here = keys.all_in(known.scope)
    retries, previews, latest_ms = known.retries.get(command_key, NO_RETRIES)
    in_session = known.in_session.get(template_here, NOT_IN_SESSION)
    here = known.patterns.get(command_here) or NEVER_RAN
    everywhere = known.patterns.get(command_key) or NEVER_RAN
    exact = known.patterns.get(exact_here) or NEVER_RAN
    basis = basis_of(keys, known.patterns, known.scope, known.team)
    return CommandHistory(
        template=keys.told(keys.identity.template),
        base=keys.told(keys.identity.base),
        runs=here.judged,
        unjudged=here.unjudged,
        retries=retries,
        retries_are_of_this_text=previews <= {keys.preview},
        last_retry_at=latest_ms / 1000,
        # Only if the command itself did not run are the template's latest runs all of other commands.
        similar=NO_RUNS if retries.total else known.latest.get(template_key, NO_RUNS),
        streak=here.streak,
        streak_is_sound=here.sound >= here.streak,
        success_rate=here.sound_rate,
        timeout_rate=here.timeout_rate,
        mean_duration_s=here.mean_s,
        ended=here.samples,
        failures_in_row=in_session.failures_in_row,
        host=_host_history(keys, known),
        remote=_remote_history(keys, known),
        estimate=basis.estimate,
        too_wide=basis.too_wide,
        own_durations=tuple(samples_of(exact.ring)) if exact.samples < MIN_SAMPLES else (),
        everywhere=Rates(
            everywhere.judged,
            everywhere.sound_rate,
            everywhere.timeout_rate,
            unjudged=everywhere.unjudged,
        ),
        team=known.team.get(template_key),
    )


def normal_rate(
    connection: sqlite3.Connection,
    patterns: PatternReader,
    keys: CommandKeys,
    half_life_ms: float,
    *,
    own: bool,
) -> float:
    """The share of a command's runs, in all projects, that ended with a known normal exit.

    It is weighted by age like the other rates. The runs are those that the log still has.
    """
    pattern = patterns.read([keys.command_key], ALL, own=own).get(keys.command_key)
    if pattern is None:
        return 0.0
    only_own = f"AND origin NOT IN ({ELSEWHERE_CODES})" if own else ""
    rows = connection.execute(
        f"SELECT at_ms FROM run INDEXED BY run_command WHERE command = ? AND neutral = 1 {only_own}",
        (keys.command_key,),
    )
    weight = sum(0.5 ** ((pattern.at_ms - at_ms) / half_life_ms) for (at_ms,) in rows)
    return pattern.weights.share(weight)


def is_known(keys: CommandKeys, known: Known) -> bool:
    """Whether memory knows the command, its template, its ssh host or remote command, or the team it."""
    if keys.template_key in known.team:
        return True
    specific = (keys.command_key, keys.template_key, keys.host_key, keys.remote_key)
    return any(key in known.patterns for key in specific if key is not None)


def _host_history(keys: CommandKeys, known: Known) -> HostHistory | None:
    if keys.host_key is None or keys.host_key not in known.patterns:
        return None
    pattern = known.patterns[keys.host_key]
    return HostHistory(
        keys.told(keys.host or ""), pattern.runs, pattern.failed, 1.0 - pattern.success_rate
    )


def _remote_history(keys: CommandKeys, known: Known) -> RemoteHistory | None:
    if keys.remote_key is None or keys.remote_key not in known.patterns:
        return None
    pattern = known.patterns[keys.remote_key]
    hosts = known.hosts_of.get(pattern.key, 0)
    return RemoteHistory(
        keys.told(keys.remote or ""), pattern.runs, pattern.failed, hosts, pattern.success_rate
    )


@attrs.frozen
class BasisFound:
    """The estimate, None where too little is known; `too_wide` if a basis was passed over for that."""

    estimate: Estimate | None
    too_wide: bool


def basis_of(
    keys: CommandKeys,
    patterns: Mapping[int, PatternRow],
    scope: str,
    team: Mapping[int, TeamFigure],
) -> BasisFound:
    """The durations of the first basis of POLL-4 that has enough samples and is not too wide."""
    command, template, base, exact = (it.key for it in keys.pattern_keys)
    command_here, template_here, base_here, exact_here = keys.all_in(scope)
    steps = (
        (exact_here, MIN_SAMPLES, Basis.EXACT, Scope.PROJECT),
        (command_here, MIN_SAMPLES_OF_COMMAND, Basis.COMMAND, Scope.PROJECT),
        (exact, MIN_SAMPLES, Basis.EXACT, Scope.EVERYWHERE),
        (command, MIN_SAMPLES_OF_COMMAND, Basis.COMMAND, Scope.EVERYWHERE),
        (template_here, MIN_SAMPLES, Basis.TEMPLATE, Scope.PROJECT),
        (template, MIN_SAMPLES, Basis.TEMPLATE, Scope.EVERYWHERE),
        (base_here, MIN_SAMPLES, Basis.BASE, Scope.PROJECT),
        (base, MIN_SAMPLES, Basis.BASE, Scope.EVERYWHERE),
    )
    too_wide = False
    for key, needed, basis, whose in steps:
        pattern = patterns.get(key)
        if pattern is None:
            continue
        curve = curve_of(pattern.ring)
        if curve.sample_size < needed:
            continue
        if curve.is_too_wide:
            too_wide = True
            continue
        name = keys.identity.base if basis is Basis.BASE else keys.identity.template
        return BasisFound(Estimate(keys.told(name), curve, basis, whose), too_wide)
    figure = team.get(template)
    if figure is not None and figure.durations.curve.sample_size >= MIN_SAMPLES:
        curve = figure.durations.curve
        if not curve.is_too_wide:
            name = keys.told(keys.identity.template)
            told = Estimate(name, curve, Basis.TEMPLATE, Scope.TEAM, figure.agents)
            return BasisFound(told, too_wide)
        too_wide = True
    return BasisFound(None, too_wide)


def kill_past_of(keys: CommandKeys, known: Known) -> KillHistory:
    """Kills of the template in the project, the latest included."""
    key = scoped(keys.template_key, known.scope)
    pattern = known.patterns.get(key) or NEVER_RAN
    in_session = known.in_session.get(key, NOT_IN_SESSION)
    return KillHistory(
        keys.told(keys.identity.template),
        int(pattern.counts.killed),
        int(pattern.counts.runs),
        in_session.killed,
        in_session.runs,
    )
