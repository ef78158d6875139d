"""`zsh_kill`: end a task with all its descendants."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.results import KillResult

NAME = "zsh_kill"
TITLE = "Stop a task"
DESCRIPTION = (
    "End a task with all its descendants (TERM, then KILL) and nothing else; answers when nothing is "
    "left, with the output not seen yet and whether such a run usually takes longer."
)
READ_ONLY, DESTRUCTIVE = False, True
RESULT = KillResult


@attrs.frozen
class Arguments:
    """Which task.

    task_id: the task, as its result names it
    """

    task_id: str


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Kill it."""
    killed = await call.sidecar.kill(arguments.task_id)
    parts = (killed.output.rstrip("\n"), killed.message, killed.formatted_insight)
    return ToolAnswer("\n".join(filter(None, parts)), killed)
