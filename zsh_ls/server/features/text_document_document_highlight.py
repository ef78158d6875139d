"""`textDocument/documentHighlight`: a name wherever the document has it, read or written."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import Server
from zsh_ls.server.spots import question

METHOD = types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT


async def handle(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """The ranges; none where no name is, or the text has moved on meanwhile."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return []
    found = await asked.navigation.highlights(asked.uri, asked.offset)
    if asked.is_stale:
        return []
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(asked.document.text.range(it.span), kinds[it.is_written])
        for it in found
    ]
