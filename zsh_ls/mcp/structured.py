"""The structured half of an answer: complete by itself, no heavier than its text (2-protocol)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from zsh_ls.model.results import TaskResult
from zsh_ls.sidecar.to_json import to_json

from .paging import MOST_OF_A_NAME, MOST_PLACES_CHARS, clipped
from .tool import LEFT_OUT

# The output names every place that there is; a client whose model reads this half pays for them twice.
PLACES_SHARE = 40
LEAST_PLACES_CHARS = 300
MOST_OF_A_MESSAGE = 60
# Of a task: what its caller gave or its other fields say (a cut output begins with what was cut), and what
# the content beside it says (ALAN-11).
LEFT_OUT_OF_TASKS = frozenset(
    {"annotations", "command", "new_bytes", "origin", "project", "shell", "success", "verbosity"}
)


def structured(result: object) -> dict[str, Any]:
    """The fields of a tool's result that a client is given."""
    fields: dict[str, Any] = {
        name: value for name, value in to_json(result).items() if name not in LEFT_OUT
    }
    if isinstance(result, TaskResult):
        told = _of_task(fields)
        return told if result.ends_at_s is None else told | {"ends_at_s": result.ends_at_s}
    if isinstance(fields.get("command"), str):
        fields["command"] = clipped(fields["command"], MOST_OF_A_NAME)
    return fields


def _of_task(fields: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in fields.items() if name not in LEFT_OUT_OF_TASKS}
    for name in ("has_stdin", "is_pty"):
        if not left[name]:
            del left[name]
    if "session" not in left:
        # A session goes on where its last run left it; else the caller knows the folder.
        del left["cwd"]
    if left["from_line"] in (None, 1) and "more" not in left:
        del left["from_line"], left["to_line"]
    if "places" in left:
        share = len(left["output"]) // PLACES_SHARE
        most = min(max(share, LEAST_PLACES_CHARS), MOST_PLACES_CHARS)
        short = [
            it | {"message": clipped(it["message"], MOST_OF_A_MESSAGE)} for it in left["places"]
        ]
        left["places"] = fitting_places(short, most)
    return left


def fitting_places(places: Sequence[Mapping[str, Any]], most_chars: int) -> list[Mapping[str, Any]]:
    """As many places as `most_chars` of JSON hold, one at least: errors before others, in their order."""
    left, kept = most_chars, set[int]()
    for number in sorted(range(len(places)), key=lambda at: places[at]["severity"] != "error"):
        left -= len(json.dumps(places[number], ensure_ascii=False)) + 2
        if left < 0 and kept:
            break
        kept.add(number)
    return [place for number, place in enumerate(places) if number in kept]
