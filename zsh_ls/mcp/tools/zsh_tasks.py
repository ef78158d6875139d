"""`zsh_tasks`: everybody's tasks of this workspace."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import Said, ToolCall
from zsh_ls.model.results import TaskList, TaskSummary

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


async def answer(call: ToolCall, arguments: Arguments) -> Said:
    """List them."""
    tasks = await call.sidecar.tasks(include_ended=arguments.all)
    return Said("\n".join(map(_line, tasks.tasks)) or "No tasks.", tasks)


def _line(task: TaskSummary) -> str:
    exit_status = "" if task.exit is None else f" exit={task.exit}"
    return (
        f"{task.task_id} {task.status} {task.elapsed_seconds:.1f}s{exit_status}"
        f" {task.output_bytes} bytes by {task.origin}: {task.command}"
    )
