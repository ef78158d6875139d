"""lsprotocol's types as the server makes them are what the library makes, for what crosses the wire."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import json, sys
if sys.argv[1] == "ours":
    from zsh_ls.server import lsp_types
    lsp_types.load()
import attrs
from lsprotocol import converters, types

def fields(cls):
    return [(it.name, it.default is attrs.NOTHING, repr(it.default), it.init) for it in attrs.fields(cls)]

def tried(raw, kind):
    try:
        value = converter.structure(raw, kind)
        return repr(value), json.dumps(converter.unstructure(value, kind), default=str), hash_of(value)
    except Exception as wrong:
        return said(wrong)

def said(wrong):
    inner = getattr(wrong, "exceptions", ())
    return [type(wrong).__name__, *(map(said, inner) if inner else [str(wrong).split(").")[0][:80]])]

def hash_of(value):
    try:
        return bool(hash(value))
    except TypeError as wrong:
        return str(wrong)

classes = {name: it for name, it in types.ALL_TYPES_MAP.items() if isinstance(it, type) and attrs.has(it)}
found = {name: fields(it) for name, it in classes.items()}
converter = converters.get_converter()
place = {"line": 1, "character": 2}
document = {"uri": "file:///x", "languageId": "zsh", "version": 1, "text": "x"}
span, changed = {"start": place, "end": place}, types.DidChangeTextDocumentParams
cases = [
    ({"textDocument": document}, types.DidOpenTextDocumentParams),
    ({"textDocument": {**document, "version": 2**31}}, types.DidOpenTextDocumentParams),
    ({"textDocument": {"uri": "x"}}, types.DidOpenTextDocumentParams),
    ({"textDocument": {"uri": "x"}, "position": place}, types.HoverParams),
    ({"textDocument": {"uri": "x"}, "position": {"line": -1, "character": 0}}, types.HoverParams),
    ({"textDocument": {"uri": "x"}, "position": {"line": 0}}, types.HoverParams),
    ({"textDocument": {"uri": "x"}, "position": None}, types.HoverParams),
    ([], types.HoverParams),
    ({"range": {"start": place, "end": place}, "message": "x", "severity": 1}, types.Diagnostic),
    ({"range": {"start": place, "end": place}, "message": "x", "severity": 9}, types.Diagnostic),
    ({"kind": "unchanged", "resultId": "a"}, types.RelatedUnchangedDocumentDiagnosticReport),
    ({"processId": None, "rootUri": None, "capabilities": {}}, types.InitializeParams),
    ({"label": "x", "kind": 3, "textEdit": {"newText": "a", "range": span}}, types.CompletionItem),
    ({"label": "x", "documentation": {"kind": "markdown", "value": "y"}}, types.CompletionItem),
    ({"textDocument": {"uri": "x", "version": 1}, "contentChanges": [{"text": "y"}]}, changed),
    ({"textDocument": {"uri": "x", "version": 1}, "contentChanges": [{"text": "y", "range": span}]}, changed),
    ({"contents": {"kind": "markdown", "value": "y"}, "range": span}, types.Hover),
    ({"edit": {"changes": {"x": [{"newText": "a", "range": span}]}}}, types.ApplyWorkspaceEditParams),
]
found["tried"] = [tried(*case) for case in cases]
first, other = types.Position(1, 2), types.Position(1, 3)
found["order"] = [first < other, first == types.Position(1, 2), repr(first), repr(other)]
for kind, values in (
    (types.Position, {"line": -1, "character": 0}),
    (types.Diagnostic, {"range": 1, "message": 2}),
    (types.Position, {"line": 1}),
):
    try:
        kind(**values)
        found.setdefault("made", []).append("made")
    except Exception as refused:
        found.setdefault("made", []).append(said(refused))
print(json.dumps(found))
"""


def told(which: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, which], capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_types_are_those_of_the_library() -> None:
    ours, theirs = told("ours"), told("theirs")
    assert len(theirs) > 500
    for name, found in theirs.items():
        assert ours[name] == found, name


NEWER = """
from zsh_ls.server import lsp_types
def define(cls, **options):
    raise TypeError("got an unexpected keyword argument 'frozen'")
lsp_types._attrs.define = define
lsp_types.load()
from lsprotocol import types
print(types.Position(1, 2).line, type(types.Position.__init__).__name__)
"""


def test_a_release_that_declares_more_is_imported_as_it_is() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NEWER], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("1 function\n", "")
