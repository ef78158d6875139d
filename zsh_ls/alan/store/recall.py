"""Queries of the question families: logged runs, templates and hosts. Only reads.

Runs are searched in the log, whose length is limited (`retention.LOG_CAP`), so that
a full scan stays cheap. Figures about templates and hosts count all runs ever learnt.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from zsh_ls.alan.learning.pattern import (
    INTERRUPTED_EXIT,
    PatternKind,
    PatternRow,
    curve_of,
    ended_in,
)
from zsh_ls.alan.learning.statistics import elsewhere_of
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import HostHistory
from zsh_ls.model.recall import Order, RunEntry, RunQuery, TemplateRecord
from zsh_ls.model.words import Basis, Origin, Outcome
from zsh_ls.shell.template.identity import NOT_KEPT

from .rows import read_patterns, reading, stored_path
from .schema import ORIGINS, OUTCOMES

# Medians are computed from rings, and only for the templates with the longest means.
MEDIAN_CANDIDATES = 200
_ORDERS: dict[Order, str] = {
    "runs": "runs DESC, at_ms DESC",
    "median": "CASE WHEN samples THEN 1.0 * total_ms / samples END DESC, at_ms DESC",
    "failures": "runs - succeeded - killed DESC, at_ms DESC",
    "last": "at_ms DESC",
}
_CUT_SHORT = (Outcome.TIMEOUT, Outcome.KILLED)
_RECORD_ORDERS: dict[Order, Callable[[TemplateRecord], float]] = {
    "runs": lambda record: record.runs,
    "median": lambda record: record.median_s or -1.0,
    "failures": lambda record: record.failed + record.timed_out,
    "last": lambda record: record.last_at,
}
_FROM_RUNS = "FROM run LEFT JOIN pattern AS template ON template.key = run.template"
# A failure that is a known normal exit is reported as a success.
_OUTCOME = "CASE WHEN run.neutral THEN 0 ELSE run.outcome END"
_SELECT_RUNS = f"""SELECT coalesce(run.preview, '{NOT_KEPT}'), coalesce(template.text, ''),
    {_OUTCOME}, run.exit, run.duration_ms, run.at_ms, run.origin, run.pipestatus,
    coalesce((SELECT path FROM place WHERE place.id = run.project), ''),
    coalesce((SELECT path FROM place WHERE place.id = run.folder), '') {_FROM_RUNS}"""

_SELECT_LOGGED = f"""SELECT coalesce(template.text, ''), {_OUTCOME}, run.duration_ms, run.at_ms,
    run.origin, run.exit {_FROM_RUNS}"""


class _Where(NamedTuple):
    """Conditions that all hold, and their parameters."""

    sql: str
    parameters: tuple[object, ...]


class StoredRecall:
    """`model.Recall` on a connection, to be used by one thread at a time."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        estimate_in: Callable[[str, str], Estimate | None],
    ) -> None:
        self._connection = connection
        self._estimate_in = estimate_in

    def runs(self, which: RunQuery, *, limit: int) -> Sequence[RunEntry]:
        """The matching runs, newest first."""
        where = _run_conditions(which)
        rows = self._connection.execute(
            f"{_SELECT_RUNS} WHERE {where.sql} ORDER BY run.at_ms DESC, run.id DESC LIMIT ?",
            (*where.parameters, limit),
        )
        return [_run_entry(_RunRow(*row)) for row in rows]

    def count(self, which: RunQuery) -> int:
        """How many runs match."""
        where = _run_conditions(which)
        query = f"SELECT count(*) {_FROM_RUNS} WHERE {where.sql}"
        (number,) = self._connection.execute(query, where.parameters).fetchone()
        return int(number)

    def first_at(self, command: str = "") -> float | None:
        """The Unix time of the first run of this very line, without one of any; None where none is known."""
        query = "SELECT min(first_ms) FROM line WHERE ? IN ('', text)"
        (first_ms,) = self._connection.execute(query, (command,)).fetchone()
        return None if first_ms is None else first_ms / 1000

    def records(
        self,
        *,
        about: str = "",
        order: Order = "runs",
        limit: int,
        origins: frozenset[Origin] = frozenset(),
        project: str | None = None,
    ) -> Sequence[TemplateRecord]:
        """Templates that match `about`, highest `order` first, unknown medians last.

        With `origins` or a `project` only logged runs count: patterns do not store runs' origins, and few
        of the questions are about a project.
        """
        if origins or project is not None:
            meant = _run_conditions(RunQuery(about, origins=origins, project=project))
            query = f"{_SELECT_LOGGED} WHERE {meant.sql}"
            return _log_records(self._connection, query, meant.parameters, order)[:limit]
        where = _template_conditions(about)
        enough = max(limit, MEDIAN_CANDIDATES) if order == "median" else limit
        rows = self._connection.execute(
            f"SELECT key FROM pattern WHERE {where.sql} ORDER BY {_ORDERS[order]} LIMIT ?",
            (*where.parameters, enough),
        )
        keys = [key for (key,) in rows]
        found = list(map(read_patterns(self._connection, keys).__getitem__, keys))
        elsewhere = elsewhere_of(self._connection, found)
        records = [_record(*one) for one in zip(found, elsewhere, strict=True)]
        if order == "median":
            records.sort(key=lambda record: -(record.median_s or -1.0))
        return records[:limit]

    def estimate(self, command: str, *, project: str) -> Estimate | None:
        """How long a command takes in `project`, by the first basis of POLL-4 that can tell."""
        return self._estimate_in(command, project)

    def hosts(self, *, limit: int) -> Sequence[HostHistory]:
        """Ssh hosts, the highest failure rate first."""
        rows = self._connection.execute(
            """SELECT key FROM pattern WHERE kind = ? AND text <> '' AND runs > 0
            ORDER BY w_succeeded / w_runs, runs DESC LIMIT ?""",
            (PatternKind.HOST.value, limit),
        )
        keys = [key for (key,) in rows]
        patterns = read_patterns(self._connection, keys)
        found = [patterns[key] for key in keys]
        return [
            HostHistory(host.text, host.runs, host.failed, 1.0 - host.success_rate)
            for host in found
        ]


