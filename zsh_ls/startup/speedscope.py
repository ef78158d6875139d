"""Profiles in speedscope's own file format, which speedscope.app and viewers in editors open.

https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SCHEMA = "https://www.speedscope.app/file-format-schema.json"

Frame = tuple[str, int]
"""A file and a line, from 1; line 0 for what is no line."""


def profile(
    name: str, stacks: Iterable[tuple[float, tuple[Frame, ...]]], exporter: str
) -> dict[str, Any]:
    """A profile of stretches of time, in milliseconds, each with its stack, outermost first."""
    frames: dict[Frame, int] = {}
    samples: list[list[int]] = []
    weights: list[float] = []
    for milliseconds, callers in stacks:
        samples.append([frames.setdefault(it, len(frames)) for it in callers])
        weights.append(round(milliseconds, 4))
    return {
        "$schema": SCHEMA,
        "name": name,
        "exporter": exporter,
        "activeProfileIndex": 0,
        "shared": {"frames": [_frame(*it) for it in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": name,
                "unit": "milliseconds",
                "startValue": 0,
                "endValue": round(sum(weights), 4),
                "samples": samples,
                "weights": weights,
            }
        ],
    }


def _frame(file: str, line: int) -> dict[str, Any]:
    if not line:
        return {"name": file}
    return {"name": f"{file.rpartition('/')[2]}:{line}", "file": file, "line": line}
