"""What failed last, today, this week; what timed out where that is asked."""

from __future__ import annotations

from zsh_ls.answers.family import (
    FAILED,
    MEMORY,
    Draft,
    Facts,
    Family,
    Reply,
    during,
    list_length,
    never_ran,
    runs_draft,
)
from zsh_ls.answers.formatting import count, duration, ended, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.words import Outcome


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The last failure, or those of a window; failures and timeouts, not what somebody killed."""
    of_timeouts = "timed-out" in match.concepts
    outcomes = (Outcome.TIMEOUT,) if of_timeouts else FAILED
    failed = "timed out" if of_timeouts else "failed"
    about, records = facts.known(match)
    if match.subjects and not records:
        return never_ran(match, f"when {{}} {failed}")
    which = facts.which(match, about=about, outcomes=outcomes)
    only_last = "last" in match.concepts and not match.window and not match.number
    runs = facts.recall.runs(which, limit=1 if only_last else list_length(match))
    if not runs:
        remembered = count(facts.recall.count(facts.which(match, about=about)), "run")
        of_it = f" of {code_span(about)}" if about else ""
        when = during(match) or " as far as memory goes"
        return Draft("deterministic", f"Nothing {failed}{when}; {remembered}{of_it} remembered.")
    if not only_last:
        return runs_draft(runs, facts.recall.count(which), f"{failed}{during(match)}", facts)
    run = runs[0]
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
)
