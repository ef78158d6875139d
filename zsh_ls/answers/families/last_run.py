"""When a command last ran, and what ran last."""

from __future__ import annotations

from zsh_ls.answers.evidence import hid
from zsh_ls.answers.family import (
    MEMORY,
    Draft,
    Facts,
    Family,
    NotKnown,
    Reply,
    during,
    runs_draft,
    runs_meant,
)
from zsh_ls.answers.formatting import duration, ended, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The newest run of the command asked for, or the newest of all."""
    several = match.window or match.number
    meant = runs_meant(match, facts, "when {} last ran", only_newest=not several)
    if isinstance(meant, NotKnown):
        return meant
    if not meant.runs:
        return Draft("deterministic", f"No run{during(match)} is remembered.")
    if several:
        return runs_draft(meant, f"remembered{during(match)}", facts)
    run = meant.runs[0]
    how = f"{ended(run.outcome, run.exit)} after {duration(run.duration_s)}"
    summary = f"{code_span(run.command)} ran {moment(run.at, facts.now)}: it {how}."
    return Draft("deterministic", summary + hid(run, facts.evidence))


FAMILY = Family(
    name="last-run",
    source=MEMORY,
    examples=("when did I last run npm test", "what did I run last", "what did I run today"),
    patterns=(
        pattern("when last run", "command already", subject="needed"),
        pattern("when last", "already", subject="needed"),
        pattern("last-time run", "command already when", subject="needed"),
        pattern("what|commands i-ran last|window", "last anything", window=True, number=True),
        pattern("history window", "commands", window=True),
        pattern("last commands", "i-ran", window=True, number=True),
        pattern("did succeed|fail", "last last-time already", subject="needed"),
        # `last time make passed` asks for the last pass, which everyday questions know.
        pattern("fail last-time", "already", subject="needed"),
    ),
    answer=answer,
    by_origin=True,
)
