"""`zsh_explain`: what a command does, without running it."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import checked_skip, page_of_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.answer import Answer

NAME = "zsh_explain"
TITLE = "Explain a command"
DESCRIPTION = (
    "What a command would do, without running it: program, sub-command, flags from its manual page, "
    "how it went before, what its exits mean, what a pipe would hide."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = Answer


@attrs.frozen
class Arguments:
    """Which command.

    command: its text
    skip: characters that earlier pages had
    """

    command: str
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Explain it."""
    given = await call.sidecar.explain(arguments.command)
    asked = {"command": arguments.command}
    return ToolAnswer(*page_of_answer(NAME, asked, given, checked_skip(arguments.skip)))
