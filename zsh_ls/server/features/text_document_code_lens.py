"""`textDocument/codeLens`: run, trace, rehearse the script, list what fails unnoticed, measure the start."""

from __future__ import annotations

from collections import Counter

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import (
    failures_command,
    rehearse_command,
    run_command,
    run_script_command,
    startup_command,
)
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Lens, LensKind

METHOD = types.TEXT_DOCUMENT_CODE_LENS
RUN = "▷ run"
TRACE = "▷ trace"
REHEARSE = "▷ rehearse"
START = "measure start"


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
        return _in_order([_shown(lens, uri, text) for lens in found])

    answer = await worded(document.text, len(found), shown)
    return answer if document.version == version else []


def _in_order(lenses: list[types.CodeLens]) -> list[types.CodeLens]:
    """The lenses, each at a column of its own: Neovim sorts those of a line by it, and not stably.

    A column behind the line's end is its end.
    """
    before: Counter[int] = Counter()
    for lens in lenses:
        start = lens.range.start
        place = types.Position(start.line, start.character + before[start.line])
        lens.range = types.Range(place, place)
        before[start.line] += 1
    return lenses


def _shown(lens: Lens, uri: str, text: Text) -> types.CodeLens:
    traces = lens.kind is LensKind.TRACE
    title = " · ".join(filter(None, [TRACE if traces else RUN, lens.says]))
    if lens.kind is LensKind.START:
        command = startup_command(START, lens.shell, login=lens.login)
    elif lens.kind is LensKind.REHEARSE:
        command = rehearse_command(REHEARSE, uri)
    elif lens.kind is LensKind.FAILURES:
        command = failures_command(lens.says, uri)
    elif lens.kind is LensKind.BLOCK:
        command = run_command(title, lens.command, uri, text.range(lens.span), Origin.LENS)
    else:
        command = run_script_command(title, uri, trace=traces)
    # A lens must not extend beyond its line, and is shown at its start.
    start = text.position(lens.span.start if lens.at is None else lens.at)
    return types.CodeLens(types.Range(start, start), command=command)
