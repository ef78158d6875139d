"""`textDocument/documentLink`: the files that a script sources, where they are there (DOC-8)."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_LINK
OPTIONS = types.DocumentLinkOptions(resolve_provider=False)


async def handle(
    server: ShellLanguageServer, params: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    """The links; none if the text was edited in between. No file is opened for them."""
    asked = await question(server, params.text_document.uri)
    if asked is None:
        return []
    found = await asked.navigation.links(asked.uri)
    if asked.is_stale:
        return []
    text = asked.document.text
    return [types.DocumentLink(text.range(link.span), target=link.uri) for link in found]
