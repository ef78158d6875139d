"""Which commands take longest."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply, during, list_length, run_line
from zsh_ls.answers.formatting import count, duration
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern

# Of more runs than these in a window, the newest are looked at.
MAX_RUNS = 2000


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Templates by their median duration; within a window, the runs themselves."""
    if match.window:
        return _longest_runs(match, facts)
    records = facts.records("", "median", list_length(match))
    lines = [
        f"- {code_span(record.template)}: {duration(record.median_s)},"
        f" median of {count(record.samples, 'run')}"
        for record in records
        if record.median_s is not None
    ]
    if not lines:
        return Draft("deterministic", "No run that ended by itself is remembered.")
    first = records[0]
    summary = (
        f"{code_span(first.template)} takes longest: {duration(first.median_s or 0.0)} (median)."
    )
    return Draft("deterministic", summary, tuple(lines))


def _longest_runs(match: QueryMatch, facts: Facts) -> Draft:
    runs = facts.recall.runs(facts.which(match), limit=MAX_RUNS)
    longest = sorted(runs, key=lambda run: -run.duration_s)[: list_length(match)]
    if not longest:
        return Draft("deterministic", f"No run{during(match)} is remembered.")
    first = longest[0]
    took = f"took longest{during(match)}: {duration(first.duration_s)}"
    lines = tuple(run_line(run, facts) for run in longest)
    return Draft("deterministic", f"{code_span(first.command)} {took}.", lines)


FAMILY = Family(
    name="slowest",
    source=MEMORY,
    examples=("what are my slowest commands", "which command takes the longest"),
    patterns=(
        pattern(
            "slowest commands|digit|anything",
            "top typical i-ran window on-here",
            window=True,
            number=True,
        ),
        pattern("time-sink", "typical"),
        pattern("commands|what take-longest", "typical anything i-ran", window=True, number=True),
    ),
    answer=answer,
    by_origin=True,
)
