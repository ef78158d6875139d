"""`textDocument/prepareRename`: whether the name at a position can be renamed safely; if not, why."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_PREPARE_RENAME


async def handle(
    server: ShellLanguageServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name and its range; None if there is no name, or the text was edited in between."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return None
    found = await asked.navigation.renamable(asked.uri, asked.offset)
    if found is None or asked.is_stale:
        return None
    return types.PrepareRenamePlaceholder(asked.document.text.range(found.span), found.name)
