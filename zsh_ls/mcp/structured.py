"""The structured half of an answer: complete by itself, little more than its text (2-protocol)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from zsh_ls.model.results import TaskResult
from zsh_ls.sidecar.to_json import to_json

from .paging import MOST_OF_A_NAME, MOST_PLACES_CHARS, clipped
from .tool import LEFT_OUT

# The output names every place that there is; a client whose model reads this half pays for them twice.
PLACES_SHARE = 4
LEAST_PLACES_CHARS = 1_000
# Who called knows the command; of a poll it is told by much less than all of it.
MOST_OF_A_COMMAND = 200
# What the content beside it says (ALAN-11), and what every call of an agent has in common.
LEFT_OUT_OF_TASKS = frozenset({"annotations", "origin"})


def structured(result: object) -> dict[str, Any]:
    """The fields of a tool's result that a client is given."""
    fields: dict[str, Any] = {
        name: value for name, value in to_json(result).items() if name not in LEFT_OUT
    }
    is_task = isinstance(result, TaskResult)
    if isinstance(fields.get("command"), str):
        most = MOST_OF_A_COMMAND if is_task else MOST_OF_A_NAME
        fields["command"] = clipped(fields["command"], most)
    return _of_task(fields) if is_task else fields


def _of_task(fields: dict[str, Any]) -> dict[str, Any]:
    left = {name: value for name, value in fields.items() if name not in LEFT_OUT_OF_TASKS}
    for name in ("has_stdin", "is_pty"):
        if not left[name]:
            del left[name]
    if left["project"] in (None, left["cwd"]):
        del left["project"]
    if left.get("from_line") is None:
        del left["from_line"], left["to_line"]
    if shown := left.pop("verbosity", None):
        left["verbosity"] = {name: value for name, value in shown.items() if value}
    if "places" in left:
        share = len(left["output"]) // PLACES_SHARE
        most = min(max(share, LEAST_PLACES_CHARS), MOST_PLACES_CHARS)
        left["places"] = fitting_places(left["places"], most)
    return left


def fitting_places(places: Sequence[Mapping[str, Any]], most_chars: int) -> list[Mapping[str, Any]]:
    """As many places as `most_chars` of JSON hold, errors before the others, in their order."""
    left, kept = most_chars, set[int]()
    for number in sorted(range(len(places)), key=lambda at: places[at]["severity"] != "error"):
        left -= len(json.dumps(places[number], ensure_ascii=False)) + 2
        if left < 0:
            break
        kept.add(number)
    return [place for number, place in enumerate(places) if number in kept]
