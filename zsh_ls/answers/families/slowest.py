"""Which commands take longest."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import during, list_length, run_line
from zsh_ls.answers.say import count, duration
from zsh_ls.model.recall import TemplateRecord

# Of more runs than these in a window, the newest are looked at.
MAX_RUNS = 2000


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """Templates by their median duration; within a window, the runs themselves."""
    if reading.window:
        return _longest_runs(reading, facts)
    records = facts.records("", "median", list_length(reading))
    lines = [_line(record, record.median_s) for record in records if record.median_s is not None]
    if not lines:
        return Draft("deterministic", "No run that ended by itself is remembered.")
    first = records[0]
    summary = (
        f"{code_span(first.template)} takes longest: {duration(first.median_s or 0.0)} (median)."
    )
    return Draft("deterministic", summary, tuple(lines))


def _longest_runs(reading: QueryMatch, facts: Facts) -> Draft:
    runs = facts.recall.runs(facts.which(reading), limit=MAX_RUNS)
    longest = sorted(runs, key=lambda run: -run.duration_s)[: list_length(reading)]
    if not longest:
        return Draft("deterministic", f"No run{during(reading)} is remembered.")
    first = longest[0]
    took = f"took longest{during(reading)}: {duration(first.duration_s)}"
    lines = tuple(run_line(run, facts.now) for run in longest)
    return Draft("deterministic", f"{code_span(first.command)} {took}.", lines)


def _line(record: TemplateRecord, median_s: float) -> str:
    runs = count(record.samples, "run")
    return f"- {code_span(record.template)}: {duration(median_s)}, median of {runs}"


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
