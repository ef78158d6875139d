"""`textDocument/diagnostic`: the diagnostics of a document, for clients that pull."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(
    identifier="zsh-ls", inter_file_dependencies=False, workspace_diagnostics=True
)


async def handle(
    server: ShellLanguageServer, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """The report on the version that is current when it is ready."""
    await server.sidecar()
    return await server.diagnostics.pull(params.text_document.uri, params.previous_result_id)
