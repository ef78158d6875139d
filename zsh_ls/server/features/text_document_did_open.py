"""`textDocument/didOpen`: begin to watch a document. Nothing of it is executed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def handle(server: ShellLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take its text and say what there is to say."""
    server.documents.opened(params.text_document)
    server.diagnostics.touched(params.text_document.uri)
