"""Which processes take the most memory or CPU."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.remembered import list_length
from zsh_ls.answers.say import share, size
from zsh_ls.model.machine import ProcessFacts, Unavailable


def answer(reading: QueryMatch, facts: Facts) -> Reply:
    """By CPU where that was asked, else by resident memory."""
    found = facts.machine.processes()
    if isinstance(found, Unavailable):
        return NotKnown.of("which processes run", found)
    by_cpu = "cpu" in reading.concepts
    ordered = sorted(found, key=_cpu if by_cpu else _memory, reverse=True)[: list_length(reading)]
    if not ordered:
        return None
    first = ordered[0]
    much = (
        f"{share(first.cpu_share)} of a CPU" if by_cpu else f"{size(first.resident_bytes)} memory"
    )
    summary = f"{code_span(first.name)} (process {first.pid}) takes the most: {much}."
    return Draft("deterministic", summary, tuple(map(_line, ordered)))


def _cpu(process: ProcessFacts) -> float:
    return process.cpu_share


def _memory(process: ProcessFacts) -> int:
    return process.resident_bytes


def _line(process: ProcessFacts) -> str:
    use = f"{size(process.resident_bytes)} memory, {share(process.cpu_share)} of a CPU"
    return f"- {code_span(process.name)} (process {process.pid}): {use}"


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
)
