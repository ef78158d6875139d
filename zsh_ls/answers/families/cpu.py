"""Which processor this is and how busy."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import count, share
from zsh_ls.answers.markup import as_text
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.machine import Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Model, CPUs, and the share of them that was busy over the moment of match."""
    use = facts.machine.cpu()
    if isinstance(use, Unavailable):
        return NotKnown.of("how busy the CPU is", use)
    cores = f" on {count(use.physical, 'core')}" if use.physical else ""
    load = facts.machine.load()
    details = (
        () if isinstance(load, Unavailable) else (f"- Load of the last minute: {load.one:.2f}",)
    )
    return Draft(
        "deterministic",
        f"{as_text(use.model)}: {count(use.logical, 'CPU')}{cores}, {share(use.busy_share)} busy just now.",
        details,
    )


FAMILY = Family(
    name="cpu",
    source="the machine, read now",
    examples=("what CPU do I have", "how busy is the processor"),
    patterns=(
        pattern(
            "cpu amount|state|definite|status|busy|kind|have|check",
            "machine amount state status busy kind definite have now under",
        ),
        pattern("machine busy", "definite how-busy now"),
        pattern("cpu", alone=True),
    ),
    answer=answer,
)
