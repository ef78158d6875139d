"""`zsh/explain`: what a command does, what is known of it, and what its exits mean."""

from __future__ import annotations

import asyncio

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.model.faults import BadRequest
from zsh_ls.server.messages import Position, TextDocument, Tokens, open_document
from zsh_ls.server.server import Server
from zsh_ls.shell.dialect import dialect_of
from zsh_ls.shell.parser import parse

METHOD = "zsh/explain"
RESULT = Answer


@attrs.frozen
class Params(Tokens):
    """Which command: its text, or the place where it stands.

    command: the command's text.
    textDocument: the open document it stands in.
    position: where it stands.
    """

    command: str | None = None
    textDocument: TextDocument | None = None  # noqa: N815
    position: Position | None = None


async def handle(server: Server, params: Params) -> Answer:
    """Explain it."""
    sidecar = await server.sidecar()
    return await sidecar.explain(await _command(server, params))


async def _command(server: Server, params: Params) -> str:
    if params.command is not None:
        if params.textDocument is not None or params.position is not None:
            raise BadRequest("params: expected command, or textDocument and position, not both")
        return params.command
    if params.textDocument is None or params.position is None:
        raise BadRequest("params.command: expected a command, or textDocument and position")
    document = open_document(server, params.textDocument.uri, "textDocument.uri")
    offset = document.text.offset(params.position.lsp())
    found = await asyncio.to_thread(
        command_at, document.text.whole, document.language_id, document.uri, offset
    )
    if found is None:
        raise BadRequest("params.position: expected the place of a command, there is none here")
    return found


def command_at(text: str, language_id: str, uri: str, offset: int) -> str | None:
    """The innermost pipeline around a place in a script; None where there is none."""
    script = parse(text, dialect_of(text, language_id, uri.rpartition("/")[2]))
    around = [
        pipeline.span
        for pipeline in script.every_pipeline()
        if pipeline.span.start <= offset <= pipeline.span.end
    ]
    if not around:
        return None
    start, end = min(around, key=lambda span: span.end - span.start)
    return text[start:end]
