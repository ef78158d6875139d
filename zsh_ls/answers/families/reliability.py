"""How often a command fails or works."""

from __future__ import annotations

from zsh_ls.answers.family import (
    MEMORY,
    Draft,
    Facts,
    Family,
    Reply,
    are_of,
    during,
    host_meant,
    never_ran,
    runs_are_cut,
)
from zsh_ls.answers.formatting import count, share
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.lazy import attrs
from zsh_ls.model.words import Outcome

_WORDS = {
    Outcome.FAILURE: "failed",
    Outcome.TIMEOUT: "timed out",
    Outcome.KILLED: "was killed",
}


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Successes of all runs, and how the others ended; plain counts, not weighted by age.

    What exited 0 and hid a failing segment did not succeed (ALAN-15).
    """
    about, records = facts.known(match)
    if not records:
        return host_meant(match, facts) or never_ran(match, "how often {} fails")
    counts = {
        outcome: facts.recall.count(facts.which(match, about=about, outcomes=[outcome]))
        for outcome in Outcome
    }
    if runs_are_cut(match, facts, about, sum(record.runs for record in records)):
        return None
    hid = facts.recall.count(attrs.evolve(facts.which(match, about=about), hiding=True))
    when = during(match)
    learnt = are_of(about, records) and not facts.origins and facts.project is None
    if learnt and not match.window:
        # Older runs than the log's are in the figures of templates.
        counts = {
            Outcome.SUCCESS: sum(record.succeeded for record in records),
            Outcome.FAILURE: sum(record.failed for record in records),
            Outcome.TIMEOUT: sum(record.timed_out for record in records),
            Outcome.KILLED: sum(record.killed for record in records),
        }
        hid = sum(record.hiding for record in records)
    total = sum(counts.values())
    if not total:
        return Draft("deterministic", f"{code_span(about)} did not run{when}.")
    succeeded = counts[Outcome.SUCCESS] - hid
    hid_told = f"hid a failure {count(hid, 'time')}"
    if "fail" in match.concepts:
        failed = counts[Outcome.FAILURE] + counts[Outcome.TIMEOUT]
        never = f"{code_span(about)} never failed in {count(total, 'run')}{when}."
        often = (
            f"{code_span(about)} failed {failed} of {count(total, 'time')}{when}"
            f" ({share(failed / total)})" + (f", and {hid_told}." if hid else ".")
        )
        return Draft(
            "deterministic",
            often if failed or hid else never,
            (f"- succeeded {count(succeeded, 'time')}",),
        )
    return Draft(
        "deterministic",
        f"{code_span(about)} succeeded {succeeded} of {count(total, 'time')}{when}"
        f" ({share(succeeded / total)}).",
        (
            *(
                f"- {word} {count(counts[key], 'time')}"
                for key, word in _WORDS.items()
                if counts[key]
            ),
            *([f"- {hid_told}"] if hid else []),
        ),
    )


FAMILY = Family(
    name="reliability",
    source=MEMORY,
    examples=("how often does npm test fail", "how reliable is git push"),
    patterns=(
        pattern("how-often fail|succeed", "typical command already", subject="needed", window=True),
        pattern("fail|succeed rate", "command typical", subject="needed", window=True),
        pattern("reliable", "command typical already", subject="needed", window=True),
        pattern("typical fail|succeed", "command", subject="needed", window=True),
    ),
    answer=answer,
    by_origin=True,
)
