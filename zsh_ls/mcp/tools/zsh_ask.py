"""`zsh_ask`: a question of the closed set."""

from __future__ import annotations

import attrs

from zsh_ls.mcp.paging import checked_skip, page_of_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall
from zsh_ls.model.answer import Answer

NAME = "zsh_ask"
TITLE = "Ask about runs and the machine"
DESCRIPTION = (
    "Answers from the memory of executions (how long does npm test take, what failed today), "
    "from the machine (memory, load, disk, GPU) and recipes. Deterministic; what is not known is said to be."
)
READ_ONLY, DESTRUCTIVE = True, False
RESULT = Answer


@attrs.frozen
class Arguments:
    """The question.

    query: in plain words
    skip: characters that earlier pages had
    """

    query: str
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Answer it."""
    given = await call.sidecar.ask(arguments.query)
    asked = {"query": arguments.query}
    return ToolAnswer(*page_of_answer(NAME, asked, given, checked_skip(arguments.skip)))
