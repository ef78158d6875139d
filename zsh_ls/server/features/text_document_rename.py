"""`textDocument/rename`: the edits that give a function or a variable a new name, or why not."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from zsh_ls.model.errors import RequestRejected
from zsh_ls.server.locations import question, shown_range
from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.navigation import FileRename

METHOD = types.TEXT_DOCUMENT_RENAME
OPTIONS = types.RenameOptions(prepare_provider=True)


async def handle(
    server: ShellLanguageServer, params: types.RenameParams
) -> types.WorkspaceEdit | None:
    """The edits, with document versions if the client supports that."""
    asked = await question(server, params.text_document.uri, params.position)
    if asked is None:
        return None
    files = await asked.navigation.rename(asked.uri, asked.offset, params.new_name)
    for file in files:
        document = server.documents.get(file.uri)
        if (document.version if document else None) != file.version:
            raise RequestRejected("The text has changed meanwhile: ask again.")
    return await worded(
        asked.document.text,
        sum(len(file.edits) for file in files),
        lambda _: _workspace_edit(server, files),
    )


def _workspace_edit(
    server: ShellLanguageServer, files: Sequence[FileRename]
) -> types.WorkspaceEdit:
    edits = {
        file.uri: [
            types.TextEdit(shown_range(server, file.lines, span), text) for span, text in file.edits
        ]
        for file in files
    }
    if not server.client.edits_versions:
        return types.WorkspaceEdit(changes=edits)
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(file.uri, file.version),
                edits[file.uri],
            )
            for file in files
        ]
    )
