"""`zsh/run`: start a command; the answer comes at its end, or after `yield_after` with what there is."""

from __future__ import annotations

import attrs

from zsh_ls.model.requests import DocumentRange, RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.server.messages import Range, RequestTokens, document_to_run
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of

METHOD = "zsh/run"
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
    rerun: whether a person pressed "again": such a run is called no retry.
    origin: who asks; an agent is shown no secret of known form.
    """

    command: OfRequest
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
    rerun: OfRequest
    origin: OfRequest


async def handle(server: ShellLanguageServer, params: Params) -> TaskResult:
    """Run it, with the client's token tied to its progress."""
    sidecar = await server.sidecar_that_runs()
    tag = server.work_done.tag_for(params.workDoneToken)
    try:
        document = None
        if (where := params.document) is not None:
            opened = document_to_run(server, where.uri, "document.uri")
            document = DocumentRange(where.uri, opened.text.span(where.range.lsp()), opened.version)
        request = request_from(
            params, RunRequest, document=document, progress=tag is not None, tag=tag
        )
        return await sidecar.run(request)
    except BaseException:
        server.work_done.forget(tag)
        raise
