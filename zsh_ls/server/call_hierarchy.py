"""The items of a call hierarchy: what the client keeps of a function, and gives back to ask on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from zsh_ls.model.span import Span
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.sidecar.editor.call_hierarchy import CallEnd

from .locations import shown_range
from .server import ShellLanguageServer


def item_of(server: ShellLanguageServer, root: str, end: CallEnd) -> types.CallHierarchyItem:
    """An end of a call; `root` is the open document from which the hierarchy began."""
    is_script = end.name is None
    return types.CallHierarchyItem(
        name=end.name or os.path.basename(unquote(urlsplit(end.uri).path)) or end.uri,
        kind=types.SymbolKind.File if is_script else types.SymbolKind.Function,
        uri=end.uri,
        range=shown_range(server, end.lines, end.extent),
        selection_range=shown_range(server, end.lines, end.span),
        data={"root": root, "name": end.name},
    )


def asked_about(item: types.CallHierarchyItem) -> tuple[str, str | None]:
    """The root of the hierarchy and the function's name; raises JsonRpcInvalidParams for a foreign item."""
    data: Any = item.data
    if isinstance(data, dict) and isinstance(data.get("root"), str):
        name = data.get("name")
        if name is None or isinstance(name, str):
            return data["root"], name
    raise JsonRpcInvalidParams(
        "params.item.data: expected what textDocument/prepareCallHierarchy gave"
    )


def ranges_of(
    server: ShellLanguageServer, lines: LineIndex, spans: Iterable[Span]
) -> list[types.Range]:
    """Where the calls stand, in the client's units."""
    return [shown_range(server, lines, span) for span in spans]
