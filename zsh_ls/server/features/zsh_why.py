"""`zsh/why`: why a run failed, from its exits, its kept output, memory and the machine (ANS-7)."""

from __future__ import annotations

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/why"
RESULT = Answer


@attrs.frozen
class Params(RequestTokens):
    """The run.

    task_id: of a task whose output is kept; the last run of this workspace that failed without.
    """

    task_id: str | None = None


async def handle(server: ShellLanguageServer, params: Params) -> Answer:
    """Say why."""
    return await (await server.tasks()).why_failed(params.task_id)
