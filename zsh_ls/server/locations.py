"""Places in documents and files, from what a request names to what an answer shows."""

from __future__ import annotations

from typing import cast

import attrs
from lsprotocol import types

from zsh_ls.model.span import Span
from zsh_ls.shell.syntax.lines import Encoding, LineIndex
from zsh_ls.sidecar.editor.navigation import Navigation, Spot

from .documents import Document
from .server import ShellLanguageServer


@attrs.frozen
class DocumentQuery:
    """A question about an open document as it stood when it was asked."""

    server: ShellLanguageServer
    navigation: Navigation
    document: Document
    version: int
    offset: int

    @property
    def is_stale(self) -> bool:
        """Whether the text has moved on meanwhile: what was found is about another one."""
        return (
            self.document.version != self.version
            or self.server.documents.get(self.document.uri) is not self.document
        )

    @property
    def uri(self) -> str:
        """The document's."""
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
    """The question about a place of a document; None where that is not open."""
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
