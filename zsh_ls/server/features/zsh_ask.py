"""`zsh/ask`: an answer to a question about the memory, the machine or the last output."""

from __future__ import annotations

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.server.editor_model import or_of_the_model
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/ask"
RESULT = Answer


@attrs.frozen
class Params(RequestTokens):
    """The question.

    query: in the person's own words.
    """

    query: str


async def handle(server: ShellLanguageServer, params: Params) -> Answer:
    """Answer it; what nobody here knows, the client's model may."""
    given = await (await server.sidecar()).ask(params.query)
    return await or_of_the_model(server, params.query, given)
