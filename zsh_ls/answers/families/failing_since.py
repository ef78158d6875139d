"""Since when a command fails."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from zsh_ls.answers.evidence import hid, how_ended
from zsh_ls.answers.family import FAILED, MEMORY, Draft, Facts, Family, Reply, never_ran
from zsh_ls.answers.formatting import count, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.recall import RunEntry, RunQuery
from zsh_ls.model.words import Outcome

# A row of failures that is longer is counted as `at least` so many.
MAX_ROW = 500


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The first failure after the last success; killed runs say nothing and are passed over.

    It counts within the project that is asked from, where that knows the command (ALAN-13).
    """
    facts = facts.where_known(match)
    about, records = facts.known(match)
    if not records:
        return never_ran(match, "since when {} fails")
    by_itself = frozenset({*FAILED, Outcome.SUCCESS})
    meant = RunQuery(about, by_itself, origins=facts.origins, project=facts.project)
    runs = facts.recall.runs(meant, limit=MAX_ROW)
    name = code_span(about)
    if not runs:
        return Draft("deterministic", f"{name} has not ended by itself yet.")
    # What hid a failure did not succeed (ALAN-15).
    row = list(takewhile(lambda run: run.outcome in FAILED or hid(run, facts.evidence), runs))
    if not row:
        return Draft(
            "deterministic",
            f"{name} does not fail now: it last succeeded {moment(runs[0].at, facts.now)}.",
        )
    if (
        "succeed" in match.concepts
        and not match.concepts & {"fail", "red"}
        and "since-when" not in match.concepts
    ):
        return _last_success(name, row, runs, facts)
    first, last = row[-1], row[0]
    before = "- No success before that is remembered."
    if len(row) < len(runs):
        before = f"- It last succeeded {moment(runs[len(row)].at, facts.now)}."
    least = "at least " if len(row) == MAX_ROW else ""
    return Draft(
        "deterministic",
        f"{name} fails since {moment(first.at, facts.now)},"
        f" {least}{count(len(row), 'time')} in a row.",
        (before, _last_run(last, facts)),
    )


def _last_run(run: RunEntry, facts: Facts) -> str:
    return f"- The last run {how_ended(run, facts.evidence)} {moment(run.at, facts.now)}."


def _last_success(
    name: str, row: Sequence[RunEntry], runs: Sequence[RunEntry], facts: Facts
) -> Reply:
    """When it last succeeded, of what fails now: that is what was asked."""
    least = "at least " if len(row) == MAX_ROW else ""
    last = _last_run(row[0], facts)
    if len(row) == len(runs):
        told = f"{name} never succeeded, as far as memory goes: it failed {least}{count(len(row), 'time')}."
        return Draft("deterministic", told, (last,))
    at = moment(runs[len(row)].at, facts.now)
    told = f"{name} last succeeded {at}; it has failed {least}{count(len(row), 'time')} since."
    return Draft("deterministic", told, (last,))


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
