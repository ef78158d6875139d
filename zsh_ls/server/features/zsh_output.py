"""`zsh/output`: the kept output of a task, whole or by lines, however little of it was shown."""

from __future__ import annotations

import attrs

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.results import OutputPage
from zsh_ls.model.words import Origin
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/output"
RESULT = OutputPage


@attrs.frozen
class Params(RequestTokens):
    """Which output.

    task_id: the task; without it the last task of this workspace that ended.
    from_line: the first line, counted from 1.
    to_line: the last line, inclusive.
    raw: whether to answer with base64 of the bytes.
    origin: who asks; an agent is shown no secret of known form, so no raw bytes either.
    """

    task_id: str | None = None
    from_line: int | None = None
    to_line: int | None = None
    raw: bool = False
    origin: Origin = Origin.EDITOR


async def handle(server: ShellLanguageServer, params: Params) -> OutputPage:
    """Read it from where it is kept."""
    if params.raw and params.origin is Origin.AGENT:
        raise InvalidRequest("raw: expected false, for an agent is shown text without secrets only")
    request = OutputRequest(params.task_id, params.from_line, params.to_line, params.raw)
    return await (await server.tasks()).output(request)
