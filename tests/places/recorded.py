"""The recordings: what real tools printed, and the places that a person reading it would go to.

`recordings/NAME.out` is the output as it was written, `NAME.json` the command, its shell, whether it
had a terminal, the files that were there (below FOLDER, in which it ran) and the places, written by
hand before there was any code. Those `kept_aside` were not looked at while formats were written. Those
of `round` 2 were recorded later, of other projects and newer tools, to see what holds of files that
nobody had tuned a format on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs

FOLDER = "/w"
RECORDINGS = Path(__file__).with_name("recordings")


@attrs.frozen
class Recording:
    """One run of a tool, and the places in its output (the names are those of the wire)."""

    name: str
    command: str
    shell: str
    kept_aside: bool
    round: int
    output: bytes
    files: frozenset[str]
    places: tuple[dict[str, Any], ...]


def recordings() -> list[Recording]:
    """All of them, by name."""
    found = []
    for path in sorted(RECORDINGS.glob("*.json")):
        written = json.loads(path.read_text())
        found.append(
            Recording(
                name=path.stem,
                command=written["command"],
                shell=written["shell"],
                kept_aside=written["kept_aside"],
                round=written.get("round", 1),
                output=path.with_suffix(".out").read_bytes(),
                files=frozenset(f"{FOLDER}/{file}" for file in written["files"]),
                places=tuple(
                    {**place, "file": f"{FOLDER}/{place['file']}"} for place in written["places"]
                ),
            )
        )
    return found
