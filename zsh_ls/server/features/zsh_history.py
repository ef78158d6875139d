"""`zsh/history`: the lines that were run, by folder (PROMPT-2)."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import HistoryPage
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.config import HISTORY_LIMIT, THIS_PROJECT

METHOD = "zsh/history"
RESULT = HistoryPage


@attrs.frozen
class Params(RequestTokens):
    """Which lines.

    query: words that the line holds, in any order and case; without it, all lines.
    project: a folder, or null for everywhere; without it, the workspace's project.
    limit: how many, the newest first.
    """

    query: str | None = None
    project: str | None = THIS_PROJECT
    limit: int = HISTORY_LIMIT


async def handle(server: ShellLanguageServer, params: Params) -> HistoryPage:
    """Look them up."""
    sidecar = await server.sidecar()
    return await sidecar.history(params.query or "", params.project, params.limit)
