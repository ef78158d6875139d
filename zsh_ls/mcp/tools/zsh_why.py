"""`zsh_why`: why a run failed."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import checked_skip, page_of_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.answer import Answer

NAME = "zsh_why"
TITLE = "Why a run failed"
DESCRIPTION = (
    "What is known of why a task, or the last failed run here, failed: the exit and what it means for that "
    "program, the failed tests, the lines that say so, when it last passed and what has changed since."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = Answer


@attrs.frozen
class Arguments:
    """The run.

    task_id: of a kept task; the last failed run without
    skip: characters that earlier pages had
    """

    task_id: str | None = None
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Say why."""
    given = await call.sidecar.why_failed(arguments.task_id)
    asked = {"task_id": arguments.task_id}
    return ToolAnswer(*page_of_answer(NAME, asked, given, checked_skip(arguments.skip)))
