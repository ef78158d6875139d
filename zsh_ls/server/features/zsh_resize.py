"""`zsh/resize`: give a task's terminal a new size."""

from __future__ import annotations

import attrs

from zsh_ls.model.results import Resized
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/resize"
RESULT = Resized


@attrs.frozen
class Params(RequestTokens):
    """Which task, and the size in characters.

    task_id: the task, as its result names it.
    cols: the width.
    rows: the height.
    """

    task_id: str
    cols: int
    rows: int


async def handle(server: ShellLanguageServer, params: Params) -> Resized:
    """Resize it."""
    return await (await server.tasks()).resize(params.task_id, params.cols, params.rows)
