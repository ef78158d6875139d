"""Open scripts and everything to be said on their lines (DOC-1, DOC-2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zsh_ls.model.requests import DocumentRange
from zsh_ls.model.span import Span

from .documents import Document, Mark, settle
from .interface import DocumentInsight, Edit, Unsubscribe
from .watch import Watch

NOT_ON_THE_LINE = "no-output"


class Scripts:
    """The open documents and who wants to know of changes."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._listeners: list[Callable[[str], None]] = []

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self._documents[uri] = Document(uri, text, language_id, version)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits; the marks of runs move along or go."""
        if uri in self._documents:
            self._documents[uri].edit(edits, version)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        self._documents.pop(uri, None)

    def shell_named_by(self, where: DocumentRange | None) -> str | None:
        """The shell that the first line of the document names (RUN-13)."""
        return None

    def begin(self, where: DocumentRange | None) -> Mark | None:
        """A run of a range begins: what earlier runs said of it goes."""
        document = self._documents.get(where.uri) if where else None
        if document is None or where is None:
            return None
        start, end = (min(max(offset, 0), len(document.text)) for offset in where.span)
        mark = document.begin(Span(start, end))
        self._changed(where.uri)
        return mark

    def settle(self, watch: Watch) -> None:
        """Put the insights of an ended run on its lines, but not `No output produced.` (DOC-2)."""
        where = watch.request.document
        if watch.mark is None or where is None:
            return
        spoken = [insight for insight in watch.after if insight.rule != NOT_ON_THE_LINE]
        if settle(watch.mark, watch.request.command, None, spoken):
            self._changed(where.uri)

    async def insights(self, uri: str) -> list[DocumentInsight]:
        """Everything to be said about the document as it stands now."""
        document = self._documents.get(uri)
        return document.insights() if document else []

    def on_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _changed(self, uri: str) -> None:
        for listener in self._listeners:
            listener(uri)
