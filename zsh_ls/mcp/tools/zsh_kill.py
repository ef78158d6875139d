"""`zsh_kill`: end a task with all its descendants."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import MOST_BYTES, page_of_text
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.results import KillResult
from zsh_ls.sidecar.to_json import to_json

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

    task_id: the id that a result of zsh gives
    """

    task_id: str


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Kill it."""
    killed = await call.sidecar.kill(arguments.task_id)
    # What there is no room for is in zsh_output, as of every task.
    output, following = page_of_text(killed.output, 0, MOST_BYTES - 2_000)
    killed = attrs.evolve(killed, output=output)
    parts = (killed.output.rstrip("\n"), killed.message, killed.formatted_insight)
    fields = to_json(killed)
    if following is None:
        return ToolAnswer("\n".join(filter(None, parts)), fields)
    fields["more"] = True
    pointer = f"more: zsh_output task_id={killed.task_id}"
    return ToolAnswer("\n".join(filter(None, (*parts, pointer))), fields)
