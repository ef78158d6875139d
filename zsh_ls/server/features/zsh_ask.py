"""`zsh/ask`: an answer to a question about the memory, the machine or the last output."""

from __future__ import annotations

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.server.messages import Tokens
from zsh_ls.server.server import Server

METHOD = "zsh/ask"
RESULT = Answer


@attrs.frozen
class Params(Tokens):
    """The question.

    query: in the person's own words.
    """

    query: str


async def handle(server: Server, params: Params) -> Answer:
    """Answer it."""
    return await (await server.sidecar()).ask(params.query)
