"""`zsh_check`: what can be said of a script without running it."""

from __future__ import annotations

import asyncio
import os

import attrs

from zsh_ls.insights import static
from zsh_ls.machine.syntax_check import complaints
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes

NAME = "zsh_check"
TITLE = "Check a script"
DESCRIPTION = (
    "Problems with exit statuses in a zsh, bash or sh script that other linters do not see (masked "
    "failures in pipes, errexit on normal exits, unchecked cd), and syntax errors. Runs nothing."
)
READ_ONLY, DESTRUCTIVE = True, False
LARGEST_BYTES = 4 * MIB


@attrs.frozen
class CheckFinding:
    """One problem; line and column count from 1."""

    line: int
    column: int
    level: str
    rule: str
    message: str


@attrs.frozen
class CheckResult:
    """What was found, and in which dialect the text was read."""

    dialect: str
    findings: tuple[CheckFinding, ...]


RESULT = CheckResult


@attrs.frozen
class Arguments:
    """A script: its file, or its text.

    path: the script's absolute path
    text: the script itself, where it is in no file
    """

    path: str | None = None
    text: str | None = None


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Check it."""
    if (arguments.path is None) == (arguments.text is None):
        raise InvalidRequest("path: expected path or text, one of them")
    if arguments.path is None:
        text = arguments.text or ""
    else:
        text = await asyncio.to_thread(_read, arguments.path)
    dialect = await asyncio.to_thread(dialect_of, text, name=arguments.path)
    found = await asyncio.to_thread(_findings, text, dialect)
    errors = await complaints(text, dialect, arguments.path)
    found += [CheckFinding(it.line + 1, 1, "error", "syntax-error", it.message) for it in errors]
    found.sort(key=lambda it: it.line)
    lines = [f"{it.line}:{it.column} {it.level}[{it.rule}] {it.message}" for it in found]
    result = CheckResult(dialect.value, tuple(found))
    return ToolAnswer("\n".join(lines) or "No problems found.", result)


def _read(path: str) -> str:
    if not os.path.isabs(path):
        raise InvalidRequest(f"path: expected an absolute path, got {path!r}")
    try:
        return read_bytes(path, LARGEST_BYTES).decode("utf-8", "replace")
    except NotRead as error:
        raise InvalidRequest(f"path: {error}") from None


def _findings(text: str, dialect: Dialect) -> list[CheckFinding]:
    lines = LineIndex(text)
    found = []
    for insight in static(text, dialect):
        place = lines.position(insight.span.start if insight.span else 0, "utf-32")
        found.append(
            CheckFinding(
                place.line + 1, place.character + 1, insight.level, insight.rule, insight.message
            )
        )
    return found
