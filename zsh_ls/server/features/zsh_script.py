"""`zsh/script`: what an editor asks a person before a script, or a line of it, runs. Starts nothing."""

from __future__ import annotations

import attrs

from zsh_ls.server.messages import Range, RequestTokens, TextDocument, open_document
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/script"


@attrs.frozen
class Params(RequestTokens):
    """Of which script.

    textDocument: the open document.
    range: what of it is to run; without it the whole script.
    typed: what the person typed as its arguments.
    """

    textDocument: TextDocument  # noqa: N815
    range: Range | None = None
    typed: str | None = None


@attrs.frozen
class ScriptArgument:
    """An argument that the script reads by its number.

    number: 1 for `$1`.
    line: where it is first read, counted from 0.
    default: what stands in for it, where that is a plain text.
    """

    number: int
    line: int
    default: str | None = None


@attrs.frozen
class ScriptQuestions:
    """What to ask before it runs.

    shell: what it is written for.
    stands_in: what would run it, where that shell is not installed.
    arguments: those that the script reads by number, outside of its functions.
    takes_more: whether it reads all its arguments, or one after the other.
    args: the words of `typed` as a shell would make them, `~`, variables and patterns expanded.
    """

    shell: str
    stands_in: str | None = None
    arguments: tuple[ScriptArgument, ...] = ()
    takes_more: bool = False
    args: tuple[str, ...] | None = None


RESULT = ScriptQuestions


async def handle(server: ShellLanguageServer, params: Params) -> ScriptQuestions:
    """Read it as it stands in the editor."""
    document = open_document(server, params.textDocument.uri, "textDocument.uri")
    sidecar = await server.sidecar()
    span = document.text.span(params.range.lsp()) if params.range is not None else None
    needs = await sidecar.script_needs(document.uri, span)
    arguments = tuple(
        ScriptArgument(it.number, it.line, it.default) for it in needs.arguments.numbered
    )
    typed = params.typed
    args = None if typed is None else await sidecar.typed_arguments(document.uri, typed)
    more = needs.arguments.takes_more
    return ScriptQuestions(needs.shell, needs.stands_in, arguments, more, args)
