"""`workspace/symbol`: symbols of the documents of this session and of files they source."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lsprotocol import types

from zsh_ls.server.locations import SYMBOL_KINDS, shown_location
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.documents.executor import run_in_thread
from zsh_ls.sidecar.editor.navigation import FoundSymbol

METHOD = types.WORKSPACE_SYMBOL


async def handle(
    server: ShellLanguageServer, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """The symbols whose names have the letters of the query in order, the best first."""
    found = await (await server.sidecar()).navigation.symbols(params.query)
    return await run_in_thread(partial(_shown, server, found))


def _shown(
    server: ShellLanguageServer, found: Sequence[FoundSymbol]
) -> list[types.SymbolInformation]:
    return [
        types.SymbolInformation(
            shown_location(server, it.spot),
            it.item.name,
            SYMBOL_KINDS[it.item.kind],
            container_name=it.within or None,
        )
        for it in found
    ]
