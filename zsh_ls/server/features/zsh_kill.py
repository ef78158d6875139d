"""`zsh/kill`: end a task with all its descendants; the answer comes when nothing is left."""

from __future__ import annotations

import attrs

from zsh_ls.model.results import KillResult
from zsh_ls.model.words import Origin
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/kill"
RESULT = KillResult


@attrs.frozen
class Params(RequestTokens):
    """Which task.

    task_id: the task, as its result names it.
    origin: who asks; an agent is shown no secret of known form.
    """

    task_id: str
    origin: Origin = Origin.EDITOR


async def handle(server: ShellLanguageServer, params: Params) -> KillResult:
    """Kill it."""
    return await (await server.tasks()).kill(params.task_id)
