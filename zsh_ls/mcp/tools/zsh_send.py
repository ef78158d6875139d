"""`zsh_send`: type into a task."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.task_answer import task_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall, reporting_progress
from zsh_ls.model.requests import PollRequest, SendRequest, Until
from zsh_ls.model.results import Sent, TaskResult
from zsh_ls.sidecar.runs.sending import sent_and_heard

NAME = "zsh_send"
TITLE = "Type into a task"
DESCRIPTION = (
    "Type text into a task that has a terminal (pty) or an open input (interactive). "
    'Control keys as they are: "\\u0003" with newline=false is Ctrl-C. eof ends its input. '
    "With listen the answer has what the task said to it: one call instead of two."
)
READ_ONLY, DESTRUCTIVE = False, True
RESULT = Sent | TaskResult


@attrs.frozen
class Arguments:
    """What to type, and where.

    task_id: the id that a result of zsh gives
    input: the text; control keys as they are
    newline: whether Enter follows
    eof: whether standard input ends after it
    listen: seconds to wait for what comes then, 0 to 300; above 0 the answer is the task's
    until: what ends that waiting: output, the end, or a line that matches pattern
    pattern: with until=match: a regular expression for a line (RE2)
    """

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False
    listen: float = 0.0
    until: Until | None = None
    pattern: str | None = None


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Type it, and with `listen` hear what it says to it."""
    request = SendRequest(arguments.task_id, arguments.input, arguments.newline, arguments.eof)
    waits = (arguments.listen, arguments.until, arguments.pattern)
    with reporting_progress(call, lambda progress: progress.task_id == arguments.task_id):
        result = await sent_and_heard(call.sidecar, request, *waits)
    if isinstance(result, Sent):
        return ToolAnswer(result.message, result)
    wait = PollRequest(
        arguments.task_id,
        listen=arguments.listen,
        until=arguments.until or "output",
        pattern=arguments.pattern,
    )
    result = call.waiting.page(task_answer(result, wait))
    return ToolAnswer(result.formatted, result, result.annotations)
