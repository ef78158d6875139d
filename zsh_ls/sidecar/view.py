"""Which part of a task's output an answer shows, and what is said about the rest (VERB-4, RUN-12)."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from zsh_ls.model.results import Verbosity
from zsh_ls.model.words import Status
from zsh_ls.tasks import Delta, Output
from zsh_ls.verbosity import Recorded, Shown, operation_of, resolve

from . import saved_output
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
    """What a running task has printed since `cursor`, uncut."""
    return _uncut(watch, watch.task.output.delta(cursor, MESSAGE_BYTES), "running")


def whole(watch: Watch) -> View:
    """Everything from the first line, as much as one message carries."""
    state = "running" if not watch.judged.is_set() else _shown(watch, 0).verbosity.state
    return _uncut(watch, watch.task.output.delta(0, MESSAGE_BYTES), state)


def final_view(watch: Watch, cursor: int) -> View:
    """The resolver's view of what an ended task's observer has not seen; of a failed test, all of it."""
    ...
