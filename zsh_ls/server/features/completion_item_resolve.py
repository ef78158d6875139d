"""`completionItem/resolve`: adds the description of a program from its manual page."""

from __future__ import annotations

import attrs
from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.COMPLETION_ITEM_RESOLVE


async def handle(server: ShellLanguageServer, item: types.CompletionItem) -> types.CompletionItem:
    """The item with the description of its command; unchanged if none is known."""
    command = item.data.get("command") if isinstance(item.data, dict) else None
    if not isinstance(command, str) or item.detail:
        return item
    sidecar = await server.sidecar()
    return attrs.evolve(item, detail=await sidecar.purpose(command) or None)
