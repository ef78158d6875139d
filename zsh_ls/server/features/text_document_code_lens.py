"""`textDocument/codeLens`: run or trace the script, or run a line again, with its history."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import run_command, run_script_command
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Lens, LensKind

METHOD = types.TEXT_DOCUMENT_CODE_LENS
RUN = "▷ run"
TRACE = "▷ trace"


async def handle(server: ShellLanguageServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses; none if nothing may run, or the text was edited in between."""
    document = server.documents.get(params.text_document.uri)
    if document is None or not await server.may_run():
        return []
    sidecar = await server.sidecar()
    version = document.version
    found = await sidecar.lenses_for(document.uri)
    if document.version != version:
        return []
    lenses = await worded(document.text, len(found), partial(_shown, found, document.uri))
    return lenses if document.version == version else []


def _shown(found: Sequence[Lens], uri: str, text: Text) -> list[types.CodeLens]:
    whole = text.whole
    return [_lens(lens, uri, text, whole[lens.span.start : lens.span.end]) for lens in found]


def _lens(lens: Lens, uri: str, text: Text, line: str) -> types.CodeLens:
    # A lens must not extend beyond its line, and is shown at its start.
    start = text.position(lens.span.start)
    return types.CodeLens(types.Range(start, start), command=_command(lens, uri, text, line))


def _command(lens: Lens, uri: str, text: Text, line: str) -> types.Command:
    if lens.kind is LensKind.LINE:
        title = " · ".join(filter(None, [RUN, lens.history]))
        return run_command(title, line, uri, text.range(lens.span), Origin.LENS)
    traces = lens.kind is LensKind.TRACE
    title = " · ".join(filter(None, [TRACE if traces else RUN, lens.history]))
    return run_script_command(title, uri, trace=traces)
