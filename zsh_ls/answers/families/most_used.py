"""Which commands run most."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import from_elsewhere, list_length
from zsh_ls.answers.say import count, share
from zsh_ls.model.recall import TemplateRecord


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """Templates by their runs."""
    records = facts.records("", "runs", list_length(reading))
    if not records:
        return Draft("deterministic", "No run is remembered.")
    first = records[0]
    summary = f"{code_span(first.template)} runs most: {count(first.runs, 'time')}."
    return Draft("deterministic", summary, tuple(map(_line, records)))


def _line(record: TemplateRecord) -> str:
    runs = count(record.runs, "run") + from_elsewhere(record)
    return (
        f"- {code_span(record.template)}: {runs}, {share(record.succeeded / record.runs)} succeeded"
    )


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
