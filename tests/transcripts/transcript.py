"""A part of the day as it is written down: numbered steps, what was asked, what a user saw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .plain_text import Change, Constant, readable
from .world import MADE_UP_TOKEN, World


def _unchanged(text: str) -> str:
    return text


class Transcript:
    """Collects the steps of one part."""

    def __init__(self, world: World) -> None:
        self.constant = Constant({str(world.folder): "<day>", MADE_UP_TOKEN: "<made-up token>"})
        self._steps: list[str] = []
        self.covered: set[str] = set()

    def step(
        self, title: str, asked: Any, seen: Any, change: Change = _unchanged, covers: str = ""
    ) -> None:
        """Write down one step; `asked` and `seen` are JSON values or texts."""
        number = len(self._steps) + 1
        parts = [f"==== {number:03} {title}"]
        # What was seen first: it names what the next step asks for.
        shown = _text(self.constant, seen)
        if asked is not None:
            parts += ["---- asked", _text(self.constant, asked)]
        parts += ["---- seen", change(shown)]
        self._steps.append("\n".join(parts) + "\n")
        self.covered.add(covers or title.partition(":")[0])

    def text(self) -> str:
        """The whole part."""
        return "\n".join(self._steps)


def _text(constant: Constant, value: Any) -> str:
    return (
        constant.text(value).rstrip("\n")
        if isinstance(value, str)
        else readable(constant.value(value))
    )


Part = Callable[[World], Transcript]
