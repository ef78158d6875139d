"""The server's own commands, as lenses and code actions carry them: JSON arguments only, for any client."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.words import Origin

from .documents import Document

RUN = "zsh.run"
RUN_SCRIPT = "zsh.runScript"
EXPLAIN = "zsh.explain"


def run(title: str, command: str, uri: str, where: types.Range, origin: Origin) -> types.Command:
    """Run what stands somewhere in a document; its insights come to stand there."""
    argument = {
        "command": command,
        "document": {
            "uri": uri,
            "range": {"start": _place(where.start), "end": _place(where.end)},
        },
        "origin": origin.value,
    }
    return types.Command(title=title, command=RUN, arguments=[argument])


def run_script(title: str, uri: str, *, trace: bool) -> types.Command:
    """Run all of a document as it stands, saved or not."""
    argument = {"textDocument": {"uri": uri}, "trace": trace}
    return types.Command(title=title, command=RUN_SCRIPT, arguments=[argument])


def explain(title: str, document: Document, offset: int) -> types.Command:
    """Explain the command around a place."""
    place = _place(document.text.position(offset))
    argument = {"textDocument": {"uri": document.uri}, "position": place}
    return types.Command(title=title, command=EXPLAIN, arguments=[argument])


def _place(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
