"""`zsh/run`: start a command; the answer comes at its end, or after `yield_after` with what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from zsh_ls.answers.build import error_answer
from zsh_ls.model.requests import DocumentRange, RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Origin
from zsh_ls.server.conversions import REQUEST_FAILED
from zsh_ls.server.messages import (
    FaultData,
    MissingName,
    Offer,
    Position,
    Range,
    RequestTokens,
    document_to_run,
)
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.missing import MissingNames
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of
from zsh_ls.sidecar.to_json import to_json

if TYPE_CHECKING:
    from zsh_ls.sidecar.interface import SidecarInterface
    from zsh_ls.sidecar.remote.neighbours import SharedTasks

METHOD = "zsh/run"
FIRST = "Run what gives them first"
ALONE = "Run the line alone"
RESULT = TaskResult


@attrs.frozen
class Where:
    """Where a command stands in a document; its insights are published there."""

    uri: str
    range: Range


@takes_fields_of(RunRequest)
class Params(RequestTokens):
    """A command and how to run it.

    command: the text for the shell, unchanged; of any length.
    args: what the command reads as `$1` and on.
    cwd: a path or a `file:` URI; else the document's folder, else the workspace root.
    env: name to text, or to null to unset.
    shell: `zsh`, `bash`, `sh` or an absolute path; else the one the document's first line names, else zsh.
    timeout: seconds until the command is ended, 0 for no limit; else the setting, else 120 for an agent.
    yield_after: seconds until the answer comes in any case.
    pty: whether the command gets a real terminal.
    cols: the terminal's width.
    rows: the terminal's height.
    interactive: whether standard input is a pipe that `zsh/send` types into.
    stdin: text to feed, then end of file.
    document: where the command stands in an open document; one that lies elsewhere than here is refused.
    verbosity: `debug` shows everything.
    description: what the command is for, in the asker's words.
    detached: whether it outlives this server and its client, in a process of its own, with no limit but
        `timeout`; `session` is refused with it.
    rerun: whether a person pressed "again": such a run is called no retry.
    session: what it begins with and leaves its state to (zsh, bash); of a document without it, its URI.
    missing: where names are missing that the document gives above: `ask` runs nothing and answers `-32803`
        with `data.missing` and `data.offer`, `first` runs the commands that give them first, `run` runs the
        command alone; without it, `ask` for a client that declared `asks`, else `run` with warnings.
    origin: who asks; an agent is shown no secret of known form.
    """

    command: OfRequest
    args: OfRequest
    cwd: OfRequest
    env: OfRequest
    shell: OfRequest
    timeout: OfRequest
    yield_after: OfRequest
    pty: OfRequest
    cols: OfRequest
    rows: OfRequest
    interactive: OfRequest
    stdin: OfRequest
    document: Where | None = None
    verbosity: OfRequest
    description: OfRequest
    detached: OfRequest
    rerun: OfRequest
    session: OfRequest
    missing: OfRequest
    origin: OfRequest


async def handle(server: ShellLanguageServer, params: Params) -> TaskResult:
    """Run it, with the client's token tied to its progress."""
    sidecar: SidecarInterface | SharedTasks = await server.sidecar_that_runs()
    if params.detached:
        sidecar = await server.shared_tasks()
    tag = server.work_done.tag_for(params.workDoneToken)
    try:
        document = None
        if (where := params.document) is not None:
            opened = document_to_run(server, where.uri, "document.uri")
            document = DocumentRange(where.uri, opened.text.span(where.range.lsp()), opened.version)
        # A lens or an action of ours is put to the person by us where the client does not do it.
        is_ours = params.origin is Origin.LENS or (
            params.missing == "ask" and server.answers_command.get()
        )
        asks_itself = is_ours and not server.client.asks
        missing = params.missing
        if missing is None and document is not None and (server.client.asks or asks_itself):
            missing = "ask"
        request = request_from(
            params,
            RunRequest,
            document=document,
            missing=missing,
            progress=tag is not None,
            tag=tag,
        )
        try:
            return await sidecar.run(request)
        except MissingNames as fault:
            answer = await _asked(server, fault) if asks_itself else None
            if answer is None:
                raise _refusal(server, where, fault) from None
            return await sidecar.run(attrs.evolve(request, missing=answer))
    except BaseException:
        server.work_done.forget(tag)
        raise


async def _asked(
    server: ShellLanguageServer, fault: MissingNames
) -> Literal["first", "run"] | None:
    """What the person chose in a client that does not put the question itself."""
    actions = [types.MessageActionItem(it) for it in (FIRST, ALONE)]
    chosen = await server.window_show_message_request_async(
        types.ShowMessageRequestParams(types.MessageType.Warning, str(fault), actions)
    )
    if chosen is None:
        return None
    return {FIRST: "first", ALONE: "run"}.get(chosen.title)  # type: ignore[return-value]


def _refusal(
    server: ShellLanguageServer, where: Where | None, fault: MissingNames
) -> JsonRpcException:
    """The error that names what is missing, and the ranges of the commands that give it."""
    document = None if where is None else server.documents.get(where.uri)
    ranges = [] if document is None else [document.text.range(it) for it in fault.offer]
    data = FaultData(
        error_answer(METHOD, str(fault)),
        tuple(MissingName(it.name, it.kind, it.line) for it in fault.missing),
        Offer(tuple(map(_range, ranges))),
    )
    return JsonRpcException(str(fault), REQUEST_FAILED, to_json(data))


def _range(of: types.Range) -> Range:
    start, end = (
        Position(of.start.line, of.start.character),
        Position(of.end.line, of.end.character),
    )
    return Range(start, end)
