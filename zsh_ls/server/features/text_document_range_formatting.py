"""`textDocument/rangeFormatting`: as `textDocument/formatting`, the lines of a range alone (DOC-11)."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

from .text_document_formatting import formatting_edits

METHOD = types.TEXT_DOCUMENT_RANGE_FORMATTING


async def handle(
    server: ShellLanguageServer, params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit]:
    """The edits; none if the text was edited in between."""
    return await formatting_edits(server, params.text_document.uri, params.options, params.range)
