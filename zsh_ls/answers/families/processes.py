"""Which processes take the most memory or CPU."""

from __future__ import annotations

from operator import attrgetter

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply, list_length
from zsh_ls.answers.formatting import share, size
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.lazy import re
from zsh_ls.model.machine import Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """By CPU where that was asked, else by resident memory."""
    found = facts.machine.processes()
    if isinstance(found, Unavailable):
        return NotKnown.of("which processes run", found)
    by_cpu = "cpu" in match.concepts
    use = attrgetter("cpu_share" if by_cpu else "resident_bytes")
    ordered = sorted(found, key=use, reverse=True)[: list_length(match)]
    if not ordered:
        return None
    first = ordered[0]
    much = (
        f"{share(first.cpu_share)} of a CPU" if by_cpu else f"{size(first.resident_bytes)} memory"
    )
    summary = f"{code_span(first.name)} (process {first.pid}) takes the most: {much}."
    lines = (
        f"- {code_span(process.name)} (process {process.pid}):"
        f" {size(process.resident_bytes)} memory, {share(process.cpu_share)} of a CPU"
        for process in ordered
    )
    return Draft("deterministic", summary, tuple(lines))


FAMILY = Family(
    name="processes",
    source="the machine, read now",
    examples=("what is eating my memory", "which process uses the most CPU"),
    patterns=(
        pattern(
            "what|process eat memory|cpu", "most definite machine process state now", number=True
        ),
        pattern("culprit eat memory|cpu", "most definite machine state now"),
        pattern("process check|running", "most definite machine now", number=True),
        pattern("most process", "memory cpu eat definite machine by now hog", number=True),
        pattern("most memory|cpu hog", "process definite machine now", number=True),
        pattern("memory|cpu hog", "process most definite machine now", number=True),
        pattern("process memory|cpu state|by", "most definite machine now", number=True),
    ),
    answer=answer,
    # What still goes on is asked of tasks.
    unless=re.compile(r"\bstill (?:going|running|up|at it)\b", re.IGNORECASE),
)
