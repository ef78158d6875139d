"""`zsh_send`: type into a task."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.requests import SendRequest
from zsh_ls.model.results import Sent

NAME = "zsh_send"
TITLE = "Type into a task"
DESCRIPTION = (
    "Type text into a task that has a terminal (pty) or an open input (interactive). "
    'Control keys as they are: "\\u0003" with newline=false is Ctrl-C. eof ends its input.'
)
READ_ONLY, DESTRUCTIVE = False, True
RESULT = Sent


@attrs.frozen
class Arguments:
    """What to type, and where.

    task_id: the task, as its result names it
    input: the text; control keys as they are
    newline: whether Enter follows
    eof: whether standard input ends after it
    """

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Type it."""
    request = SendRequest(arguments.task_id, arguments.input, arguments.newline, arguments.eof)
    sent = await call.sidecar.send(request)
    return ToolAnswer(sent.message, sent)
