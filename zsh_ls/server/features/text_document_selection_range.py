"""`textDocument/selectionRange`: the word, the command, the pipeline, the list, the block, the file."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from zsh_ls.model.span import Span
from zsh_ls.server.locations import DocumentQuery, question
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.TEXT_DOCUMENT_SELECTION_RANGE
MOST_POSITIONS = 1_000


async def handle(
    server: ShellLanguageServer, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | None:
    """One chain for each position; None if the text was edited in between."""
    asked = await question(server, params.text_document.uri)
    if asked is None:
        return None
    positions = params.positions[:MOST_POSITIONS]
    offsets = [asked.document.text.offset(position) for position in positions]
    found = await asked.navigation.selections(asked.uri, offsets)
    return None if asked.is_stale else [_chain(asked, spans) for spans in found]


def _chain(asked: DocumentQuery, spans: Sequence[Span]) -> types.SelectionRange:
    ranges = [asked.document.text.range(span) for span in reversed(spans)]
    chain = types.SelectionRange(ranges[0])
    for inner in ranges[1:]:
        chain = types.SelectionRange(inner, parent=chain)
    return chain
