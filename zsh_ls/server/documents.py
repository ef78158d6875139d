"""The open documents: the client's edits are applied here and passed on to the sidecar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from lsprotocol import types

from zsh_ls.sidecar.editor.types import Edit
from zsh_ls.sidecar.interface import SidecarInterface

from .text import Text, clean


@attrs.define
class Document:
    """One open document at its latest version."""

    uri: str
    language_id: str
    version: int
    text: Text


class Documents:
    """The open documents. Changes apply at once, in the order of their arrival."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._open: dict[str, Document] = {}
        self._sidecar: SidecarInterface | None = None

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """The document, if it is open."""
        return self._open.get(uri)

    def serve(self, sidecar: SidecarInterface) -> None:
        """Pass open documents on to `sidecar`, and from now on every change."""
        self._sidecar = sidecar
        for document in self:
            self._pass_on(document)

    def opened(self, item: types.TextDocumentItem) -> None:
        """Handle a document that the client has opened, or opened again."""
        self.closed(item.uri)
        text = Text.of(clean(item.text), self._encoding)
        document = Document(item.uri, str(item.language_id), item.version, text)
        self._open[item.uri] = document
        self._pass_on(document)

    def changed(
        self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> None:
        """Apply edits of the client; those of documents that are not open are ignored."""
        document = self._open.get(uri)
        if document is None:
            return
        edits = [_apply(document.text, change) for change in changes]
        document.version = version
        if self._sidecar is not None:
            self._sidecar.edit_document(uri, edits, version)

    def closed(self, uri: str) -> None:
        """Handle a document that the client has closed."""
        if self._open.pop(uri, None) is not None and self._sidecar is not None:
            self._sidecar.close_document(uri)

    def _pass_on(self, document: Document) -> None:
        if self._sidecar is not None:
            self._sidecar.open_document(
                document.uri, document.text.whole, document.language_id, document.version
            )


def _apply(text: Text, change: types.TextDocumentContentChangeEvent) -> Edit:
    new = clean(change.text)
    if change.__class__ is types.TextDocumentContentChangePartial:
        return Edit(text.edit(change.range, new), new)
    return Edit(text.replace(new), new)
