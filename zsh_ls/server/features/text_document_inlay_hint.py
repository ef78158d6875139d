"""`textDocument/inlayHint`: what history knows of each line, in numbers, at the line's end."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import Server

METHOD = types.TEXT_DOCUMENT_INLAY_HINT


async def handle(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints within the range that is looked at; none where the text has moved on meanwhile."""
    sidecar = await server.sidecar()
    document = server.documents.get(params.text_document.uri)
    if document is None or not server.configuration.settings.history_hints:
        return []
    version = document.version
    hints = await sidecar.hints_for(document.uri)
    if document.version != version:
        return []
    start, end = document.text.span(params.range)
    return [
        types.InlayHint(document.text.position(hint.offset), hint.text, padding_left=True)
        for hint in hints
        if start <= hint.offset <= end
    ]
