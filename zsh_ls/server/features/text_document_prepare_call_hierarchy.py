"""`textDocument/prepareCallHierarchy`: the function whose callers and callees are asked for next."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.call_hierarchy import item_of
from zsh_ls.server.locations import question
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY


async def handle(
    server: ShellLanguageServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem]:
    """Its definitions; none where no function is named, or the text was edited in between."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return []
    found = await asked.navigation.functions_at(asked.uri, asked.offset)
    return [] if asked.is_stale else [item_of(server, asked.uri, it) for it in found]
