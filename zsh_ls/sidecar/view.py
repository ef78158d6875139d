"""Which part of a task's output an answer shows, and what is said about the rest (VERB-4, RUN-12)."""

from __future__ import annotations

from typing import Literal

import attrs

from zsh_ls.model.results import Verbosity
from zsh_ls.model.words import Status
from zsh_ls.tasks import Delta

from .watch import Watch

MESSAGE_BYTES = 4 * 1024 * 1024


@attrs.frozen
class View:
    """Text for one answer: lines `from_line` to `to_line` of the whole, up to byte `cursor`."""

    output: str
    from_line: int | None
    to_line: int | None
    new_bytes: int
    cursor: int
    verbosity: Verbosity
    more: bool = False

    @property
    def is_uncut(self) -> bool:
        """Whether every line of its range is there, so that lines can be numbered."""
        return self.verbosity.omitted_lines == 0


def news(watch: Watch, cursor: int) -> View:
    """What a task has printed since `cursor`, uncut."""
    return _uncut(watch, watch.task.output.delta(cursor, MESSAGE_BYTES))


def whole(watch: Watch) -> View:
    """Everything from the first line, as much as one message carries."""
    return _uncut(watch, watch.task.output.delta(0, MESSAGE_BYTES))


def final_view(watch: Watch, cursor: int) -> View:
    """The resolver's view of what an ended task's observer has not seen."""
    return news(watch, cursor)


def _uncut(watch: Watch, delta: Delta) -> View:
    lines = delta.to_line - delta.from_line + 1 if delta.from_line and delta.to_line else 0
    verbosity = Verbosity("command", "full", _state(watch), lines, 0, (), None)
    return View(
        delta.text,
        delta.from_line,
        delta.to_line,
        delta.new_bytes,
        delta.cursor,
        verbosity,
        delta.more,
    )


def _state(watch: Watch) -> Literal["running", "success", "failed", "timed out"]:
    if not watch.judged.is_set():
        return "running"
    if watch.task.status is Status.TIMEOUT:
        return "timed out"
    return "success" if watch.task.exit == 0 else "failed"
