"""`zsh_poll`: what is new of a task."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.task_answer import task_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall, reporting_progress
from zsh_ls.model.requests import PollRequest, Until
from zsh_ls.model.results import TaskResult

NAME = "zsh_poll"
TITLE = "Wait for a task"
DESCRIPTION = (
    "What is new of a running task since the last poll, with line numbers. Returns as soon as there is "
    "output, or after listen seconds. One call with until=end and a long listen stands for forty polls: "
    "prefer it. poll_meta says how long such a run usually takes, when asking again is worth it "
    "(next_useful_poll_s) and whether it waits for input. After a run's answer with more=true it brings the "
    "next page."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = TaskResult


@attrs.frozen
class Arguments:
    """Which task, and how long to wait for what.

    task_id: the id that a result of zsh gives
    full_output: answer with all output instead of what is new
    listen: seconds to wait for news, 0 to 300
    until: what ends the waiting: new output, the end of the task, a line that matches pattern
    pattern: with until=match: a regular expression for a line (RE2)
    """

    task_id: str
    full_output: bool = False
    listen: float = 2.0
    until: Until = "output"
    pattern: str | None = None


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Wait for news and give it; cancelling ends the waiting, not the task."""
    request = PollRequest(
        arguments.task_id,
        arguments.full_output,
        arguments.listen,
        arguments.until,
        arguments.pattern,
    )
    waiting = call.waiting.take(arguments.task_id)
    if waiting is not None and not arguments.full_output:
        result = call.waiting.page(waiting)
        return ToolAnswer(result.formatted, result, result.annotations)
    with reporting_progress(call, lambda progress: progress.task_id == arguments.task_id):
        polled = await call.sidecar.poll(request)
        result = call.waiting.page(task_answer(polled, request))
    return ToolAnswer(result.formatted, result, result.annotations)
