"""`zsh/stats`: what is remembered of one command, or in all."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import CommandStats, MemoryStats
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.config import THIS_PROJECT

METHOD = "zsh/stats"
RESULT = CommandStats | MemoryStats


@attrs.frozen
class Params(RequestTokens):
    """Of what.

    command: the command; without it, of the whole memory.
    project: a folder, or null for everywhere; without it, the workspace's project.
    """

    command: str | None = None
    project: str | None = THIS_PROJECT


async def handle(server: ShellLanguageServer, params: Params) -> CommandStats | MemoryStats:
    """Look it up."""
    sidecar = await server.sidecar()
    if params.command is None:
        return await sidecar.memory_stats(params.project)
    return await sidecar.command_stats(params.command, params.project)
