"""The messages of our own: what `zsh/*` requests share, what is declared in `initialize`, and commands.

A command for a lens or a code action is a `zsh/*` request as well, with plain JSON arguments for any client.
The names are those of the protocol. `client.py` reads what a client declares leniently, and
`capabilities.py` writes the server's part before anything large is imported, so neither uses these
classes; tests check that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs
from lsprotocol import types

from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.words import Origin
from zsh_ls.sidecar.runs.launch import check_place

from .documents import Document
from .server import ShellLanguageServer

# LSP's uinteger.
LARGEST_NUMBER = 2**31 - 1


@attrs.frozen(kw_only=True)
class RequestTokens:
    """The tokens any request of LSP may carry; they keep LSP's spelling."""

    workDoneToken: int | str | None = None  # noqa: N815
    partialResultToken: int | str | None = None  # noqa: N815


@attrs.frozen
class Position:
    """A place in a document: a zero-based line, a column in units of the negotiated encoding."""

    line: int
    character: int

    def lsp(self) -> types.Position:
        """As lsprotocol has it; negative numbers mean no place, and so do those beyond its own."""
        if not (0 <= self.line <= LARGEST_NUMBER and 0 <= self.character <= LARGEST_NUMBER):
            raise InvalidRequest(f"params: expected a position, got {self.line}:{self.character}")
        return types.Position(self.line, self.character)


@attrs.frozen
class Range:
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position

    def lsp(self) -> types.Range:
        """As lsprotocol has it."""
        return types.Range(self.start.lsp(), self.end.lsp())


@attrs.frozen
class TextDocument:
    """A document by its URI."""

    uri: str


def document_to_run(server: ShellLanguageServer, uri: str, field: str) -> Document:
    """The open document to run; raises RequestRejected unless it is a local file (RUN-18)."""
    check_place(uri)
    return open_document(server, uri, field)


def open_document(server: ShellLanguageServer, uri: str, field: str) -> Document:
    """The open document with that URI; raises InvalidRequest, naming `field`, if there is none."""
    document = server.documents.get(uri)
    if document is None:
        raise InvalidRequest(f"params.{field}: expected the URI of an open document, got {uri}")
    return document


@attrs.frozen
class ClientDeclaration:
    """A client's `capabilities.experimental.zshLs`.

    version: the protocol's.
    colour: whether `formatted` texts come with escape codes.
    only_news: whether `insights` and `formatted` have no other insights than those that are news (ALAN-16).
    answer: whether the client answers `zsh/answer`.
    asks: whether it puts the question before a run whose names are missing itself.
    """

    version: Literal[1]
    colour: bool = False
    only_news: bool = False
    answer: bool = False
    asks: bool = False


@attrs.frozen
class ServerDeclaration:
    """The server's `capabilities.experimental.zshLs`.

    version: the protocol's.
    methods: the `zsh/*` requests it answers.
    shells: the shells that are there, by name, and their versions.
    """

    version: Literal[1]
    methods: tuple[str, ...]
    shells: Mapping[str, str]


@attrs.frozen
class AnswerParams:
    """A question for the editor's language model.

    query: in the person's own words.
    prompt: what to send to the model.
    """

    query: str
    prompt: str


@attrs.frozen
class AnswerReply:
    """The model's reply.

    text: word for word.
    """

    text: str


@attrs.frozen
class MissingName:
    """A name that a line needs and that is not there.

    name: of a directory, its `cd`'s argument as written.
    kind: what it is.
    line: where the document gives it, counted from 0.
    """

    name: str
    kind: Literal["variable", "function", "alias", "directory"]
    line: int


@attrs.frozen
class Offer:
    """What gives the names that are missing.

    ranges: whole commands, in the text's order.
    """

    ranges: tuple[Range, ...]


@attrs.frozen
class FaultData:
    """The `data` of an error `-32602` or `-32803`.

    answer: the same as an answer.
    missing: the names for want of which a line was not run.
    offer: the commands that `missing: "first"` would run first.
    """

    answer: Answer
    missing: tuple[MissingName, ...] | None = None
    offer: Offer | None = None


def run_command(
    title: str,
    command: str,
    uri: str,
    where: types.Range,
    origin: Origin,
    *,
    missing: str | None = None,
    folder: str | None = None,
) -> types.Command:
    """Run the command at `where` in a document, maybe in a `folder`; its insights are shown there."""
    argument: dict[str, object] = {
        "command": command,
        "document": {
            "uri": uri,
            "range": {"start": _position(where.start), "end": _position(where.end)},
        },
        "origin": origin.value,
    }
    if missing is not None:
        argument["missing"] = missing
    if folder is not None:
        argument["cwd"] = folder
    return types.Command(title=title, command="zsh.run", arguments=[argument])


def run_script_command(title: str, uri: str, *, trace: bool) -> types.Command:
    """Run the current text of a document, saved or not."""
    argument = {"textDocument": {"uri": uri}, "trace": trace}
    return types.Command(title=title, command="zsh.runScript", arguments=[argument])


def rehearse_command(title: str, uri: str) -> types.Command:
    """Rehearse the current text of a document, saved or not."""
    argument = {"textDocument": {"uri": uri}}
    return types.Command(title=title, command="zsh.rehearse", arguments=[argument])


def startup_command(
    title: str, shell: str | None, *, login: bool, without: Sequence[str] = ()
) -> types.Command:
    """Measure the start of a shell, and what it would save without some lines."""
    argument: dict[str, Any] = {"shell": shell, **({"login": True} if login else {})}
    if without:
        argument["without"] = list(without)
    return types.Command(title=title, command="zsh.startup", arguments=[argument])


def failures_command(title: str, uri: str) -> types.Command:
    """List what becomes of a script when each of its commands fails."""
    argument = {"textDocument": {"uri": uri}}
    return types.Command(title=title, command="zsh.failures", arguments=[argument])


def explain_command(
    title: str, document: Document, offset: int, command: str | None = None
) -> types.Command:
    """Explain the command at an offset, or this one."""
    if command is not None:
        return types.Command(title=title, command="zsh.explain", arguments=[{"command": command}])
    position = _position(document.text.position(offset))
    argument = {"textDocument": {"uri": document.uri}, "position": position}
    return types.Command(title=title, command="zsh.explain", arguments=[argument])


def why_command(title: str, task_id: str) -> types.Command:
    """Tell why a task failed."""
    return types.Command(title=title, command="zsh.why", arguments=[{"task_id": task_id}])


def _position(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
