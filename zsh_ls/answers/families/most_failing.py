"""Which commands fail most."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import list_length
from zsh_ls.answers.say import count
from zsh_ls.model.recall import TemplateRecord


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """Templates by their failures and timeouts."""
    records = facts.recall.records(order="failures", limit=list_length(reading))
    failing = [record for record in records if record.failed + record.timed_out]
    if not failing:
        return Draft("deterministic", "No command has failed as far as memory goes.")
    name = code_span(failing[0].template)
    return Draft(
        "deterministic", f"{name} failed most: {_failed(failing[0])}.", tuple(map(_line, failing))
    )


def _line(record: TemplateRecord) -> str:
    return f"- {code_span(record.template)}: {_failed(record)}"


def _failed(record: TemplateRecord) -> str:
    return f"{record.failed + record.timed_out} of {count(record.runs, 'run')}"


FAMILY = Family(
    name="most-failing",
    source=MEMORY,
    examples=("which commands fail most often", "what fails the most"),
    patterns=(
        pattern("fail most-often|often", "commands anything top on-here", number=True),
        pattern("commands flaky|least-reliable", "most top", number=True),
        pattern("most-often|top failing commands", "", number=True),
    ),
    answer=answer,
    by_origin=True,
)
