"""`textDocument/documentHighlight`: where the document reads or writes a name."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT
KINDS = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}


async def handle(
    server: ShellLanguageServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    """The ranges; none if there is no name, or the text was edited in between."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return []
    found = await asked.navigation.highlights(asked.uri, asked.offset)
    if asked.is_stale:
        return []
    highlights = await worded(
        asked.document.text,
        len(found),
        lambda text: [
            types.DocumentHighlight(text.range(it.span), KINDS[it.is_written]) for it in found
        ],
    )
    return [] if asked.is_stale else highlights
