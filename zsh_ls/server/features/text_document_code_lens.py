"""`textDocument/codeLens`: run or trace the script, and run again what was run before, with its history."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server import commands
from zsh_ls.server.documents import Document
from zsh_ls.server.server import Server
from zsh_ls.sidecar.interface import Lens, LensKind

METHOD = types.TEXT_DOCUMENT_CODE_LENS
RUN = "▷ run"
TRACE = "▷ trace"


async def handle(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses; none where nothing may run, or where the text has moved on meanwhile."""
    document = server.documents.get(params.text_document.uri)
    if document is None or not await server.may_run():
        return []
    sidecar = await server.sidecar()
    version = document.version
    found = await sidecar.lenses_for(document.uri)
    return [_shown(lens, document) for lens in found] if document.version == version else []


def _shown(lens: Lens, document: Document) -> types.CodeLens:
    # A lens may not reach beyond its line, and stands where it begins.
    start = document.text.position(lens.span.start)
    return types.CodeLens(types.Range(start, start), command=_command(lens, document))


def _command(lens: Lens, document: Document) -> types.Command:
    if lens.kind is LensKind.LINE:
        title = " · ".join(filter(None, [RUN, lens.history]))
        return commands.run(title, document, lens.span, Origin.LENS)
    traces = lens.kind is LensKind.TRACE
    title = " · ".join(filter(None, [TRACE if traces else RUN, lens.history]))
    return commands.run_script(title, document, trace=traces)
