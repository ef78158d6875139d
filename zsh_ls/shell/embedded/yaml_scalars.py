"""YAML with positions: its nodes, and which characters of the file a scalar's text stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zsh_ls.lazy import re
from zsh_ls.model.span import Span

from .block import BlockBuilder

if TYPE_CHECKING:
    # The library's own classes say less of their attributes than is there.
    Node = Any

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_JOIN = re.compile(r"\\\r?\n[ \t]*")
_BLANKS_TO_LINE_END = re.compile(r"[ \t]+(?=\r?\n|\Z)")
_FOLD = re.compile(r"[ \t]*\r?\n[ \t\r\n]*")


class NoYaml(Exception):
    """The text is no YAML that can be read."""


def root_of(text: str) -> Node | None:
    """The node of the first document. Raises NoYaml."""
    from ruamel.yaml import YAML  # noqa: PLC0415  few files need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    reader: Any = YAML(typ="safe", pure=True)
    try:
        return next(iter(reader.compose_all(text)), None)
    except (YAMLError, ValueError, RecursionError, AttributeError, IndexError) as wrong:
        raise NoYaml(str(wrong)) from None


def is_mapping(node: Node | None) -> bool:
    """Whether a node is a mapping."""
    return node is not None and node.id == "mapping"


def items(node: Node | None) -> Iterator[tuple[str, Node]]:
    """The keys of a mapping with their values; nothing of another node."""
    if node is not None and is_mapping(node):
        for key, value in node.value:
            if key.id == "scalar":
                yield key.value, value


def get(node: Node | None, *path: str) -> Node | None:
    """What stands behind these keys, one after the other."""
    for name in path:
        node = next((value for key, value in items(node) if key == name), None)
    return node


def elements(node: Node | None) -> list[Node]:
    """The nodes of a sequence; none of another node."""
    return list(node.value) if node is not None and node.id == "sequence" else []


def scalar(node: Node | None) -> str:
    """The text of a scalar; `""` of another node."""
    return str(node.value) if node is not None and node.id == "scalar" else ""


def is_text(node: Node | None) -> bool:
    """Whether a node is a scalar."""
    return node is not None and node.id == "scalar"


def take(builder: BlockBuilder, text: str, node: Node, masked: re.Pattern[str]) -> str | None:
    """Put the text of a scalar into a block; gives the indent of its lines where it is kept as it is."""
    start, end = node.start_mark.index, node.end_mark.index
    if node.style == "|":
        return _literal(builder, text, start, end, masked)
    if node.style == ">":
        begin = text.find("\n", start, end) + 1
        first = re.compile(r"[ \t\r\n]*").match(text, begin, end)
        _aligned(builder, text, Span(first.end() if first else begin, end), node, masked)
    elif node.style in ("'", '"'):
        _aligned(builder, text, Span(start + 1, end - 1), node, masked)
    else:
        _aligned(builder, text, Span(start, end), node, masked)
        # Somebody may be writing there: the value ends before these blanks, the line does not.
        blanks = _BLANKS_TO_LINE_END.match(text, end)
        if blanks is not None and not str(node.value).endswith("\\"):
            builder.copy(end, blanks.end())
            end = blanks.end()
    builder.put("\n", end, end)
    return None


def _literal(
    builder: BlockBuilder, text: str, start: int, end: int, masked: re.Pattern[str]
) -> str | None:
    """A block of lines, each without the indent of the first."""
    header_end = text.find("\n", start, end)
    if header_end < 0:
        return None
    lines = text[header_end + 1 : end].splitlines(keepends=True)
    filled = [line for line in lines if line.strip()]
    if not filled:
        return None
    explicit = re.search(r"[1-9]", text[start:header_end])
    depth = len(filled[0]) - len(filled[0].lstrip(" "))
    if explicit is not None:
        depth = min(len(line) - len(line.lstrip(" ")) for line in filled)
    at = header_end + 1
    for line in lines:
        body = line.rstrip("\r\n")
        builder.copy_masked(min(at + depth, at + len(body)), at + len(body), masked)
        builder.end_line(at + len(body))
        at += len(line)
    return " " * depth


def _aligned(
    builder: BlockBuilder, text: str, span: Span, node: Node, masked: re.Pattern[str]
) -> None:
    """A scalar whose lines are folded or whose characters are escaped, character by character."""
    (start, end), quote, value = span, node.style, node.value
    at = start
    hidden = {
        place for found in masked.finditer(text, start, end) for place in range(*found.span())
    }
    for char in value:
        if quote == '"' and (join := _JOIN.match(text, at, end)):
            at = join.end()
        if at >= end:
            return
        if quote == '"' and text[at] == "\\" and (escape := _ESCAPE.match(text, at, end)):
            builder.put(char, at, escape.end())
            at = escape.end()
        elif quote == "'" and text.startswith("''", at):
            builder.put(char, at, at + 2)
            at += 2
        elif text[at] == char and char not in " \t\n":
            if at in hidden:
                builder.mask(at, at + 1)
            else:
                builder.copy(at, at + 1)
            at += 1
        elif char in " \n" and (fold := _FOLD.match(text, at, end)):
            # Each line end of the value stands for one of the fold, the last takes its rest.
            newlines = text.count("\n", at, fold.end())
            stop = fold.end()
            if char == "\n" and newlines > 1:
                stop = text.find("\n", at) + 1
            builder.put(char, at, stop)
            at = stop
        elif text[at] == char:
            builder.copy(at, at + 1)
            at += 1
        else:
            return
