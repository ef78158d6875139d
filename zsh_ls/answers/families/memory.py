"""How much memory there is, and how much of it is free."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import share, size
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.machine import Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Used means not available: what programs could not get without swapping."""
    use = facts.machine.memory()
    if isinstance(use, Unavailable):
        return NotKnown.of("how much memory is free", use)
    used = use.total_bytes - use.available_bytes
    summary = (
        f"{size(use.available_bytes)} of {size(use.total_bytes)} memory are available;"
        f" {size(used)} are in use ({share(used / use.total_bytes)})."
    )
    swap = "- There is no swap."
    if use.swap_total_bytes:
        swap = f"- Swap: {size(use.swap_used_bytes)} of {size(use.swap_total_bytes)} in use."
    return Draft("deterministic", summary, (swap,))


FAMILY = Family(
    name="memory",
    source="the machine, read now",
    examples=("how much memory is free", "how much RAM do I have"),
    patterns=(
        pattern(
            "memory amount|state|definite|status|check", "machine amount state status definite now"
        ),
        pattern("memory", alone=True),
    ),
    answer=answer,
)
