"""The server's own commands, as lenses and code actions carry them: JSON arguments only, for any client."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.model.span import Span
from zsh_ls.model.words import Origin

from .documents import Document

RUN = "zsh.run"
RUN_SCRIPT = "zsh.runScript"
EXPLAIN = "zsh.explain"


def run(title: str, document: Document, span: Span, origin: Origin) -> types.Command:
    """Run the text at `span` of a document; its insights come to stand there."""
    where = document.text.range(span)
    argument = {
        "command": document.text.whole[span.start : span.end],
        "document": {
            "uri": document.uri,
            "range": {"start": _place(where.start), "end": _place(where.end)},
        },
        "origin": origin.value,
    }
    return types.Command(title=title, command=RUN, arguments=[argument])


def run_script(title: str, document: Document, *, trace: bool) -> types.Command:
    """Run all of a document as it stands, saved or not."""
    argument = {"textDocument": {"uri": document.uri}, "trace": trace}
    return types.Command(title=title, command=RUN_SCRIPT, arguments=[argument])


def explain(title: str, document: Document, offset: int) -> types.Command:
    """Explain the command around a place."""
    place = _place(document.text.position(offset))
    argument = {"textDocument": {"uri": document.uri}, "position": place}
    return types.Command(title=title, command=EXPLAIN, arguments=[argument])


def _place(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
