"""`zsh/explain`: what a command does, what is known of it, and what its exits mean."""

from __future__ import annotations

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.model.faults import BadRequest
from zsh_ls.server.messages import Position, TextDocument, Tokens, open_document
from zsh_ls.server.server import Server

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
    return await sidecar.explain(_command(server, params))


def _command(server: Server, params: Params) -> str:
    if params.command is not None:
        if params.textDocument is not None or params.position is not None:
            raise BadRequest("params: expected command, or textDocument and position, not both")
        return params.command
    if params.textDocument is None or params.position is None:
        raise BadRequest("params.command: expected a command, or textDocument and position")
    document = open_document(server, params.textDocument.uri, "textDocument.uri")
    return document.text.lines[
        min(params.position.lsp().line, len(document.text.lines) - 1)
    ].strip()
