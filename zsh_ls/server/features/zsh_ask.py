"""`zsh/ask`: an answer to a question about the memory, the machine or the last output.

What zsh-ls cannot answer goes to the editor's language model, if the client has one (ANS-4). The client
declares `experimental.zshLs.answer`; it is then sent `zsh/answer` with the question and the prompt, and
answers with the model's text. A reply that breaks the rules of form is requested once more; without a
reply the given answer stays.
"""

from __future__ import annotations

import asyncio
import logging

import attrs
from pygls.exceptions import JsonRpcException

from zsh_ls.model.answer import Answer
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/ask"
RESULT = Answer
QUESTION = "zsh/answer"
PATIENCE_S = 120.0

log = logging.getLogger(__name__)


@attrs.frozen
class Params(RequestTokens):
    """The question.

    query: in the person's own words.
    """

    query: str


async def handle(server: ShellLanguageServer, params: Params) -> Answer:
    """Answer it; what nobody here knows, the client's model may."""
    # With it come all known questions, and an editor waits for its first findings before it asks any.
    from zsh_ls.answers import handoff  # noqa: PLC0415

    query = params.query
    given = await (await server.tasks()).ask(query)
    if not server.client.answers_questions or not handoff.is_for_model(query, given):
        return given
    reply = await _reply(server, query, handoff.prompt(query))
    if reply is None:
        return given
    breaches = handoff.broken_rules(reply)
    if breaches:
        reply = await _reply(server, query, handoff.prompt_again(query, reply, breaches)) or reply
    return handoff.reply_answer(reply)


async def _reply(server: ShellLanguageServer, query: str, text: str) -> str | None:
    """The model's text; None if the client sends anything else."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            asked = {"query": query, "prompt": text}
            answered = await server.protocol.send_request_async(QUESTION, asked)
    except (JsonRpcException, TimeoutError) as refused:
        log.info("the client's model gave no answer: %s", refused)
        return None
    reply = answered.get("text") if isinstance(answered, dict) else None
    return reply if isinstance(reply, str) and reply.strip() else None
