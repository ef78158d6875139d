"""What a command gave, for editors that show no result of one: a lens that was clicked must say something.

The answer of `workspace/executeCommand` is thrown away by a general client. One
that has not declared `experimental.zshLs` is therefore shown a message, of what
a person chose to run or to ask, when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from lsprotocol import types

from zsh_ls.model.results import Progress
from zsh_ls.model.words import Status

CHOSEN = frozenset({"zsh/run", "zsh/runScript", "zsh/explain", "zsh/ask"})
MOST_LINES = 20
LONGEST = 2_000
KEPT_TASKS = 32

Show = Callable[[types.ShowMessageParams], None]


@attrs.define
class _Heard:
    """The end of what a task has printed so far, and whether that is all."""

    text: str = ""
    is_over: bool = False
    failed: bool = False


class MessageFallback:
    """Shows each result once: with its answer, or when its task has ended."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._waiting: set[str] = set()
        self._heard: dict[str, _Heard] = {}

    def answered(self, method: str, result: Any) -> None:
        """A command was answered with `result`, as it goes over the wire."""
        if method not in CHOSEN or not isinstance(result, Mapping):
            return
        if result.get("status") == Status.RUNNING.value:
            self._waiting.add(result["task_id"])
            self._tell(result["task_id"])
            return
        text = result.get("formatted") or result.get("text") or ""
        self._say(text, failed=result.get("success") is False or result.get("kind") == "error")

    def heard(self, progress: Progress) -> None:
        """News of a task: each brings what was printed since the one before."""
        heard = self._heard.setdefault(progress.task_id, _Heard())
        heard.is_over = progress.status is not Status.RUNNING
        heard.failed = progress.status is not Status.COMPLETED or progress.exit != 0
        new = progress.formatted if heard.is_over else progress.output
        heard.text = (heard.text + (new or ""))[-LONGEST:]
        if len(self._heard) > KEPT_TASKS:
            self._heard.pop(next(iter(self._heard)))
        self._tell(progress.task_id)

    def _tell(self, task_id: str) -> None:
        """Show what a command began, once it is over."""
        heard = self._heard.get(task_id)
        if heard is not None and heard.is_over and task_id in self._waiting:
            self._waiting.discard(task_id)
            del self._heard[task_id]
            self._say(heard.text, failed=heard.failed)

    def _say(self, text: str, *, failed: bool) -> None:
        """The end of a text, for there stands the status line."""
        lines = text.splitlines()
        shown = "\n".join((["…"] if len(lines) > MOST_LINES else []) + lines[-MOST_LINES:])
        if shown:
            kind = types.MessageType.Error if failed else types.MessageType.Info
            self._show(types.ShowMessageParams(kind, shown[-LONGEST:]))
