"""`textDocument/codeLens`: run or trace the script, run a line again, list what fails unnoticed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import failures_command, run_command, run_script_command
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Lens, LensKind

METHOD = types.TEXT_DOCUMENT_CODE_LENS
RUN = "▷ run"
TRACE = "▷ trace"


async def handle(server: ShellLanguageServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses; none that run anything if nothing may run, none if the text was edited in between."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return []
    may_run = await server.may_run()
    sidecar = await server.sidecar()
    version = document.version
    lenses = await sidecar.lenses_for(document.uri)
    found = [lens for lens in lenses if may_run or lens.kind is LensKind.FAILURES]
    if document.version != version:
        return []
    uri = document.uri

    def shown(text: Text) -> list[types.CodeLens]:
        whole = text.whole
        return [_shown(lens, whole[lens.span.start : lens.span.end], uri, text) for lens in found]

    answer = await worded(document.text, len(found), shown)
    return answer if document.version == version else []


def _shown(lens: Lens, line: str, uri: str, text: Text) -> types.CodeLens:
    traces = lens.kind is LensKind.TRACE
    title = " · ".join(filter(None, [TRACE if traces else RUN, lens.says]))
    if lens.kind is LensKind.FAILURES:
        command = failures_command(lens.says, uri)
    elif lens.kind is LensKind.LINE:
        command = run_command(title, line, uri, text.range(lens.span), Origin.LENS)
    else:
        command = run_script_command(title, uri, trace=traces)
    # A lens must not extend beyond its line, and is shown at its start.
    start = text.position(lens.span.start)
    return types.CodeLens(types.Range(start, start), command=command)
