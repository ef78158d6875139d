"""The pipelines of a bash or sh script as shfmt parses it, each the byte ranges of its segments."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

from zsh_ls.model.syntax import Dialect

Range = tuple[int, int]
LANGUAGES = {Dialect.BASH: "bash", Dialect.SH: "posix"}
PIPES = {"|", "|&"}
LISTS = {"&&", "||"}


def shfmt_pipelines(source: bytes, dialect: Dialect) -> list[tuple[Range, ...]] | None:
    """The pipelines in the order of the text; None if shfmt rejects the script."""
    told = subprocess.run(
        ["shfmt", "-ln", LANGUAGES[dialect], "--to-json"],
        input=source,
        capture_output=True,
        timeout=60,
        check=False,
    )
    if told.returncode:
        return None
    return sorted(
        tuple(without_escape(source, segment) for segment in pipeline)
        for pipeline in _pipelines(json.loads(told.stdout))
    )


def _pipelines(node: Any) -> Iterator[tuple[Range, ...]]:
    if isinstance(node, list):
        for each in node:
            yield from _pipelines(each)
    elif isinstance(node, dict):
        if _is_statement(node):
            yield from _statement(node)
        elif node.get("Type") == "FuncDecl":
            yield from _function(node)
        else:
            for each in node.values():
                yield from _pipelines(each)


def _is_statement(node: dict[str, Any]) -> bool:
    return "Position" in node and ("Cmd" in node or "Redirs" in node)


def _function(node: dict[str, Any]) -> Iterator[tuple[Range, ...]]:
    """The pipelines of a function's body: a block is none of its own, any other command is."""
    body = node["Body"]
    yield from _pipelines(body["Cmd"] if body["Cmd"]["Type"] == "Block" else body)


def _statement(node: dict[str, Any]) -> Iterator[tuple[Range, ...]]:
    command = node.get("Cmd") or {}
    if command.get("Type") == "BinaryCmd" and command["Op"] in LISTS:
        yield from _pipelines([command["X"], command["Y"]])
        return
    segments = list(_segments(node))
    yield tuple(_range(segment) for segment in segments)
    for segment in segments:
        for part in ("Cmd", "Redirs"):
            yield from _pipelines(_inside(segment.get(part)))


def _inside(node: Any) -> Any:
    """The pipelines within a node; those of a function definition come from `_function`."""
    return (
        node
        if isinstance(node, list) or (node or {}).get("Type") == "FuncDecl"
        else (list(node.values()) if node else [])
    )


def _segments(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    command = node.get("Cmd") or {}
    if command.get("Type") == "BinaryCmd" and command["Op"] in PIPES:
        yield from _segments(command["X"])
        yield from _segments(command["Y"])
    elif command.get("Type") in {"TimeClause", "CoprocClause"} and "Stmt" in command:
        yield from _segments(command["Stmt"])
    else:
        yield node


def _range(node: dict[str, Any]) -> Range:
    """The range of a command and its redirections, without a `!` before or a separator after it."""
    places = [node["Cmd"]] if node.get("Cmd") else []
    starts = [place["Pos"]["Offset"] for place in places]
    ends = [place["End"]["Offset"] for place in places]
    for redirection in node.get("Redirs") or ():
        starts.append((redirection.get("N") or redirection)["Pos"]["Offset"])
        ends.append(redirection["Word"]["End"]["Offset"])
    return min(starts), max(ends)


def without_escape(source: bytes, segment: Range) -> Range:
    r"""Shfmt counts the backslash of an escaped backquote to the command before: `` `a \`b\`` ``."""
    start, end = segment
    return (start, end - 1) if source[end - 1 : end + 1] == rb"\`" else segment
