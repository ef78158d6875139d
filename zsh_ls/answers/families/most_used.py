"""Which commands run most."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply, from_elsewhere, list_length
from zsh_ls.answers.formatting import count, share
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Templates by their runs."""
    records = facts.records("", "runs", list_length(match))
    if not records:
        return Draft("deterministic", "No run is remembered.")
    first = records[0]
    summary = f"{code_span(first.template)} runs most: {count(first.runs, 'time')}."
    lines = (
        f"- {code_span(record.template)}: {count(record.runs, 'run')}{from_elsewhere(record)},"
        f" {share(record.succeeded / record.runs)} succeeded"
        for record in records
    )
    return Draft("deterministic", summary, tuple(lines))


FAMILY = Family(
    name="most-used",
    source=MEMORY,
    examples=("what are my most used commands", "what do I run most"),
    patterns=(
        pattern("most-used commands", "top run on-here", number=True),
        pattern("commands|what run most-often", "often on-here", number=True),
        pattern("top commands", "most-used", number=True),
    ),
    answer=answer,
    by_origin=True,
)
