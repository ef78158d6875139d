"""`zsh/rehearse`: what an open script would do, found by running it in a sandbox (REH-2)."""

from __future__ import annotations

import asyncio
import re

import attrs

from zsh_ls.rehearsal.report import Rehearsal
from zsh_ls.rehearsal.request import DEFAULT_MAX_COPY_MB, DEFAULT_TIMEOUT_S, RehearsalRequest
from zsh_ls.rehearsal.wording import count_line, end_line
from zsh_ls.server.messages import RequestTokens, TextDocument, document_to_run
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.rehearsing import RehearsalResult, result_of

METHOD = "zsh/rehearse"
RESULT = RehearsalResult
_OF = re.compile(r"(\d+) of (\d+)")


@attrs.frozen
class Params(RequestTokens):
    """A script; its text is rehearsed as it stands in the editor, saved or not.

    textDocument: the open document; one that lies elsewhere than here is refused.
    args: the script's arguments.
    fail: a line whose commands fail, each in a run of its own.
    each: whether the commands of every line do.
    real: whether the programs of stand-ins run too, inside the sandbox.
    timeout: seconds for a run.
    max_copy: megabytes of the largest workspace to copy.
    """

    textDocument: TextDocument  # noqa: N815
    args: tuple[str, ...] = ()
    fail: int | None = None
    each: bool = False
    real: bool = False
    timeout: float = DEFAULT_TIMEOUT_S
    max_copy: int = DEFAULT_MAX_COPY_MB


async def handle(server: ShellLanguageServer, params: Params) -> RehearsalResult:
    """Rehearse it, with progress; cancelling ends the sandbox."""
    sidecar = await server.sidecar_that_runs()
    document = document_to_run(server, params.textDocument.uri, "textDocument.uri")
    asked = RehearsalRequest(
        "",
        params.args,
        fail=None if params.fail is None else params.fail + 1,
        each=params.each,
        real=params.real,
        timeout_s=params.timeout,
        max_copy_mb=params.max_copy,
    )
    loop = asyncio.get_running_loop()
    async with server.work_done.work("Rehearsing", params.workDoneToken) as work:

        def tell(what: str) -> None:
            loop.call_soon_threadsafe(work.tell, what, _percent(what))

        rehearsing = asyncio.ensure_future(sidecar.rehearse(document.uri, asked, tell))
        work.on_cancel(rehearsing.cancel)
        rehearsal = await rehearsing
        work.ends_with(summary(rehearsal))
    return await asyncio.to_thread(result_of, rehearsal, first_line=0)


def summary(rehearsal: Rehearsal) -> str:
    """A rehearsal in one line."""
    return f"{count_line(rehearsal)} {end_line(rehearsal)}"


def _percent(what: str) -> int:
    """How far it is: the whole run comes first, then one for each command that is to fail."""
    found = _OF.search(what)
    return 0 if found is None else round(100 * int(found[1]) / (int(found[2]) + 1))
