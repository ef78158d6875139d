"""`textDocument/formatting`: as shfmt writes the script, where it is installed (DOC-11)."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.span import Span
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_FORMATTING


async def handle(
    server: ShellLanguageServer, params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    """The edits; none if the text was edited in between."""
    return await formatting_edits(server, params.text_document.uri, params.options)


async def formatting_edits(
    server: ShellLanguageServer,
    uri: str,
    options: types.FormattingOptions,
    within: types.Range | None = None,
) -> list[types.TextEdit]:
    """The edits of a document, or of the lines within a range."""
    document = server.documents.get(uri)
    if document is None:
        return []
    sidecar = await server.sidecar_that_runs()
    version = document.version
    span: Span | None = document.text.span(within) if within is not None else None
    indent = options.tab_size if options.insert_spaces else 0
    edits = await sidecar.format_edits(uri, indent, span)
    if document.version != version:
        return []
    return [types.TextEdit(document.text.range(it.span), it.text) for it in edits]
