"""What was killed, and why as far as memory can say."""

from __future__ import annotations

from zsh_ls.answers.family import (
    MEMORY,
    Draft,
    Facts,
    Family,
    NotKnown,
    Reply,
    asks_for_last,
    during,
    first_three,
    runs_meant,
)
from zsh_ls.answers.formatting import count, duration, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome

# The bounds of an early and a late kill (KILL-2), in medians of the template.
EARLY, LATE = 0.5, 2.0


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Killed runs with the time they had had, against the time such a run usually takes."""
    only_last = asks_for_last(match)
    meant = runs_meant(
        match, facts, "why {} was killed", outcomes=[Outcome.KILLED], only_newest=only_last
    )
    if isinstance(meant, NotKnown):
        return meant
    runs, of_it = meant.runs, f" of {code_span(meant.about)}" if meant.about else ""
    if not runs:
        return Draft("deterministic", f"No run{of_it} was killed{during(match)}.")
    total = facts.recall.count(meant.query)
    summary = (
        f"{count(total, 'run')}{of_it} {'was' if total == 1 else 'were'} killed{during(match)}:"
        f" {first_three(runs, total, facts)}."
    )
    if only_last:
        summary = f"{code_span(runs[0].command)} was killed {moment(runs[0].at, facts.now)}."
    lines = (
        f"- {code_span(run.command)}, killed {moment(run.at, facts.now)}"
        f" after {duration(run.duration_s)}: {_why(run, facts)}"
        for run in runs
    )
    return Draft("deterministic", summary, tuple(lines))


def _why(run: RunEntry, facts: Facts) -> str:
    """Who killed it is not remembered; how long it had run says whether it looked stuck."""
    records = facts.recall.records(about=run.template, limit=1)
    median_s = records[0].median_s if records else None
    if median_s is None:
        return "not known, no run of it ended by itself"
    usual = f"it usually takes {duration(median_s)}"
    if run.duration_s < EARLY * median_s:
        return f"early, {usual}"
    return f"late, {usual}" if run.duration_s > LATE * median_s else f"within its time, {usual}"


_MAY = "commands last why what anything already"
FAMILY = Family(
    name="kills",
    source=MEMORY,
    examples=("what was killed and why", "why was docker build killed"),
    patterns=(
        pattern("kill what|anything|commands|last", _MAY, window=True, number=True),
        pattern("kill show|window", _MAY, window=True, number=True),
        pattern("why kill", "last command already", subject="needed", window=True),
        pattern("when kill", "last command already", subject="needed", window=True),
    ),
    answer=answer,
    by_origin=True,
)
