"""`textDocument/didOpen`: a document was opened. Nothing of it is executed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(server: ShellLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Keep its text and compute its diagnostics."""
    server.documents.opened(params.text_document)
    server.diagnostics.touched(params.text_document.uri)
