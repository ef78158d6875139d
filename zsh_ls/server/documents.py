"""The open documents: the client's edits are applied here and passed on to the sidecar.

Positions are those of LSP: lines end at LF, CR LF or CR, columns are counted in the client's units, and a
position beyond the end of a line or the text means that end. Offsets are characters (code points) of the
whole text, the measure of all of zsh-ls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from lsprotocol import types
from lsprotocol.types import Position, Range

from zsh_ls.model.span import Span
from zsh_ls.sidecar.editor.types import Edit
from zsh_ls.sidecar.interface import SidecarInterface

from .positions import UNITS, clean, content_length, lines_of, place_of, starts_of


@attrs.define
class Text:
    """A text that is edited by ranges; the cost of an edit is that of the lines it touches."""

    lines: list[str]
    encoding: str
    _starts: list[int] | None = attrs.field(default=None, init=False)

    @classmethod
    def of(cls, text: str, encoding: str) -> Text:
        """`text` with columns in units of `encoding` (`utf-8`, `utf-16` or `utf-32`)."""
        return cls(lines_of(text), encoding)

    def snapshot(self) -> Text:
        """A copy that later edits do not change."""
        copy = Text(self.lines.copy(), self.encoding)
        copy._starts = self._starts
        return copy

    @property
    def whole(self) -> str:
        """The whole text."""
        return "".join(self.lines)

    def offset(self, position: Position) -> int:
        """The offset of `position`."""
        starts = self._line_starts()
        if position.line >= len(self.lines):
            return starts[-1] + len(self.lines[-1])
        return starts[position.line] + self._column(position)

    def span(self, found: Range) -> Span:
        """The span of a range, whose end may also precede its start."""
        start, end = self.offset(found.start), self.offset(found.end)
        return Span(min(start, end), max(start, end))

    def position(self, offset: int) -> Position:
        """The position of `offset`."""
        return Position(*place_of(offset, self.lines, self._line_starts(), self.encoding))

    def range(self, span: Span) -> Range:
        """The range of `span`."""
        return Range(self.position(span.start), self.position(span.end))

    def edit(self, found: Range, text: str) -> Span:
        """Replace the range `found` with `text`; returns the span that was replaced, in the old text."""
        span = self.span(found)
        # One more line on each side, as an edit may split or join a CR LF.
        first = max(0, min(found.start.line, found.end.line, len(self.lines) - 1) - 1)
        last = min(max(found.start.line, found.end.line) + 2, len(self.lines))
        base = self._line_starts()[first]
        old = "".join(self.lines[first:last])
        new = lines_of(old[: span.start - base] + text + old[span.end - base :])
        if last < len(self.lines) and new[-1] == "":
            new.pop()
        self.lines[first:last] = new
        self._starts = None
        return span

    def replace(self, text: str) -> Span:
        """Replace the whole text; returns the span that was replaced."""
        span = Span(0, sum(map(len, self.lines)))
        self.lines = lines_of(text)
        self._starts = None
        return span

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = starts_of(self.lines)
        return self._starts

    def _column(self, position: Position) -> int:
        line = self.lines[position.line]
        length = content_length(line)
        if line.isascii():
            return min(position.character, length)
        size, codec = UNITS[self.encoding]
        units = line[:length].encode(codec)[: position.character * size]
        # A position inside a character means its beginning, so an incomplete one is ignored.
        return len(units.decode(codec, "ignore"))


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
        edits, text = [], document.text
        for change in changes:
            new = clean(change.text)
            if isinstance(change, types.TextDocumentContentChangePartial):
                edits.append(Edit(text.edit(change.range, new), new))
            else:
                edits.append(Edit(text.replace(new), new))
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
