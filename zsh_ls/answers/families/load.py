"""The load averages."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import count
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.machine import Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The three averages, and whether more wanted to run than there are CPUs."""
    load = facts.machine.load()
    if isinstance(load, Unavailable):
        return NotKnown.of("the load average", load)
    over = load.one > load.logical_cpus
    against = "more than" if over else "within"
    averages = f"{load.one:.2f}, {load.five:.2f}, {load.fifteen:.2f}"
    return Draft(
        "deterministic",
        f"Load over 1, 5 and 15 minutes: {averages}; {against} the {count(load.logical_cpus, 'CPU')}.",
    )


FAMILY = Family(
    name="load",
    source="the machine, read now",
    examples=("what is the load average", "is this machine under heavy load"),
    patterns=(
        pattern(
            "load definite|status|amount|machine|under|check|how-is",
            "machine busy amount status definite under now",
        ),
        pattern("load-average", "machine amount status definite now"),
        pattern("load", alone=True),
    ),
    answer=answer,
)
