"""A result as another process sent it, for those who show it and load nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from .words import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ReceivedResult:
    """What is shown of a `TaskResult` that came as JSON; what is not in it is None.

    `is_cut` is whether its output has fewer lines than the command printed.
    """

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.task_id: str = answer["task_id"]
        self.status = Status(answer["status"])
        self.output: str = answer["output"]
        self.from_line: int | None = answer["from_line"]
        self.elapsed_seconds: float = answer["elapsed_seconds"]
        self.has_stdin: bool = answer["has_stdin"]
        self.exit: int | None = answer.get("exit")
        self.pipestatus: list[int] | None = answer.get("pipestatus")
        self.signal: int | None = answer.get("signal")
        self.insights: Mapping[str, list[str]] | None = answer.get("insights")
        self.error: str | None = answer.get("error")
        self.is_cut = bool((answer.get("verbosity") or {}).get("omitted_lines"))
