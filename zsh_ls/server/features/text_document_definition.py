"""`textDocument/definition`: where a function, variable or alias is defined, or a sourced file."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DEFINITION


async def handle(
    server: ShellLanguageServer, params: types.DefinitionParams
) -> list[types.Location]:
    """The locations; none if nothing is known, or the text was edited in between."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return []
    found = await asked.navigation.definition(asked.uri, asked.offset)
    return [] if asked.is_stale else [asked.location(spot) for spot in found]
