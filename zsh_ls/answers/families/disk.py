"""How full the file systems are."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import share, size
from zsh_ls.answers.markup import as_text, code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.lazy import re
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import Filesystem, Unavailable

# Above it a file system is worth a warning; the bound the format's origin uses.
NEARLY_FULL = 0.85
MAX_FILESYSTEMS = 10


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The fullest first; full is reckoned as df does, of what users can have."""
    found = facts.machine.filesystems()
    if isinstance(found, Unavailable) or not found:
        fact = found if isinstance(found, Unavailable) else _NO_DISK
        return NotKnown.of("how full the disks are", fact)
    fullest = sorted(found, key=full_share, reverse=True)[:MAX_FILESYSTEMS]
    asked = next((path for name, path in _PLACES.items() if name in match.concepts), None)
    if asked is not None and (one := filesystem_of(asked, found)) is not None:
        return Draft("deterministic", f"{told(one, asked)}.")
    root = next((system for system in found if system.mount == "/"), fullest[0])
    summary = (
        f"{size(root.available_bytes)} of {size(root.total_bytes)} are free on"
        f" {code_span(root.mount)} ({share(full_share(root))} used)."
    )
    return Draft("deterministic", summary, tuple(map(_line, fullest)))


_NO_DISK = Unavailable(
    "no file system on a disk is mounted", "a mounted disk", (ProposedCommand("df -h"),)
)


_PLACES = {"root-mount": "/", "home-mount": "/home", "tmp-mount": "/tmp", "var-mount": "/var"}


def filesystem_of(path: str, systems: Sequence[Filesystem]) -> Filesystem | None:
    """The file system that holds a path: the one with the longest mount point above it."""
    above = [
        it for it in systems if path == it.mount or path.startswith(it.mount.rstrip("/") + "/")
    ]
    return max(above, key=lambda it: len(it.mount), default=None)


def told(system: Filesystem, path: str) -> str:
    """How full the file system of a path is, by the names of both."""
    place = code_span(path) if path == system.mount else f"{code_span(path)} is on"
    held = "is" if path == system.mount else f"{code_span(system.mount)}, which is"
    return (
        f"{place} {held} {share(full_share(system))} full: {size(system.available_bytes)} of"
        f" {size(system.total_bytes)} are free, {size(system.used_bytes)} used"
    )


def full_share(system: Filesystem) -> float:
    """Used of used and available: blocks reserved for root count as neither, as in df(1)."""
    reachable = system.used_bytes + system.available_bytes
    return system.used_bytes / reachable if reachable else 0.0


def _line(system: Filesystem) -> str:
    full = full_share(system)
    lead = "Warning: nearly full: " if full >= NEARLY_FULL else ""
    sizes = f"{size(system.available_bytes)} of {size(system.total_bytes)} free"
    return (
        f"- {lead}{code_span(system.mount)} ({as_text(system.kind)}): {sizes}, {share(full)} used"
    )


FAMILY = Family(
    name="disk",
    source="the machine, read now",
    examples=("how much disk space is left", "is my disk full"),
    patterns=(
        pattern(
            "disk|space amount|state|definite|status|check",
            "machine amount state status definite now disk root-mount home-mount tmp-mount var-mount",
        ),
        pattern("disk|space", "disk", alone=True),
    ),
    answer=answer,
    # Of several the fullest is meant, which everyday questions name.
    unless=re.compile(r"\bwhich of (?:the|my) (?:disk|drive|partition|volume)s?\b", re.IGNORECASE),
)
