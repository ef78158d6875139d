"""`zsh/runScript`: run the text of an open document, and tell what each of its lists did."""

from __future__ import annotations

from zsh_ls.model.requests import ScriptRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.server.messages import RequestTokens, TextDocument, document_to_run
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of

METHOD = "zsh/runScript"
RESULT = TaskResult


@takes_fields_of(ScriptRequest)
class Params(RequestTokens):
    """A script and how to run it; its text runs as it stands in the editor, saved or not.

    textDocument: the open document; one that lies elsewhere than here is refused.
    args: the script's arguments.
    cwd: a path or a `file:` URI; else the document's folder, else the workspace root.
    env: name to text, or to null to unset.
    shell: what runs it, `zsh`, `bash`, `sh` or an absolute path; else what its first line names.
    timeout: seconds until the script is ended, 0 for no limit; else the setting.
    trace: whether `lines` tell what each list did; where that cannot be, `message` says why.
    yield_after: seconds until the answer comes in any case.
    pty: whether the script gets a real terminal.
    cols: the terminal's width.
    rows: the terminal's height.
    interactive: whether standard input is a pipe that `zsh/send` types into.
    stdin: text to feed, then end of file.
    description: what the run is for, in the asker's words.
    """

    textDocument: TextDocument  # noqa: N815
    args: tuple[str, ...] = ()
    cwd: OfRequest
    env: OfRequest
    shell: OfRequest
    timeout: OfRequest
    trace: OfRequest
    yield_after: OfRequest
    pty: OfRequest
    cols: OfRequest
    rows: OfRequest
    interactive: OfRequest
    stdin: OfRequest
    description: OfRequest


async def handle(server: ShellLanguageServer, params: Params) -> TaskResult:
    """Run it, with the client's token tied to its progress."""
    sidecar = await server.sidecar_that_runs()
    document = document_to_run(server, params.textDocument.uri, "textDocument.uri")
    tag = server.work_done.tag_for(params.workDoneToken)
    request = request_from(
        params,
        ScriptRequest,
        uri=document.uri,
        arguments=params.args,
        progress=tag is not None,
        tag=tag,
    )
    try:
        return await sidecar.run_script(request)
    except BaseException:
        server.work_done.forget(tag)
        raise
