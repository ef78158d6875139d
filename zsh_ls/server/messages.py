"""Common parts of the params of `zsh/*` requests.

The params of each request are the class `Params` of its module in `features`;
docs/protocol.md is generated from the lines `field: text` of its docstring.
"""

from __future__ import annotations

import attrs
from lsprotocol import types

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.sidecar.runs.launch import check_place

from .documents import Document
from .server import ShellLanguageServer


@attrs.frozen(kw_only=True)
class RequestTokens:
    """The tokens any request of LSP may carry; they keep LSP's spelling."""

    workDoneToken: int | str | None = None  # noqa: N815
    partialResultToken: int | str | None = None  # noqa: N815


# LSP's uinteger.
LARGEST_NUMBER = 2**31 - 1


@attrs.frozen
class Position:
    """A place in a document: a zero-based line, a column in units of the negotiated encoding."""

    line: int
    character: int

    def lsp(self) -> types.Position:
        """As lsprotocol has it; negative numbers mean no place, and so do those beyond its own."""
        if not (0 <= self.line <= LARGEST_NUMBER and 0 <= self.character <= LARGEST_NUMBER):
            raise InvalidRequest(f"params: expected a position, got {self.line}:{self.character}")
        return types.Position(self.line, self.character)


@attrs.frozen
class Range:
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position

    def lsp(self) -> types.Range:
        """As lsprotocol has it."""
        return types.Range(self.start.lsp(), self.end.lsp())


@attrs.frozen
class TextDocument:
    """A document by its URI."""

    uri: str


def document_to_run(server: ShellLanguageServer, uri: str, field: str) -> Document:
    """The open document to run; raises RequestRejected unless it is a local file (RUN-18)."""
    check_place(uri)
    return open_document(server, uri, field)


def open_document(server: ShellLanguageServer, uri: str, field: str) -> Document:
    """The open document with that URI; raises InvalidRequest, naming `field`, if there is none."""
    document = server.documents.get(uri)
    if document is None:
        raise InvalidRequest(f"params.{field}: expected the URI of an open document, got {uri}")
    return document
