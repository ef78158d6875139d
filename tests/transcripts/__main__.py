"""`python -m tests.transcripts record|compare [PART…]`."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from . import agents, cli, plain, shared, wire
from .transcript import Part
from .world import world

GOLDEN = Path(__file__).parent / "golden"
PARTS: dict[str, Part] = {
    "wire": wire.record,
    "plain": plain.record,
    "cli": cli.record,
    "mcp": agents.record,
    "shared": shared.record,
}


def played(part: str) -> str:
    """One part of the day, as text."""
    with world() as today:
        return PARTS[part](today).text()


def difference(part: str) -> str:
    """What differs today from what is written down; empty if nothing does."""
    path = GOLDEN / f"{part}.txt"
    written = path.read_text().splitlines() if path.exists() else []
    today = played(part).splitlines()
    return "\n".join(difflib.unified_diff(written, today, path.name, "today", lineterm="", n=6))


def main(arguments: Sequence[str]) -> int:
    """Record or compare; gives the exit status."""
    if (
        not arguments
        or arguments[0] not in ("record", "compare")
        or set(arguments[1:]) - set(PARTS)
    ):
        print(
            f"usage: python -m tests.transcripts record|compare [{'|'.join(PARTS)}…]",
            file=sys.stderr,
        )
        return 2
    differing = []
    for part in arguments[1:] or PARTS:
        if arguments[0] == "record":
            GOLDEN.mkdir(exist_ok=True)
            (GOLDEN / f"{part}.txt").write_text(played(part))
        elif found := difference(part):
            differing.append(part)
            print(found)
    if arguments[0] == "compare":
        print(f"differ: {', '.join(differing)}" if differing else "no difference")
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
