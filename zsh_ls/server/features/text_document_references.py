"""`textDocument/references`: everywhere a name is used, here and in scripts that share it."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_REFERENCES


async def handle(
    server: ShellLanguageServer, params: types.ReferenceParams
) -> list[types.Location]:
    """The locations; none if nothing is known, or the text was edited in between."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return []
    found = await asked.navigation.references(
        asked.uri, asked.offset, include_declaration=params.context.include_declaration
    )
    if asked.is_stale:
        return []
    places = await worded(
        asked.document.text, len(found), lambda _: list(map(asked.location, found))
    )
    return [] if asked.is_stale else places
