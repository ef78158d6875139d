"""`textDocument/hover`: what the command or the flag under the pointer does. Starts nothing."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_HOVER


async def handle(server: ShellLanguageServer, params: types.HoverParams) -> types.Hover | None:
    """The description of the word; None if there is none, or the text was edited in between."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    sidecar = await server.sidecar()
    version = document.version
    found = await sidecar.hover(document.uri, document.text.offset(params.position))
    if found is None or document.version != version:
        return None
    content = types.MarkupContent(types.MarkupKind.PlainText, found.answer.text)
    if server.client.shows_markdown:
        content = types.MarkupContent(types.MarkupKind.Markdown, found.answer.markdown)
    return types.Hover(content, document.text.range(found.span))
