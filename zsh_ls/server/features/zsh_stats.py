"""`zsh/stats`: what is remembered of one command, or in all."""

from __future__ import annotations

import attrs

from zsh_ls.model.results import CommandStats, MemoryStats
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/stats"
RESULT = CommandStats | MemoryStats


@attrs.frozen
class Params(RequestTokens):
    """Of what.

    command: the command; without it, of the whole memory.
    """

    command: str | None = None


async def handle(server: ShellLanguageServer, params: Params) -> CommandStats | MemoryStats:
    """Look it up."""
    sidecar = await server.sidecar()
    if params.command is None:
        return await sidecar.memory_stats()
    return await sidecar.command_stats(params.command)
