"""How often a command ran."""

from __future__ import annotations

from zsh_ls.answers.family import (
    MEMORY,
    Draft,
    Facts,
    Family,
    Reply,
    are_of,
    during,
    never_ran,
    runs_are_cut,
)
from zsh_ls.answers.formatting import count, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The count of runs, of one command or of all, in the window named."""
    about, records = facts.known(match)
    if match.subjects and not records:
        return never_ran(match, "how often {} ran")
    runs = facts.recall.count(facts.which(match, about=about))
    learnt = are_of(about, records) and not facts.origins and facts.project is None
    if about and learnt:
        total = sum(record.runs for record in records)
        if match.window and runs_are_cut(match, facts, about, total):
            return None
        runs = runs if match.window else max(total, runs)
    when = during(match)
    if not about:
        return Draft("deterministic", f"{count(runs, 'run')} remembered{when}.")
    last = max(record.last_at for record in records)
    return Draft(
        "deterministic",
        f"{code_span(about)} ran {count(runs, 'time')}{when}, the last time {moment(last, facts.now)}.",
        tuple(
            f"- {code_span(record.template)}: {count(record.runs, 'run')} in all"
            for record in records
        ),
    )


FAMILY = Family(
    name="frequency",
    source=MEMORY,
    examples=("how often did I run git push", "how many times did make run today"),
    patterns=(
        pattern("how-often run", "command already", subject="needed", window=True),
        pattern("run often", "command already have", subject="needed", window=True),
        pattern("number runs", "command already run", subject="needed", window=True),
        pattern("number commands i-ran|remember", "already", window=True),
    ),
    answer=answer,
    by_origin=True,
)
