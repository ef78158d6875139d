"""`zsh_tasks`: everybody's tasks of this workspace."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import MOST_BYTES, checked_skip, clipped, fitting_count, next_call
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.reports import TaskList, TaskSummary
from zsh_ls.sidecar.to_json import to_json

NAME = "zsh_tasks"
TITLE = "List tasks"
DESCRIPTION = (
    "The tasks of this workspace, the person's in the editor too: id, status, time, who started it. "
    "Running ones; with all, those that ended and are kept, and detached ones of other workspaces."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = TaskList


@attrs.frozen
class Arguments:
    """Which tasks.

    all: list the kept ended ones too
    skip: tasks that earlier pages had
    """

    all: bool = False
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """List them."""
    tasks = await call.sidecar.tasks(include_ended=arguments.all)
    shown = [
        attrs.evolve(
            it,
            command=clipped(it.command),
            description=None if it.description is None else clipped(it.description),
        )
        for it in tasks.tasks[checked_skip(arguments.skip) :]
    ]
    lines = [_line(task) for task in shown]
    count = fitting_count(shown, lines, MOST_BYTES - 500)
    fields = to_json(TaskList(tuple(shown[:count]), tasks.count))
    rows = lines[:count]
    if count < len(shown):
        fields["more"] = True
        rows.append(next_call(NAME, {"all": arguments.all}, arguments.skip + count))
    return ToolAnswer("\n".join(rows) or "No tasks.", fields)


def _line(task: TaskSummary) -> str:
    return (
        f"{task.task_id} {task.status}{' detached' if task.detached else ''} {task.elapsed_seconds:.1f}s"
        + ("" if task.exit is None else f" exit={task.exit}")
        + f" {task.output_bytes} bytes by {task.origin}: {task.command}"
        + ("" if task.description is None else f" # {task.description}")
    )