def _run_conditions(which: RunQuery) -> _Where:
    """A `RunQuery` as a condition on the columns of `_FROM_RUNS`."""
    conditions: list[_Where] = [_Where("TRUE", ())]
    if which.about:
        template, preview = (
            _starts_with("template.text", which.about),
            _starts_with("run.preview", which.about),
        )
        conditions.append(_either(template, preview))
    if which.outcomes:
        codes = ",".join(str(OUTCOMES.index(outcome)) for outcome in which.outcomes)
        conditions.append(_Where(f"{_OUTCOME} IN ({codes})", ()))
    if which.hiding:
        conditions.append(_Where("run.hiding", ()))
    if which.since is not None:
        conditions.append(_Where("run.at_ms >= ?", (round(which.since * 1000),)))
    if which.until is not None:
        conditions.append(_Where("run.at_ms < ?", (round(which.until * 1000),)))
    if which.session is not None:
        of_session = "run.session = (SELECT id FROM session WHERE name = ?)"
        conditions.append(_Where(of_session, (which.session,)))
    if which.project is not None:
        of_project = "run.project = (SELECT id FROM place WHERE path = ?)"
        conditions.append(_Where(of_project, (stored_path(which.project),)))
    if which.origins:
        codes = ",".join(str(ORIGINS.index(origin)) for origin in which.origins)
        conditions.append(_Where(f"run.origin IN ({codes})", ()))
    return _Where(
        " AND ".join(one.sql for one in conditions),
        tuple(value for one in conditions for value in one.parameters),
    )


def _template_conditions(about: str) -> _Where:
    """Templates that begin with `about`, and templates of commands that do."""
    conditions = _Where("kind = ? AND text <> ''", (PatternKind.TEMPLATE.value,))
    if not about:
        return conditions
    preview = _starts_with("preview", about)
    of_runs = _Where(f"key IN (SELECT template FROM run WHERE {preview.sql})", preview.parameters)
    either = _either(_starts_with("text", about), of_runs)
    return _Where(
        f"{conditions.sql} AND {either.sql}", (*conditions.parameters, *either.parameters)
    )


def _starts_with(column: str, about: str) -> _Where:
    """The column is `about`, or begins with it and a space."""
    return _Where(
        f"({column} = ? OR substr({column}, 1, ?) = ?)", (about, len(about) + 1, f"{about} ")
    )


def _either(one: _Where, other: _Where) -> _Where:
    return _Where(f"({one.sql} OR {other.sql})", (*one.parameters, *other.parameters))


