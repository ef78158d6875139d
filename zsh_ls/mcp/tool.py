"""The interface of an MCP tool: its name, arguments, result and description; and progress while it waits."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import attrs

from zsh_ls.model.results import Annotations, Progress
from zsh_ls.sidecar.remote.failover import FailoverClient
from zsh_ls.system.projects import current_folder

from .paging import Waiting

Report = Callable[[Progress], None]
# The seconds so far, and a line.
Tell = Callable[[float, str], None]

# Fields that repeat the text sent beside the result; an agent pays for every byte.
LEFT_OUT = frozenset({"formatted", "formatted_insight"})


@attrs.frozen
class ToolAnswer:
    """The answer of a tool: the text an agent reads, and the result behind it.

    `annotations` give its audience and priority (ALAN-11).
    """

    text: str
    result: object
    annotations: Annotations | None = None


@attrs.frozen
class ToolCall:
    """One call: the sidecar to ask, where progress goes (None if the client wants none), the shell of runs
    that name none (None: the setting's, also a joined server's), and what earlier
    pages had no room for. `tell` takes progress of what is no task: the seconds so far, and a line.
    """

    sidecar: FailoverClient
    report: Report | None = None
    shell: str | None = None
    waiting: Waiting = attrs.field(factory=Waiting)
    tell: Tell | None = None


class Tool(Protocol):
    """A module of `tools/`. The docstring of `Arguments` describes each of its fields."""

    NAME: str
    TITLE: str
    DESCRIPTION: str
    READ_ONLY: bool
    DESTRUCTIVE: bool
    RESULT: Any
    Arguments: type
    answer: Callable[[ToolCall, Any], Awaitable[ToolAnswer]]


@contextmanager
def reporting_progress(call: ToolCall, is_meant: Callable[[Progress], bool]) -> Iterator[None]:
    """Within the context, progress for which `is_meant` is true goes to clients that asked for it."""
    report = call.report
    if report is None:
        yield
        return

    def on_progress(progress: Progress) -> None:
        # A server that was joined reports everybody's tasks.
        if is_meant(progress):
            report(progress)

    unsubscribe = call.sidecar.on_progress(on_progress)
    try:
        yield
    finally:
        unsubscribe()


def absolute(path: str) -> str:
    """A path that an agent gives: where it is relative, below the folder that its client started us in."""
    if path.startswith("file:"):
        return path
    return os.path.normpath(os.path.join(current_folder() or "/", os.path.expanduser(path)))
