"""`textDocument/semanticTokens/range`: the semantic tokens of a part of a document."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

from .text_document_semantic_tokens_full import OPTIONS, tokens_of

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE

__all__ = ["METHOD", "OPTIONS", "handle"]


async def handle(
    server: ShellLanguageServer, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens | None:
    """The tokens that overlap the range; None if the text was edited in between."""
    return await tokens_of(server, params.text_document.uri, params.range)
