"""Positions in documents and files: from the params of requests to offsets, and back to ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import attrs
from lsprotocol import types

from zsh_ls.model.span import Span
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.syntax.lines import Encoding, LineIndex
from zsh_ls.sidecar.editor.navigation import Navigation, Spot

from .documents import Document
from .server import ShellLanguageServer

# What LSP calls the things a script defines.
SYMBOL_KINDS: Mapping[NameKind, types.SymbolKind] = {
    NameKind.FUNCTION: types.SymbolKind.Function,
    NameKind.VARIABLE: types.SymbolKind.Variable,
    NameKind.ALIAS: types.SymbolKind.Constant,
}


@attrs.frozen
class DocumentQuery:
    """A query about one version of an open document."""

    server: ShellLanguageServer
    navigation: Navigation
    document: Document
    version: int
    offset: int

    @property
    def is_stale(self) -> bool:
        """Whether the document was edited in between, so that the result does not fit its text."""
        return (
            self.document.version != self.version
            or self.server.documents.get(self.document.uri) is not self.document
        )

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return self.document.uri

    def range(self, lines: LineIndex, span: Span) -> types.Range:
        """A range in the client's units."""
        return shown_range(self.server, lines, span)

    def location(self, spot: Spot) -> types.Location:
        """A spot in the client's units."""
        return shown_location(self.server, spot)


async def question(
    server: ShellLanguageServer, uri: str, position: types.Position | None = None
) -> DocumentQuery | None:
    """A query about a position of a document; None if it is not open."""
    navigation = (await server.sidecar()).navigation
    document = server.documents.get(uri)
    if document is None:
        return None
    offset = document.text.offset(position) if position is not None else 0
    return DocumentQuery(server, navigation, document, document.version, offset)


def shown_range(server: ShellLanguageServer, lines: LineIndex, span: Span) -> types.Range:
    """A range of a text in the client's units."""
    encoding = cast("Encoding", server.client.position_encoding)
    return types.Range(
        types.Position(*lines.position(span.start, encoding)),
        types.Position(*lines.position(span.end, encoding)),
    )


def shown_location(server: ShellLanguageServer, spot: Spot) -> types.Location:
    """A spot in the client's units."""
    return types.Location(spot.uri, shown_range(server, spot.lines, spot.span))
