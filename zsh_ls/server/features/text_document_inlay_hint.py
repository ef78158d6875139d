"""`textDocument/inlayHint`: how the run of a line ended, figures from its history, what a rehearsal found."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_INLAY_HINT


async def handle(
    server: ShellLanguageServer, params: types.InlayHintParams
) -> list[types.InlayHint]:
    """The hints in the requested range; none if the text was edited in between."""
    sidecar = await server.sidecar()
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return []
    version = document.version
    hints = await sidecar.hints_for(document.uri)
    if document.version != version:
        return []
    start, end = document.text.span(params.range)
    wanted = [hint for hint in hints if start <= hint.offset <= end]
    shown = await worded(
        document.text,
        len(wanted),
        lambda text: [
            types.InlayHint(
                text.position(it.offset), it.text, tooltip=it.details or None, padding_left=True
            )
            for it in wanted
        ],
    )
    return shown if document.version == version else []
