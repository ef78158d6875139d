"""`textDocument/didChange`: a document was edited; insights of runs move with their lines."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def handle(server: ShellLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the edits in order."""
    document = params.text_document
    server.documents.changed(document.uri, document.version, params.content_changes)
    server.diagnostics.touched(document.uri, edited=True)
