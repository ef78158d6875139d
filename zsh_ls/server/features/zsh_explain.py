"""`zsh/explain`: what a command does, what is known of it, and what its exits mean."""

from __future__ import annotations

import asyncio

import attrs

from zsh_ls.answers.explain import explain_function
from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.syntax import Dialect
from zsh_ls.server.documents import Document
from zsh_ls.server.messages import Position, RequestTokens, TextDocument, open_document
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.shell.ide.cursor import command_at, pipeline_at
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse

METHOD = "zsh/explain"
RESULT = Answer


@attrs.frozen
class Params(RequestTokens):
    """Which command: its text, or the place where it stands.

    command: the command's text.
    textDocument: the open document it stands in.
    position: where it stands.
    """

    command: str | None = None
    textDocument: TextDocument | None = None  # noqa: N815
    position: Position | None = None


async def handle(server: ShellLanguageServer, params: Params) -> Answer:
    """Explain it, as the shell of its document reads it."""
    sidecar = await server.sidecar()
    if params.command is not None:
        if params.textDocument is not None or params.position is not None:
            raise InvalidRequest("params: expected command, or textDocument and position, not both")
        return await sidecar.explain(params.command)
    if params.textDocument is None or params.position is None:
        raise InvalidRequest("params.command: expected a command, or textDocument and position")
    document = open_document(server, params.textDocument.uri, "textDocument.uri")
    offset = document.text.offset(params.position.lsp())
    found = await asyncio.to_thread(_command, document, document.text.whole, offset)
    if found is None:
        raise InvalidRequest("params.position: expected the place of a command, there is none here")
    command, dialect, function = found
    answer = await sidecar.explain(command, dialect)
    return function if function is not None and answer.kind == "fallback" else answer


def _command(
    document: Document, text: str, offset: int
) -> tuple[str, Dialect, Answer | None] | None:
    """The innermost pipeline around a place in a script, None where there is none; what its function is."""
    dialect = dialect_of(text, document.language_id, document.uri.rpartition("/")[2])
    script = parse(text, dialect)
    found = pipeline_at(script, offset)
    if found is None:
        return None
    segment = command_at(script, offset)
    function = None if segment is None else explain_function(script, segment.command_word)
    return text[found.span.start : found.span.end], dialect, function
