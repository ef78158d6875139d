"""Which commands fail most."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply, list_length
from zsh_ls.answers.formatting import count
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.recall import TemplateRecord


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Templates by their failures and timeouts."""
    records = facts.recall.records(order="failures", limit=list_length(match))
    failing = [record for record in records if record.failed + record.timed_out]
    if not failing:
        return Draft("deterministic", "No command has failed as far as memory goes.")
    summary = f"{code_span(failing[0].template)} failed most: {_failed(failing[0])}."
    lines = (f"- {code_span(record.template)}: {_failed(record)}" for record in failing)
    return Draft("deterministic", summary, tuple(lines))


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
