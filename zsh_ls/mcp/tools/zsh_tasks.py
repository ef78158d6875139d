"""`zsh_tasks`: everybody's tasks of this workspace."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.results import TaskList

NAME = "zsh_tasks"
TITLE = "List tasks"
DESCRIPTION = (
    "The tasks of this workspace, the person's in the editor too: id, status, time, who started it. "
    "Running ones; with all, those that ended and are kept."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = TaskList


@attrs.frozen
class Arguments:
    """Which tasks.

    all: list the kept ended ones too
    """

    all: bool = False


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """List them."""
    tasks = await call.sidecar.tasks(include_ended=arguments.all)
    lines = [
        f"{task.task_id} {task.status} {task.elapsed_seconds:.1f}s"
        + ("" if task.exit is None else f" exit={task.exit}")
        + f" {task.output_bytes} bytes by {task.origin}: {task.command}"
        + ("" if task.description is None else f" # {task.description}")
        for task in tasks.tasks
    ]
    return ToolAnswer("\n".join(lines) or "No tasks.", tasks)
