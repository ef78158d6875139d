"""A question no family knows goes to the editor's language model, where the client offers one (ANS-4).

The client declares `experimental.zshLs.answer`; it is then sent `zsh/answer`
with the question and the prompt, and answers with the model's text. A reply
that breaks the form is asked for once more; without a reply the fallback stands.
"""

from __future__ import annotations

import asyncio
import logging

from pygls.exceptions import JsonRpcException

from zsh_ls.answers.handoff import broken_rules, is_for_model, prompt, prompt_again, reply_answer
from zsh_ls.model.answer import Answer

from .server import ShellLanguageServer

METHOD = "zsh/answer"
PATIENCE_S = 120.0

log = logging.getLogger(__name__)


async def or_of_the_model(server: ShellLanguageServer, query: str, given: Answer) -> Answer:
    """`given`, or what the client's model makes of a question that nobody here knows."""
    if not server.client.answers_questions or not is_for_model(query, given):
        return given
    reply = await _reply(server, query, prompt(query))
    if reply is None:
        return given
    breaches = broken_rules(reply)
    if breaches:
        reply = await _reply(server, query, prompt_again(query, reply, breaches)) or reply
    return reply_answer(reply)


async def _reply(server: ShellLanguageServer, query: str, text: str) -> str | None:
    """The model's text; None where the client gives none, whatever it gives instead."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            asked = {"query": query, "prompt": text}
            answered = await server.protocol.send_request_async(METHOD, asked)
    except (JsonRpcException, TimeoutError) as refused:
        log.info("the client's model gave no answer: %s", refused)
        return None
    reply = answered.get("text") if isinstance(answered, dict) else getattr(answered, "text", None)
    return reply if isinstance(reply, str) and reply.strip() else None
