"""What failed last, today, this week; what timed out where that is asked."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import FAILED, during, list_length, runs_draft, unseen
from zsh_ls.answers.say import count, duration, ended, moment
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome

TIMED_OUT = (Outcome.TIMEOUT,)


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """The last failure, or those of a window; failures and timeouts, not what somebody killed."""
    outcomes, failed = (TIMED_OUT, "timed out") if _of_timeouts(reading) else (FAILED, "failed")
    about, records = facts.known(reading)
    if reading.subjects and not records:
        return unseen(reading, f"when {{}} {failed}")
    which = facts.which(reading, about=about, outcomes=outcomes)
    only_last = "last" in reading.concepts and not reading.window and not reading.number
    runs = facts.recall.runs(which, limit=1 if only_last else list_length(reading))
    if not runs:
        return _none(reading, facts, about, failed)
    if only_last:
        return _one(runs[0], facts)
    return runs_draft(runs, facts.recall.count(which), f"{failed}{during(reading)}", facts)


def _of_timeouts(reading: QueryMatch) -> bool:
    return "timed-out" in reading.concepts


def _none(reading: QueryMatch, facts: Facts, about: str, failed: str) -> Draft:
    runs = facts.recall.count(facts.which(reading, about=about))
    what = f" of {code_span(about)}" if about else ""
    when = during(reading) or " as far as memory goes"
    return Draft("deterministic", f"Nothing {failed}{when}; {count(runs, 'run')}{what} remembered.")


def _one(run: RunEntry, facts: Facts) -> Draft:
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
