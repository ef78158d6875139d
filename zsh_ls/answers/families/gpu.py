"""The graphics cards and their memory."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import share, size
from zsh_ls.answers.markup import as_text
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.machine import Gpu, Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Name, memory and use of each card, as far as its driver tells."""
    gpus = facts.machine.gpus()
    if isinstance(gpus, Unavailable):
        return NotKnown.of("GPU memory usage", gpus)
    first, *others = map(_line, gpus)
    return Draft("deterministic", f"{first}.", tuple(f"- {other}" for other in others))


def _line(gpu: Gpu) -> str:
    parts = [as_text(gpu.name)]
    if gpu.used_bytes is not None and gpu.total_bytes:
        used = f"{size(gpu.used_bytes)} of {size(gpu.total_bytes)}"
        free = size(gpu.total_bytes - gpu.used_bytes)
        parts.append(
            f"{used} memory in use ({share(gpu.used_bytes / gpu.total_bytes)}), {free} free"
        )
    else:
        parts.append("its driver does not tell its memory")
    if gpu.busy_share is not None:
        parts.append(f"{share(gpu.busy_share)} busy")
    return ", ".join(parts)


FAMILY = Family(
    name="gpu",
    source="the machine, read now",
    examples=("how much VRAM is free", "what graphics card do I have"),
    patterns=(
        pattern(
            "gpu amount|state|definite|status|busy|kind|have|check",
            "machine amount state status busy kind definite have now memory",
        ),
        pattern("gpu", "memory", alone=True),
    ),
    answer=answer,
)
