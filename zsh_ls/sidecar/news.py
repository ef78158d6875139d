"""News of running tasks on its way out: `zsh/progress`, joined while the client is slow to read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

import attrs

from zsh_ls.model.results import Progress

LARGEST_TEXT_CHARS = 4 * 1024 * 1024

Said = TypeVar("Said")
log = logging.getLogger(__name__)


class News:
    """Hands on each Progress at once, or, while it is held, one joined Progress a task afterwards."""

    def __init__(self, tell: Callable[[Progress], None]) -> None:
        self._tell = tell
        self._waiting: dict[str, Progress] = {}
        self.held = False

    def heard(self, progress: Progress) -> None:
        """Something is new of a task."""
        if not self.held:
            self._tell(progress)
            return
        before = self._waiting.get(progress.task_id)
        self._waiting[progress.task_id] = progress if before is None else joined(before, progress)

    def release(self) -> None:
        """The client reads again: tell what was held back."""
        self.held = False
        waiting, self._waiting = self._waiting, {}
        for progress in waiting.values():
            self.heard(progress)


def joined(earlier: Progress, later: Progress) -> Progress:
    """Both as one. Of more text than one message carries the first lines are left out.

    `from_line` then says where the text begins; the whole can be asked for with `zsh/output`.
    """
    text = earlier.output + later.output
    from_line = earlier.from_line if earlier.from_line is not None else later.from_line
    if len(text) > LARGEST_TEXT_CHARS and from_line is not None:
        cut = _line_start(text, len(text) - LARGEST_TEXT_CHARS)
        from_line += text.count("\n", 0, cut)
        text = text[cut:]
    return attrs.evolve(
        later,
        output=text,
        from_line=from_line,
        to_line=later.to_line if later.to_line is not None else earlier.to_line,
        new_bytes=earlier.new_bytes + later.new_bytes,
    )


def _line_start(text: str, at: int) -> int:
    """The first beginning of a line from `at` on; `at` itself where there is none before the end."""
    start = text.find("\n", at - 1) + 1
    return start if 0 < start < len(text) else at


def last_line(text: str) -> str:
    """The last line of `text` that says something."""
    lines = (line.strip() for line in reversed(text[-2000:].splitlines()))
    return next(filter(None, lines), "")


def heard_by_all(listeners: Iterable[Callable[[Said], None]], said: Said) -> None:
    """Tell every listener; one that fails takes nothing from the others, nor from what it is told of."""
    for listener in tuple(listeners):
        try:
            listener(said)
        except Exception as fault:
            log.error("a listener failed", exc_info=fault)
