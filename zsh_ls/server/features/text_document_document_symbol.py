"""`textDocument/documentSymbol`: the functions of a script, its aliases and the variables of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from lsprotocol import types

from zsh_ls.server.documents import Text
from zsh_ls.server.locations import SYMBOL_KINDS, question
from zsh_ls.server.long_answers import MANY_PLACES, worded
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.shell.symbols.outline import OutlineItem

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL

Symbols = list[types.DocumentSymbol] | list[types.SymbolInformation]
Wording = Callable[[Text], Symbols]


async def handle(server: ShellLanguageServer, params: types.DocumentSymbolParams) -> Symbols:
    """A tree if the client supports that, else a list in which each has its function's name."""
    asked = await question(server, params.text_document.uri)
    if asked is None:
        return []
    found = await asked.navigation.outline(asked.uri)
    if asked.is_stale:
        return []
    wording: Wording = partial(_flat, asked.uri, found)
    if server.client.nests_symbols:
        wording = partial(_tree, found)
    some = sum(1 for _ in islice(_with_containers(found, None), MANY_PLACES + 1))
    symbols = await worded(asked.document.text, some, wording)
    return [] if asked.is_stale else symbols


def _tree(items: Sequence[OutlineItem], text: Text) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            item.name,
            SYMBOL_KINDS[item.kind],
            text.range(item.extent),
            text.range(item.span),
            children=_tree(item.children, text),
        )
        for item in items
    ]


def _flat(uri: str, items: Sequence[OutlineItem], text: Text) -> list[types.SymbolInformation]:
    return [
        types.SymbolInformation(
            types.Location(uri, text.range(item.extent)),
            item.name,
            SYMBOL_KINDS[item.kind],
            container_name=around,
        )
        for item, around in _with_containers(items, None)
    ]


def _with_containers(
    items: Sequence[OutlineItem], around: str | None
) -> Iterator[tuple[OutlineItem, str | None]]:
    for item in items:
        yield item, around
        yield from _with_containers(item.children, item.name)
