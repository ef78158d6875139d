"""The server's own commands for lenses and code actions, with plain JSON arguments for any client."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.words import Origin

from .documents import Document

RUN = "zsh.run"
RUN_SCRIPT = "zsh.runScript"
EXPLAIN = "zsh.explain"


def run(title: str, command: str, uri: str, where: types.Range, origin: Origin) -> types.Command:
    """Run the command at `where` in a document; its insights are shown there."""
    argument = {
        "command": command,
        "document": {
            "uri": uri,
            "range": {"start": _position(where.start), "end": _position(where.end)},
        },
        "origin": origin.value,
    }
    return types.Command(title=title, command=RUN, arguments=[argument])


def run_script(title: str, uri: str, *, trace: bool) -> types.Command:
    """Run the current text of a document, saved or not."""
    argument = {"textDocument": {"uri": uri}, "trace": trace}
    return types.Command(title=title, command=RUN_SCRIPT, arguments=[argument])


def explain(title: str, document: Document, offset: int) -> types.Command:
    """Explain the command at an offset."""
    position = _position(document.text.position(offset))
    argument = {"textDocument": {"uri": document.uri}, "position": position}
    return types.Command(title=title, command=EXPLAIN, arguments=[argument])


def _position(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
