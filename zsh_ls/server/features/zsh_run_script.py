"""`zsh/runScript`: run the text of an open document, and tell what each of its lists did."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from zsh_ls.model.requests import ScriptRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.server.messages import RequestTokens, TextDocument, document_to_run
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/runScript"
RESULT = TaskResult


@attrs.frozen
class Params(RequestTokens):
    """A script and how to run it; its text runs as it stands in the editor, saved or not.

    textDocument: the open document; one that lies elsewhere than here is refused.
    args: the script's arguments.
    cwd: a path or a `file:` URI; else the document's folder, else the workspace root.
    env: name to text, or to null to unset.
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
    cwd: str | None = None
    env: Mapping[str, str | None] = attrs.field(factory=dict)
    timeout: float | None = None
    trace: bool = True
    yield_after: float = 2.0
    pty: bool = False
    cols: int = 80
    rows: int = 24
    interactive: bool = False
    stdin: str | None = None
    description: str | None = None


# What a request takes over from its params as it is.
_TAKEN = tuple(
    {field.name for field in attrs.fields(Params)}
    & {field.name for field in attrs.fields(ScriptRequest)}
)


async def handle(server: ShellLanguageServer, params: Params) -> TaskResult:
    """Run it, with the client's token tied to its progress."""
    sidecar = await server.sidecar_that_runs()
    document = document_to_run(server, params.textDocument.uri, "textDocument.uri")
    tag = server.work_done.tag_for(params.workDoneToken)
    request = ScriptRequest(
        document.uri,
        arguments=params.args,
        **{name: getattr(params, name) for name in _TAKEN},
        progress=tag is not None,
        tag=tag,
    )
    try:
        return await sidecar.run_script(request)
    except BaseException:
        server.work_done.forget(tag)
        raise
