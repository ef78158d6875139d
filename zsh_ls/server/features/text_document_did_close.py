"""`textDocument/didClose`: a document was closed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def handle(server: ShellLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget it."""
    uri = params.text_document.uri
    if server.documents.get(uri) is not None:
        server.documents.closed(uri)
        server.diagnostics.closed(uri)
        server.sent_tokens.closed(uri)
