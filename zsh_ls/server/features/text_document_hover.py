"""`textDocument/hover`: what the command or the flag under the pointer does, and what follows if it fails."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.answers.markup import as_text
from zsh_ls.answers.render import to_markdown
from zsh_ls.server.client import Client
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Hover

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
    return types.Hover(_content(found, server.client), document.text.range(found.span))


def _content(found: Hover, client: Client) -> types.MarkupContent:
    """What is said. The fate, one sentence, comes first: an answer may be longer than what is seen."""
    if client.shows_markdown:
        markdown = found.answer.markdown if found.answer else ""
        parts = [to_markdown(as_text(found.fate)) if found.fate else "", markdown]
        return types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(filter(None, parts)))
    parts = [found.fate, found.answer.text if found.answer else ""]
    return types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(filter(None, parts)))
