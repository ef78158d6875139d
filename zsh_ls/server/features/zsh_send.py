"""`zsh/send`: type into a task that has a terminal or an open standard input."""

from __future__ import annotations

import attrs

from zsh_ls.model.requests import SendRequest
from zsh_ls.model.results import Sent
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/send"
RESULT = Sent


@attrs.frozen
class Params(RequestTokens):
    """What to type, and where.

    task_id: the task, as its result names it.
    input: the text; control keys as they are.
    newline: whether Enter follows.
    eof: whether standard input ends after it.
    """

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False


async def handle(server: ShellLanguageServer, params: Params) -> Sent:
    """Type it; what a shell reads it may execute, so the workspace must be trusted."""
    await server.sidecar_that_runs()
    request = SendRequest(params.task_id, params.input, params.newline, params.eof)
    return await (await server.tasks()).send(request)
