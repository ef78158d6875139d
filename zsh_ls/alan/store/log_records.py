"""Template records computed from the log alone, for questions about runs of certain origins.

Patterns only distinguish own runs from those from elsewhere; the log stores each
run's origin, but only as far back as it goes.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.recall import Order, TemplateRecord
from zsh_ls.model.words import Basis, Outcome

from .rows import reading
from .schema import ORIGINS, OUTCOMES

_CUT_SHORT = (Outcome.TIMEOUT, Outcome.KILLED)
_ORDERS: dict[Order, Callable[[TemplateRecord], float]] = {
    "runs": lambda record: record.runs,
    "median": lambda record: record.median_s or -1.0,
    "failures": lambda record: record.failed + record.timed_out,
    "last": lambda record: record.last_at,
}


class LoggedRun(NamedTuple):
    """What is read of a logged run."""

    template: str
    outcome: Outcome | None
    duration_ms: int | None
    at_ms: int
    elsewhere: bool


def log_records(
    connection: sqlite3.Connection, query: str, parameters: Sequence[object], order: Order
) -> list[TemplateRecord]:
    """The templates of the runs that `query` selects (columns as in `_run`), highest `order` first."""
    by_template: defaultdict[str, list[LoggedRun]] = defaultdict(list)
    with reading("the log"):
        for row in connection.execute(query, parameters):
            run = _run(*row)
            by_template[run.template].append(run)
        records = [_record(template, runs) for template, runs in by_template.items() if template]
        return sorted(records, key=_ORDERS[order], reverse=True)


def _run(
    template: str, outcome: int | None, duration_ms: int | None, at_ms: int, origin: int
) -> LoggedRun:
    word = None if outcome is None else OUTCOMES[outcome]
    return LoggedRun(template, word, duration_ms, at_ms, ORIGINS[origin].is_elsewhere)


def _record(template: str, runs: Sequence[LoggedRun]) -> TemplateRecord:
    counts = Counter(run.outcome for run in runs)
    durations = [
        Sample(run.duration_ms / 1000, run.outcome in _CUT_SHORT)
        for run in runs
        if run.duration_ms is not None
    ]
    samples = sum(not sample.censored for sample in durations)
    usual = Estimate(template, Curve.of(durations), Basis.TEMPLATE) if samples else None
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