class _RunRow(NamedTuple):
    """A row of `_SELECT_RUNS`."""

    command: str
    template: str
    outcome: int | None
    exit: int | None
    duration_ms: int | None
    at_ms: int
    origin: int
    pipestatus: str | None
    project: str
    cwd: str


@reading("a run of the log")
def _run_entry(row: _RunRow) -> RunEntry:
    """A row's run. The exit status that the log stores for killed and timed out runs is dropped."""
    outcome = None if row.outcome is None else OUTCOMES[row.outcome]
    cut_short = outcome in (Outcome.KILLED, Outcome.TIMEOUT)
    return RunEntry(
        command=row.command,
        template=row.template,
        outcome=outcome,
        exit=None if cut_short else row.exit,
        duration_s=(row.duration_ms or 0) / 1000,
        at=row.at_ms / 1000,
        origin=ORIGINS[row.origin],
        pipestatus=tuple(map(int, (row.pipestatus or "").split())),
        is_kept=row.command != NOT_KEPT,
        project=row.project,
        cwd=row.cwd,
    )


def _record(pattern: PatternRow, elsewhere: int) -> TemplateRecord:
    samples = ended_in(pattern.ring)
    curve = curve_of(pattern.ring) if samples else None
    estimate = Estimate(pattern.text, curve, Basis.TEMPLATE) if curve else None
    timed_out, killed = int(pattern.counts.timed_out), int(pattern.counts.killed)
    return TemplateRecord(
        template=pattern.text,
        runs=pattern.runs,
        succeeded=int(pattern.counts.succeeded),
        failed=pattern.failed - timed_out - killed,
        timed_out=timed_out,
        killed=killed,
        median_s=estimate.median_s if estimate else None,
        p90_s=estimate.p90_s if estimate else None,
        samples=samples,
        last_at=pattern.at_ms / 1000,
        elsewhere=elsewhere,
        hiding=int(pattern.counts.hiding),
    )


class _LoggedRun(NamedTuple):
    """What is read of a logged run."""

    template: str
    outcome: Outcome | None
    duration_ms: int | None
    at_ms: int
    elsewhere: bool
    exit: int | None

    @property
    def sample(self) -> Sample | None:
        """Its duration, as a pattern counts it too (POLL-4)."""
        if self.duration_ms is None:
            return None
        failed = self.outcome is Outcome.FAILURE
        cut_short = self.outcome in _CUT_SHORT or (failed and self.exit == INTERRUPTED_EXIT)
        return Sample(self.duration_ms / 1000, cut_short, failed)


def _log_records(
    connection: sqlite3.Connection, query: str, parameters: Sequence[object], order: Order
) -> list[TemplateRecord]:
    """The templates of the runs that `query` selects (columns as in `_SELECT_LOGGED`), highest `order` first.

    They are computed from the log alone: patterns only tell own runs from those from
    elsewhere, while the log stores each run's origin, as far back as it goes.
    """
    by_template: defaultdict[str, list[_LoggedRun]] = defaultdict(list)
    with reading("the log"):
        rows = connection.execute(query, parameters)
        for template, outcome, duration_ms, at_ms, origin, exit_status in rows:
            word = None if outcome is None else OUTCOMES[outcome]
            elsewhere = ORIGINS[origin].is_elsewhere
            by_template[template].append(
                _LoggedRun(template, word, duration_ms, at_ms, elsewhere, exit_status)
            )
        records = [
            _logged_record(template, runs) for template, runs in by_template.items() if template
        ]
        return sorted(records, key=_RECORD_ORDERS[order], reverse=True)


def _logged_record(template: str, runs: Sequence[_LoggedRun]) -> TemplateRecord:
    counts = Counter(run.outcome for run in runs)
    curve = Curve.of([run.sample for run in runs if run.sample is not None])
    samples = curve.sample_size
    usual = Estimate(template, curve, Basis.TEMPLATE) if samples else None
    return TemplateRecord(
        template=template,
        runs=len(runs),
        succeeded=counts[Outcome.SUCCESS],
        failed=counts[Outcome.FAILURE],
        timed_out=counts[Outcome.TIMEOUT],
        killed=counts[Outcome.KILLED],
        median_s=usual.median_s if usual else None,
        p90_s=usual.p90_s if usual else None,
        samples=samples,
        last_at=max(run.at_ms for run in runs) / 1000,
        elsewhere=sum(run.elsewhere for run in runs),
    )
