"""`textDocument/documentSymbol`: the functions of a script, its aliases and the variables of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from zsh_ls.server.server import Server
from zsh_ls.server.spots import Question, question
from zsh_ls.server.symbol_kinds import SYMBOL_KINDS
from zsh_ls.shell.script_outline import OutlineItem

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL


async def handle(
    server: Server, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """A tree where the client can show one, else a list that names the function around each."""
    asked = await question(server, params.text_document.uri)
    if asked is None:
        return []
    found = await asked.navigation.outline(asked.uri)
    if asked.is_stale:
        return []
    if server.client.nests_symbols:
        return _tree(asked, found)
    return list(_flat(asked, found))


def _tree(asked: Question, items: Sequence[OutlineItem]) -> list[types.DocumentSymbol]:
    text = asked.document.text
    return [
        types.DocumentSymbol(
            item.name,
            SYMBOL_KINDS[item.kind],
            text.range(item.extent),
            text.range(item.span),
            children=_tree(asked, item.children),
        )
        for item in items
    ]


def _flat(
    asked: Question, items: Sequence[OutlineItem], around: str | None = None
) -> Iterator[types.SymbolInformation]:
    for item in items:
        place = types.Location(asked.uri, asked.document.text.range(item.extent))
        yield types.SymbolInformation(
            place, item.name, SYMBOL_KINDS[item.kind], container_name=around
        )
        yield from _flat(asked, item.children, item.name)
