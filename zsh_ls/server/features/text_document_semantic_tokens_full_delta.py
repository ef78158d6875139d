"""`textDocument/semanticTokens/full/delta`: what has changed of the semantic tokens since the last answer."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

from .text_document_semantic_tokens_full import OPTIONS, tokens_of

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA

__all__ = ["METHOD", "OPTIONS", "handle"]


async def handle(
    server: ShellLanguageServer, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta | None:
    """The difference; all tokens to a client that has others, None if the text was edited in between."""
    uri = params.text_document.uri
    found = await tokens_of(server, uri)
    if found is None:
        return None
    return await server.sent_tokens.changed(uri, params.previous_result_id, found.data)
