"""What a command gave, for editors that show no result of one: a lens that was clicked must say something.

The answer of `workspace/executeCommand` is thrown away by a general client. One
that has not declared `experimental.zshLs` is therefore shown a message, of what
a person chose to run or to ask, when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types

from zsh_ls.model.results import Progress
from zsh_ls.model.words import Status

CHOSEN = frozenset({"zsh/run", "zsh/runScript", "zsh/explain", "zsh/ask"})
MOST_LINES = 20
LONGEST = 2_000
MOST_WAITING = 100

Show = Callable[[types.ShowMessageParams], None]


class Showing:
    """Shows each result once: with its answer, or when its task has ended."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._waiting: dict[str, None] = {}

    def answered(self, method: str, result: Any) -> None:
        """A command was answered with `result`, as it goes over the wire."""
        if method not in CHOSEN or not isinstance(result, Mapping):
            return
        if result.get("status") == Status.RUNNING.value:
            self._waiting[result["task_id"]] = None
            if len(self._waiting) > MOST_WAITING:
                del self._waiting[next(iter(self._waiting))]
            return
        text = result.get("formatted") or result.get("text") or ""
        self._say(text, failed=result.get("success") is False or result.get("kind") == "error")

    def heard(self, progress: Progress) -> None:
        """News of a task came: at its end, what a command of this client began is shown."""
        if progress.status is not Status.RUNNING and progress.task_id in self._waiting:
            del self._waiting[progress.task_id]
            failed = progress.status is not Status.COMPLETED or progress.exit != 0
            self._say(progress.formatted or "", failed=failed)

    def _say(self, text: str, *, failed: bool) -> None:
        """The end of a text, for there stands the status line."""
        lines = text.splitlines()
        shown = "\n".join((["…"] if len(lines) > MOST_LINES else []) + lines[-MOST_LINES:])
        if shown:
            kind = types.MessageType.Error if failed else types.MessageType.Info
            self._show(types.ShowMessageParams(kind, shown[-LONGEST:]))
