"""What a tool of this door is: its name, what it takes, what it gives, and what it says of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import attrs

from zsh_ls.model.results import Annotations, Progress
from zsh_ls.sidecar.remote.failover import SidecarClient

Report = Callable[[Progress], None]


# The text beside it says the same; an agent pays for every byte.
LEFT_OUT = frozenset({"formatted", "formatted_insight"})


@attrs.frozen
class Said:
    """What a tool answers: the text an agent reads, and the result behind it.

    `annotations` say for whom it is and how much it matters (ALAN-11).
    """

    text: str
    result: object
    annotations: Annotations | None = None


@attrs.frozen
class ToolCall:
    """One call: the sidecar to ask, and where progress goes; None where the client wants none."""

    sidecar: SidecarClient
    report: Report | None = None


class Tool(Protocol):
    """A module of `tools/`. The docstring of `Arguments` describes each of its fields."""

    NAME: str
    TITLE: str
    DESCRIPTION: str
    READ_ONLY: bool
    DESTRUCTIVE: bool
    RESULT: Any
    Arguments: type
    answer: Callable[[ToolCall, Any], Awaitable[Said]]
