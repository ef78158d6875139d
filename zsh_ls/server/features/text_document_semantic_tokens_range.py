"""`textDocument/semanticTokens/range`: the same for the part that is looked at."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

from .text_document_semantic_tokens_full import OPTIONS, tokens_of

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE

__all__ = ["METHOD", "OPTIONS", "handle"]


async def handle(
    server: ShellLanguageServer, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens | None:
    """The tokens that touch the range; None where the text has moved on meanwhile."""
    return await tokens_of(server, params.text_document.uri, params.range)
