"""`zsh/tasks`: the tasks that run, and with `all` the ended ones that are kept."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import TaskList
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/tasks"
RESULT = TaskList


@attrs.frozen
class Params(RequestTokens):
    """Which tasks.

    all: whether the kept ended ones are listed too.
    """

    all: bool = False


async def handle(server: ShellLanguageServer, params: Params) -> TaskList:
    """List them; what others have, and what is left of those that are gone, belongs there from the start."""
    return await (await server.shared_tasks()).tasks(include_ended=params.all)
