"""`zsh_output`: kept output by line range, or the lines that match."""

from __future__ import annotations

import json
from typing import Any

import attrs

from zsh_ls.mcp.paging import (
    MOST_BYTES,
    MOST_OF_A_NAME,
    checked_skip,
    clipped,
    fitting_count,
    page_of_text,
)
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.results import OutputPage
from zsh_ls.sidecar.runs.matching import compiled

NAME = "zsh_output"
TITLE = "Read or search output"
DESCRIPTION = (
    "The whole output of a task, whatever was shown of it: by line range, or only the lines that match "
    "a regular expression (with their numbers). Without task_id, of the last task that ended. "
    "After more=true go on with from_line."
)
READ_ONLY, DESTRUCTIVE = True, False
MOST_MATCHES = 200


@attrs.frozen
class Match:
    """A line of output that matches, by its number in the whole (from 1)."""

    line: int
    text: str


@attrs.frozen
class OutputResult:
    """A page of output; with `search` its matching lines, and whether there are more of them."""

    task_id: str
    command: str
    output: str
    from_line: int | None
    to_line: int | None
    total_lines: int
    total_bytes: int
    more: bool | None = None
    matches: tuple[Match, ...] | None = None


RESULT = OutputResult


@attrs.frozen
class Arguments:
    """Which output.

    task_id: the task; without it the last one that ended
    from_line: the first line, counted from 1
    to_line: the last line, inclusive
    search: a regular expression (RE2); only lines that match are given
    skip: characters of the first line that earlier pages had
    """

    task_id: str | None = None
    from_line: int | None = None
    to_line: int | None = None
    search: str | None = None
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Read it from where it is kept."""
    if arguments.search is not None:
        return await _search(call, arguments, compiled(arguments.search, "search"))
    page = await _page(call, arguments, arguments.from_line)
    skip = checked_skip(arguments.skip)
    text, following = page_of_text(page.output, skip, MOST_BYTES - MOST_OF_A_NAME)
    if following is None:
        rest = f"\n{_going_on(page, (page.to_line or 0) + 1)}" if page.more else ""
        # Models' interfaces refuse a text that is empty.
        said = text.rstrip("\n") + rest or f"(nothing there; {page.total_lines} lines in all)"
        return ToolAnswer(said, _result(page, text, page.more))
    before = page.output[:following]
    last = (page.from_line or 1) + before.count("\n") - (1 if text.endswith("\n") else 0)
    rest = _going_on(page, last + 1)
    if not text.endswith("\n"):
        # One line longer than a page: the next page goes on within it.
        rest = _going_on(page, last) + f" skip={following - before.rfind(chr(10)) - 1}"
    if arguments.to_line is not None:
        rest += f" to_line={arguments.to_line}"
    page = attrs.evolve(page, to_line=last)
    return ToolAnswer(text.rstrip("\n") + "\n" + rest, _result(page, text, True))


def _going_on(page: OutputPage, line: int) -> str:
    return f"more: {NAME} task_id={page.task_id} from_line={line}"


async def _page(call: ToolCall, arguments: Arguments, from_line: int | None) -> OutputPage:
    request = OutputRequest(arguments.task_id, from_line, arguments.to_line)
    return await call.sidecar.output(request)


async def _search(call: ToolCall, arguments: Arguments, pattern: Any) -> ToolAnswer:
    matches: list[Match] = []
    page = await _page(call, arguments, arguments.from_line)
    while True:
        first = page.from_line or 1
        lines = page.output.splitlines()
        matches += [Match(at, text) for at, text in enumerate(lines, first) if pattern.search(text)]
        if not page.more or len(matches) > MOST_MATCHES:
            break
        page = await _page(call, arguments, (page.to_line or 0) + 1)
    cut = [attrs.evolve(it, text=clipped(it.text)) for it in matches[:MOST_MATCHES]]
    rows = [f"{it.line}: {it.text}" for it in cut]
    found = tuple(cut[: fitting_count(cut, rows, MOST_BYTES - MOST_OF_A_NAME - 500)])
    more = len(found) < len(matches)
    text = "\n".join(f"{match.line}: {match.text}" for match in found) or "No line matches."
    rest = ""
    if more:
        rest = f"\n{_going_on(page, found[-1].line + 1)} search={json.dumps(arguments.search)}"
    return ToolAnswer(text + rest, _result(page, "", more or None, found))


def _result(
    page: OutputPage, output: str, more: bool | None, matches: tuple[Match, ...] | None = None
) -> OutputResult:
    return OutputResult(
        page.task_id,
        clipped(page.command),
        output,
        page.from_line,
        page.to_line,
        page.total_lines,
        page.total_bytes,
        more,
        matches,
    )
