"""What varies from day to day, made constant; and a step of the day as text that can be read and compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

# Fields whose value is a name made up for the occasion: the same one stays the same within a part.
NAMES = {"task_id": "task", "token": "token", "resultId": "result"}
# Measured by the shell itself or by the machine's own clock, which nobody can hold.
SESSION = re.compile(r"cli-\d+-\d+")  # the terminal's session on the command line
MEASURED = {"restored_ms", "total_ms", "max_ms", "elapsed_ms"}
# What is installed here, not what the program does.
VERSIONS = {"version", "zsh", "bash", "sh"}
ONE_LINE = 120
NUMBERS_A_LINE = 25  # five semantic tokens
TASK_ID = re.compile(r"\b(?:task_id=|task |output )([0-9a-f]{8})\b")


class Constant:
    """Replaces what varies; keeps the names it has met."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places  # text → what stands for it, longest first
        self._names: dict[str, str] = {}

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value with everything that varies replaced."""
        self._meet(value)
        return self._replaced(value, key)

    def text(self, text: str) -> str:
        """The same of a text."""
        for found in TASK_ID.findall(text):
            self._name("task", found)
        return self._in_text(text)

    def _meet(self, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in NAMES and isinstance(inner, str):
                    self._name(NAMES[key], inner)
                elif key == "serverInfo" and isinstance(inner, dict):
                    self._names[inner["version"]] = "<version>"  # the folder of rule pages bears it
                elif key == "session" and isinstance(inner, dict) and "id" in inner:
                    self._name("session", str(inner["id"]))
                self._meet(inner)
        elif isinstance(value, list):
            for inner in value:
                self._meet(inner)

    def _name(self, kind: str, found: str) -> None:
        if len(found) >= 6 and found not in self._names:
            number = sum(1 for name in self._names.values() if name.startswith(f"<{kind}-")) + 1
            self._names[found] = f"<{kind}-{number}>"

    def _replaced(self, value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {self._in_text(name): self._replaced(it, name) for name, it in value.items()}
        if isinstance(value, list):
            return [self._replaced(it, key) for it in value]
        if key in MEASURED and isinstance(value, int | float):
            return "<ms>"
        if isinstance(value, str):
            if key in VERSIONS and re.match(r"\d+\.\d", value):
                return "<version>"
            return self._in_text(value)
        return value

    def _in_text(self, text: str) -> str:
        for found, name in self._names.items():
            text = text.replace(found, name)
        for place, name in self._places.items():
            text = text.replace(place, name)
        return SESSION.sub("<session>", text)


def readable(value: Any) -> str:
    """JSON with sorted keys, one line for what fits on one, and texts of several lines as lines."""
    return "\n".join(_laid_out(value, "", ""))


def _laid_out(value: Any, indent: str, before: str) -> list[str]:
    compact = json.dumps(value, sort_keys=True, ensure_ascii=False)
    is_text = isinstance(value, str) and "\n" in value.rstrip("\n")
    if not is_text and (not isinstance(value, dict | list) or len(indent + compact) <= ONE_LINE):
        return [f"{indent}{before}{compact}"]
    inner = indent + "  "
    if isinstance(value, dict):
        items = [
            _laid_out(value[key], inner, f"{json.dumps(key, ensure_ascii=False)}: ")
            for key in sorted(value)
        ]
        return [f"{indent}{before}{{", *chain.from_iterable(items), f"{indent}}}"]
    if isinstance(value, str):
        lines = [f"{inner}| {line}".rstrip() for line in value.split("\n")]
        return [f"{indent}{before}text", *lines]
    if all(isinstance(it, int) for it in value):
        rows = [value[at : at + NUMBERS_A_LINE] for at in range(0, len(value), NUMBERS_A_LINE)]
        return [
            f"{indent}{before}[",
            *(f"{inner}{', '.join(map(str, it))}" for it in rows),
            f"{indent}]",
        ]
    listed = chain.from_iterable(_laid_out(it, inner, "") for it in value)
    return [f"{indent}{before}[", *listed, f"{indent}]"]


Change = Callable[[str], str]


def numbers(text: str) -> str:
    """For facts of the machine: any number is as good as another, in whatever unit of size it is told.

    And so is any answer to whether it has swap.
    """
    text = re.sub(r"There is no swap\.|Swap: .* in use\.", "<swap>", text)
    return re.sub(r"\d+(?:[.,]\d+)*(?: [KMGT]iB)?", "<n>", text)


def durations(text: str) -> str:
    """For traces: how long a list took, in whatever unit, padded as it may be."""
    return re.sub(r" *\d+(?:\.\d+)? ?(?:µs|ms|s)\b", " <time>", text)
