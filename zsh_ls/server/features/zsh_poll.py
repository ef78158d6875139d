"""`zsh/poll`: what is new of a task since the last poll, waiting a moment for news."""

from __future__ import annotations

import attrs

from zsh_ls.model.requests import PollRequest, Until
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Origin
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/poll"
RESULT = TaskResult


@attrs.frozen
class Params(RequestTokens):
    """Which task, and how long to wait for what.

    task_id: the task, as its result names it.
    full_output: whether to answer with all output instead of what is new.
    listen: seconds to wait for news, 0 to 300.
    until: what ends the waiting: new output, only the end of the task, or a line that matches `pattern`.
    pattern: what a line has to match, in RE2's syntax; the last line need not be finished.
    origin: who asks; an agent is shown no secret of known form.
    """

    task_id: str
    full_output: bool = False
    listen: float = 2.0
    until: Until = "output"
    pattern: str | None = None
    origin: Origin = Origin.EDITOR


async def handle(server: ShellLanguageServer, params: Params) -> TaskResult:
    """Wait for news and give it; cancelling ends the waiting, not the task."""
    tasks = await server.tasks()
    request = PollRequest(
        params.task_id, params.full_output, params.listen, params.until, params.pattern
    )
    return await tasks.poll(request)
