"""`zsh/send`: type into a task that has a terminal or an open standard input."""

from __future__ import annotations

import attrs

from zsh_ls.model.requests import SendRequest, Until
from zsh_ls.model.results import Sent, TaskResult
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.runs.sending import sent_and_heard

METHOD = "zsh/send"
RESULT = Sent | TaskResult


@attrs.frozen
class Params(RequestTokens):
    """What to type, and where.

    task_id: the task, as its result names it.
    input: the text; control keys as they are.
    newline: whether Enter follows.
    eof: whether standard input ends after it.
    listen: seconds to wait for what comes then, 0 to 300; above 0 the answer is the task's.
    until: what ends that waiting: output, the end, or a line that matches `pattern`.
    pattern: what a line of what comes then has to match, in RE2's syntax.
    """

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False
    listen: float = 0.0
    until: Until | None = None
    pattern: str | None = None


async def handle(server: ShellLanguageServer, params: Params) -> Sent | TaskResult:
    """Type it; what a shell reads it may execute, so the workspace must be trusted."""
    await server.sidecar_that_runs()
    request = SendRequest(params.task_id, params.input, params.newline, params.eof)
    waits = (params.listen, params.until, params.pattern)
    return await sent_and_heard(await server.tasks(), request, *waits)
