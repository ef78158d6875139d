"""Semantic tokens in the encoding of LSP: five numbers for each token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.shell.ide.semantic_tokens import Sort, Token
from zsh_ls.shell.syntax.lines import Encoding, LineIndex

from .capabilities import LEGEND

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


def encoded(tokens: Iterable[Token], lines: LineIndex, encoding: Encoding) -> list[int]:
    """For each token: lines and columns since the previous one, length, type, modifiers."""
    data: list[int] = []
    line = column = 0
    for token in tokens:
        start = lines.position(token.span.start, encoding)
        length = token.span.end - token.span.start
        if not lines.text[slice(*token.span)].isascii():
            length = lines.position(token.span.end, encoding).character - start.character
        moved = start.line - line
        data += [moved, start.character - (0 if moved else column), length, *_numbers(token)]
        line, column = start
    return data


def _numbers(token: Token) -> tuple[int, int]:
    kind, modifiers = SORTS[token.sort]
    named = [*modifiers, *(["declaration"] if token.is_declared else [])]
    return TYPES.index(kind), bits(named)


def bits(modifiers: Sequence[str]) -> int:
    """Modifiers as a bit set."""
    return sum(1 << MODIFIERS.index(name) for name in modifiers)
