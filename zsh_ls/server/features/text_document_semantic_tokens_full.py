"""`textDocument/semanticTokens/full`: distinguishes functions, builtins, programs and missing commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from lsprotocol import types

from zsh_ls.server.capabilities import LEGEND
from zsh_ls.server.locations import question
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.shell.ide.semantic_tokens import Sort, Token
from zsh_ls.shell.syntax.lines import Encoding, LineIndex
from zsh_ls.sidecar.documents.executor import run_maybe_in_thread

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL
OPTIONS = types.SemanticTokensLegend(LEGEND["tokenTypes"], LEGEND["tokenModifiers"])
TYPES = LEGEND["tokenTypes"]
MODIFIERS = LEGEND["tokenModifiers"]
SORTS: Mapping[Sort, tuple[str, tuple[str, ...]]] = {
    Sort.FUNCTION: ("function", ()),
    Sort.BUILTIN: ("function", ("defaultLibrary",)),
    Sort.PROGRAM: ("method", ()),
    Sort.MISSING: ("method", ("deprecated", "missing")),
    Sort.ALIAS: ("macro", ()),
    Sort.VARIABLE: ("variable", ()),
    Sort.SPECIAL: ("variable", ("defaultLibrary",)),
    Sort.POSITIONAL: ("parameter", ()),
}


def _numbers(sort: Sort, *, is_declared: bool) -> tuple[int, int]:
    """The type of a token and the bits of its modifiers."""
    kind, modifiers = SORTS[sort]
    named = (*modifiers, "declaration") if is_declared else modifiers
    return TYPES.index(kind), sum(1 << MODIFIERS.index(name) for name in named)


_NUMBERS = {
    (sort, is_declared): _numbers(sort, is_declared=is_declared)
    for sort in SORTS
    for is_declared in (False, True)
}


async def handle(
    server: ShellLanguageServer, params: types.SemanticTokensParams
) -> types.SemanticTokens | None:
    """The tokens of the whole document; None if the text was edited in between."""
    uri = params.text_document.uri
    found = await tokens_of(server, uri)
    return None if found is None else server.sent_tokens.whole(uri, found.data)


async def tokens_of(
    server: ShellLanguageServer, uri: str, part: types.Range | None = None
) -> types.SemanticTokens | None:
    """The tokens of a document, or those that overlap `part`."""
    asked = await question(server, uri)
    if asked is None:
        return None
    span = asked.document.text.span(part) if part is not None else None
    found = await asked.navigation.tokens(asked.uri)
    if asked.is_stale:
        return None
    encoding = cast("Encoding", server.client.position_encoding)

    def numbers() -> list[int]:
        kept = (
            it
            for it in found.tokens
            if span is None or (it.span.start < span.end and span.start < it.span.end)
        )
        return encoded(kept, found.lines, encoding)

    return types.SemanticTokens(await run_maybe_in_thread(len(found.lines.text), numbers))


def encoded(tokens: Iterable[Token], lines: LineIndex, encoding: Encoding) -> list[int]:
    """In the encoding of LSP: lines and columns since the previous token, length, type, modifiers."""
    data: list[int] = []
    starts = [*lines.starts, len(lines.text) + 1]
    line = column = 0
    for (start, end), sort, is_declared in tokens:
        before = line
        while starts[line + 1] <= start:
            line += 1
        if line > before:
            column = 0
        at = lines.units(starts[line], start, encoding)
        length = lines.units(start, end, encoding)
        data += (line - before, at - column, length, *_NUMBERS[sort, is_declared])
        column = at
    return data
