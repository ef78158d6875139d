"""`zsh/failures`: what becomes of a script when each of its commands fails. Runs nothing."""

from __future__ import annotations

import attrs
from lsprotocol import types

from zsh_ls.answers.failures import FateCounts, reason
from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import Position, Range, RequestTokens, TextDocument, open_document
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.shell.fates import Fate, FateKind

METHOD = "zsh/failures"


@attrs.frozen
class Params(RequestTokens):
    """Of which script.

    textDocument: the open document.
    """

    textDocument: TextDocument  # noqa: N815


@attrs.frozen
class CommandFate:
    """What becomes of the script when one command fails.

    range: the command, from its first word on.
    command: its text.
    fate: what follows its failure.
    because: what decides that, in one sentence; how many other calls of its function give it another fate.
    then_line: the line that runs next, from 0, where it is known.
    exit: what the script ends with, where it is known.
    """

    range: Range
    command: str
    fate: FateKind
    because: str
    then_line: int | None = None
    exit: int | None = None


@attrs.frozen
class ScriptFailures:
    """What becomes of a script when each of its commands fails.

    commands: its commands, in the order of the text.
    counts: how many there are of each fate.
    """

    commands: tuple[CommandFate, ...]
    counts: FateCounts


RESULT = ScriptFailures


async def handle(server: ShellLanguageServer, params: Params) -> ScriptFailures:
    """Find it out for the text of today: an edit in between begins again."""
    while True:
        document = open_document(server, params.textDocument.uri, "textDocument.uri")
        sidecar = await server.sidecar()
        version = document.version
        found = await sidecar.failures(document.uri)

        def placed(text: Text, fates: tuple[Fate, ...] = found.commands) -> tuple[CommandFate, ...]:
            return tuple(_placed(fate, text) for fate in fates)

        commands = await worded(document.text, len(found.commands), placed)
        if document.version == version:
            return ScriptFailures(commands, found.counts)


def _placed(fate: Fate, text: Text) -> CommandFate:
    where = text.range(fate.span)
    return CommandFate(
        Range(_position(where.start), _position(where.end)),
        fate.command,
        fate.fate,
        reason(fate),
        None if fate.then_line is None else fate.then_line - 1,
        fate.exit,
    )


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)
