"""Since when a command fails."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import unseen
from zsh_ls.answers.say import count, ended, moment
from zsh_ls.model.recall import RunEntry, RunQuery
from zsh_ls.model.words import Outcome

_BROKEN = (Outcome.FAILURE, Outcome.TIMEOUT)
# A row of failures longer than this is told as `at least`.
MAX_ROW = 500


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """The first failure after the last success; killed runs say nothing and are passed over."""
    about, records = facts.known(reading)
    if not records:
        return unseen(reading, "since when {} fails")
    told = frozenset({*_BROKEN, Outcome.SUCCESS})
    runs = facts.recall.runs(RunQuery(about, told), limit=MAX_ROW)
    row = list(takewhile(lambda run: run.outcome is not Outcome.SUCCESS, runs))
    if not row:
        return _works(about, runs, facts)
    return _fails(about, row, runs[len(row) : len(row) + 1], facts)


def _works(about: str, runs: Sequence[RunEntry], facts: Facts) -> Draft:
    name = code_span(about)
    if not runs:
        return Draft("deterministic", f"{name} has not ended by itself yet.")
    return Draft(
        "deterministic",
        f"{name} does not fail now: it last succeeded {moment(runs[0].at, facts.now)}.",
    )


def _fails(about: str, row: Sequence[RunEntry], success: Sequence[RunEntry], facts: Facts) -> Draft:
    first, last = row[-1], row[0]
    before = (
        f"- It last succeeded {moment(success[0].at, facts.now)}."
        if success
        else "- No success before that is remembered."
    )
    least = "at least " if len(row) == MAX_ROW else ""
    return Draft(
        "deterministic",
        f"{code_span(about)} fails since {moment(first.at, facts.now)},"
        f" {least}{count(len(row), 'time')} in a row.",
        (before, f"- The last run {ended(last.outcome, last.exit)} {moment(last.at, facts.now)}."),
    )


FAMILY = Family(
    name="failing-since",
    source=MEMORY,
    examples=("since when does npm test fail", "when did make start failing"),
    patterns=(
        pattern("since-when fail|red", "command already", subject="needed"),
        pattern("when begin fail|red", "command already", subject="needed"),
        pattern("when last|last-time succeed|red", "command already", subject="needed"),
        pattern("how-long fail|red", "command already", subject="needed"),
        pattern("when succeed", "last", subject="needed"),
    ),
    answer=answer,
    by_origin=True,
)
