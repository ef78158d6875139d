"""`workspace/diagnostic`: the diagnostics of open documents, for clients that pull."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.WORKSPACE_DIAGNOSTIC


async def handle(
    server: ShellLanguageServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """One report per document, `unchanged` if the client has it already."""
    await server.sidecar()
    known = {previous.uri: previous.value for previous in params.previous_result_ids}
    return types.WorkspaceDiagnosticReport(
        [
            await server.diagnostics.pull_in_workspace(document, known.get(document.uri))
            for document in server.documents
        ]
    )
