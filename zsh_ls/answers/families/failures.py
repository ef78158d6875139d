"""What failed last, today, this week; what timed out where that is asked."""

from __future__ import annotations

from zsh_ls.answers.family import (
    FAILED,
    MEMORY,
    Draft,
    Facts,
    Family,
    NotKnown,
    Reply,
    asks_for_last,
    during,
    runs_draft,
    runs_meant,
)
from zsh_ls.answers.formatting import count, duration, ended, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.lazy import re
from zsh_ls.model.words import Outcome


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The last failure, or those of a window; failures and timeouts, not what somebody killed."""
    of_timeouts = "timed-out" in match.concepts
    outcomes = (Outcome.TIMEOUT,) if of_timeouts else FAILED
    failed = "timed out" if of_timeouts else "failed"
    only_last = asks_for_last(match)
    meant = runs_meant(
        match, facts, f"when {{}} {failed}", outcomes=outcomes, only_newest=only_last
    )
    if isinstance(meant, NotKnown):
        return meant
    if not meant.runs:
        of_all = facts.which(match, about=meant.about)
        remembered = count(facts.recall.count(of_all), "run")
        of_it = f" of {code_span(meant.about)}" if meant.about else ""
        when = during(match) or " as far as memory goes"
        return Draft("deterministic", f"Nothing {failed}{when}; {remembered}{of_it} remembered.")
    if not only_last:
        return runs_draft(meant, f"{failed}{during(match)}", facts)
    run = meant.runs[0]
    details = [f"- It took {duration(run.duration_s)}."]
    if len(run.pipestatus) > 1:
        details.append(f"- Statuses of its pipeline: {' '.join(map(str, run.pipestatus))}.")
    how = f"{ended(run.outcome, run.exit)} {moment(run.at, facts.now)}"
    return Draft("deterministic", f"{code_span(run.command)} {how}.", tuple(details))


FAMILY = Family(
    name="failures",
    source=MEMORY,
    examples=("what failed last", "what failed today", "which commands failed this week"),
    patterns=(
        pattern(
            "fail last|window|anything|commands|what",
            "last anything commands number runs happened on-here timed-out",
            window=True,
            number=True,
        ),
        pattern("failures", "last commands anything number", window=True, number=True),
        pattern("when fail last", "command already timed-out", subject="needed"),
    ),
    answer=answer,
    by_origin=True,
    # `the error` is the text of one; nobody here knows how long somebody was away.
    unless=re.compile(
        r"\b(?:the|that|this) error\b|\bwas away\b(?!.*\b(?:today|yesterday|this|last|tonight)\b)",
        re.IGNORECASE,
    ),
)
