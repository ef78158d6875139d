"""Symbols, definitions, renames, folding and tokens, in the client's units (DOC-7)."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shell.hostile import TOKENS

from .rpc import Message, Peer, position, range_of

pytestmark = pytest.mark.slow

URI = "file:///nowhere/a.zsh"
TEXT = """#!/bin/zsh
x='😀é'
f() {
  local y=$1
  print 😀 $y $x
}
f a; 😀; f $x
"""
RICH = {
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "foldingRange": {"lineFoldingOnly": True, "rangeLimit": 1},
        "rename": {"prepareSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def at(peer: Peer, method: str, line: int, character: int, uri: str = URI, **more: object) -> Any:
    where = {"textDocument": {"uri": uri}, "position": position(line, character), **more}
    return peer.call(f"textDocument/{method}", where)


def ranges(found: list[Message]) -> list[Message]:
    return [it["range"] for it in found]


def whole(uri: str = URI) -> Message:
    return {"textDocument": {"uri": uri}}


def test_a_name_leads_to_where_it_is_made_and_used(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, TEXT)
    assert at(peer, "definition", 6, 0) == [{"uri": URI, "range": range_of((2, 0), (2, 1))}]
    everywhere = [range_of((2, 0), (2, 1)), range_of((6, 0), (6, 1)), range_of((6, 9), (6, 10))]
    both = {"context": {"includeDeclaration": True}}
    assert ranges(at(peer, "references", 6, 9, **both)) == everywhere
    uses = {"context": {"includeDeclaration": False}}
    assert ranges(at(peer, "references", 6, 9, **uses)) == everywhere[1:]
    assert at(peer, "documentHighlight", 4, 15) == [
        {"range": range_of((1, 0), (1, 1)), "kind": 3},
        {"range": range_of((4, 15), (4, 16)), "kind": 2},
        {"range": range_of((6, 12), (6, 13)), "kind": 2},
    ]


def test_symbols_are_a_tree_or_a_list_as_the_client_can(real: Callable[..., Peer]) -> None:
    text = "a=1\nf() {\n  g() { a=2 }\n}\nalias ll='ls -l'\n"
    tree = real(RICH)
    tree.open(URI, text)
    found = tree.call("textDocument/documentSymbol", whole())
    assert [(it["name"], it["kind"]) for it in found] == [("a", 13), ("f", 12), ("ll", 14)]
    assert [it["name"] for it in found[1]["children"]] == ["g"]
    assert found[1]["range"] == range_of((1, 0), (3, 1))
    assert found[1]["selectionRange"] == range_of((1, 0), (1, 1))
    found = tree.call("workspace/symbol", {"query": "L"})
    assert [(it["name"], it["location"]["uri"]) for it in found] == [("ll", URI)]


def test_a_client_without_trees_gets_a_list(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, "f() {\n  g() { a=2 }\n}\n")
    found = peer.call("textDocument/documentSymbol", whole())
    assert [(it["name"], it.get("containerName")) for it in found] == [("f", None), ("g", "f")]


def test_folds_keep_to_the_limit_of_the_client(real: Callable[..., Peer]) -> None:
    text = "f() {\n  if a; then\n    b\n  fi\n}\n"
    limited = real(RICH)
    limited.open(URI, text)
    folds = limited.call("textDocument/foldingRange", whole())
    assert folds == [{"startLine": 0, "endLine": 3}]


def test_a_selection_grows_to_the_file(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, TEXT)
    params = {**whole(), "positions": [position(4, 12), position(99, 9)]}
    first, last = peer.call("textDocument/selectionRange", params)
    seen = []
    while first:
        seen.append(first["range"])
        first = first.get("parent")
    assert seen[0] == range_of((4, 12), (4, 13))
    assert range_of((4, 2), (4, 16)) in seen
    assert range_of((2, 0), (5, 1)) in seen
    assert seen[-1] == last["range"] == range_of((0, 0), (7, 0))


def applied(text: str, edits: list[Message]) -> str:
    """An ASCII text after the edits."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda it: tuple(it["range"]["start"].values()), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[start["line"]]
        lines[start["line"]] = (
            line[: start["character"]] + edit["newText"] + line[end["character"] :]
        )
    return "\n".join(lines)


SCRIPT = """#!/bin/zsh
count=0
say() {
  local word=$1
  (( count += ${#word} ))
  print -r -- "$word ${count}"
}
twice() { local count=$1; say $count; trap 'say bye; print $count' EXIT }
say one
x=$(say two) && print $x
twice 7
"""


def test_a_renamed_script_does_the_same(real: Callable[..., Peer], tmp_path: Path) -> None:
    peer = real(RICH)
    peer.open(URI, SCRIPT, version=4)

    def run(text: str) -> str:
        script = tmp_path / "script.zsh"
        script.write_text(text)
        done = subprocess.run(["zsh", "-f", script], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    for line, character, name in ((2, 0, "utter"), (1, 1, "total"), (3, 9, "w")):
        edit = at(peer, "rename", line, character, newName=name)["documentChanges"]
        assert [it["textDocument"] for it in edit] == [{"uri": URI, "version": 4}]
        renamed = applied(SCRIPT, edit[0]["edits"])
        assert name in renamed
        assert run(renamed) == run(SCRIPT) != ""


def test_what_cannot_be_renamed_says_why(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, 'export A=1\nprint $PATH $1 $b\nll; alias ll=ls; c=1; eval "$d"; print c\n')
    refused = {
        (0, 7): "`A` is exported",
        (1, 7): "`PATH` has a meaning",
        (1, 13): "`$1` is a parameter of the shell itself",
        (1, 16): "`b` is set nowhere here",
        (2, 0): "`ll` is an alias",
        (2, 17): "`c` also stands in text on line 3",
    }
    for (line, character), reason in refused.items():
        where = {**whole(), "position": position(line, character)}
        error = peer.refusal("textDocument/prepareRename", where)
        assert reason in error["message"]
        assert reason in peer.refusal("textDocument/rename", {**where, "newName": "n"})["message"]
    where = {**whole(), "position": position(2, 3)}
    assert peer.call("textDocument/prepareRename", where) is None


def test_a_new_name_must_be_one_and_be_free(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, TEXT)
    reasons = {
        "a b": "`a b` cannot be the name of a function",
        "": "cannot be the name",
        "1x": "cannot be the name",
        "print": "`print` has a meaning to the shell",
        "if": "`if` has a meaning to the shell",
    }
    for name, reason in reasons.items():
        where = {**whole(), "position": position(6, 0), "newName": name}
        assert reason in peer.refusal("textDocument/rename", where)["message"]
    where = {**whole(), "position": position(1, 0), "newName": "y"}
    assert "`y` is used already, on line 4" in peer.refusal("textDocument/rename", where)["message"]
    where = {**whole(), "position": position(6, 0), "newName": "g"}
    edits = peer.call("textDocument/rename", where)["changes"][URI]
    assert [it["newText"] for it in edits] == ["g"] * 3
    # As zsh people name what is not for others (`.zinit-load`, `+zi-log`).
    for name in (".plugin-greet", "+zi-greet", "@greet", "-greet"):
        edits = peer.call("textDocument/rename", {**where, "newName": name})["changes"][URI]
        assert [it["newText"] for it in edits] == [name] * 3


@pytest.mark.parametrize(
    "fpath",
    [
        'fpath=("${0:A:h}/functions" $fpath)',
        "fpath+=functions",
        'here="$(cd "$(dirname "$0")" && pwd)"\nfpath=(\n  $here/other\n  "$here/functions"\n)',
    ],
)
def test_an_autoloaded_function_leads_to_its_file(
    fpath: str, real: Callable[..., Peer], tmp_path: Path
) -> None:
    script, file = tmp_path / "main.zsh", tmp_path / "functions/greet"
    file.parent.mkdir()
    peer = real(rootUri=tmp_path.as_uri())
    text = f"{fpath}\nautoload -Uz greet\ngreet friend\nunknown\n"
    script.write_text(text)
    peer.open(script.as_uri(), text, language="zsh")
    line = text.count("\n") - 2
    loaded = range_of((line - 1, 13), (line - 1, 18))
    assert at(peer, "definition", line, 2, script.as_uri()) == [
        {"uri": script.as_uri(), "range": loaded}
    ]
    file.write_text("print hello $1\n")
    there = [{"uri": file.as_uri(), "range": range_of((0, 0), (0, 0))}]
    assert at(peer, "definition", line, 2, script.as_uri()) == there
    assert at(peer, "definition", line - 1, 14, script.as_uri()) == there
    assert at(peer, "definition", line + 1, 2, script.as_uri()) == []


def test_a_function_that_is_autoloaded_by_its_path_leads_to_its_file(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    script, file = tmp_path / "main.zsh", tmp_path / "functions/greet-all"
    file.parent.mkdir()
    file.write_text("print hello $@\n")
    peer = real(rootUri=tmp_path.as_uri())
    text = "builtin autoload -Uz ${0:a:h}/functions/greet-all\ngreet-all friends\n"
    script.write_text(text)
    peer.open(script.as_uri(), text, language="zsh")
    there = [{"uri": file.as_uri(), "range": range_of((0, 0), (0, 0))}]
    assert at(peer, "definition", 1, 2, script.as_uri()) == there


def test_a_function_that_zsh_has_itself_leads_to_its_file(real_one: Peer) -> None:
    peer = real_one
    peer.open(URI, "autoload -Uz is-at-least\nis-at-least 5.9\n", language="zsh")
    [found] = at(peer, "definition", 1, 2)
    assert found["uri"].endswith("/is-at-least")
    assert "is-at-least" in Path(found["uri"].removeprefix("file://")).read_text()


def test_what_is_sourced_is_looked_into_when_asked(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    library, script = tmp_path / "lib.zsh", tmp_path / "main.zsh"
    library.write_text("# helpers\nhelp() { print $level }\n")
    os.mkfifo(tmp_path / "fifo")
    text = "source ./lib.zsh\nsource ./fifo\nlevel=1; help\n"
    peer = real(RICH)
    peer.open(script.as_uri(), text)
    assert at(peer, "definition", 2, 10, script.as_uri()) == [
        {"uri": library.as_uri(), "range": range_of((1, 0), (1, 4))}
    ]
    assert at(peer, "definition", 0, 9, script.as_uri())[0]["uri"] == library.as_uri()
    changes = at(peer, "rename", 2, 0, script.as_uri(), newName="depth")["documentChanges"]
    assert [it["textDocument"] for it in changes] == [
        {"uri": script.as_uri(), "version": 1},
        {"uri": library.as_uri(), "version": None},
    ]
    found = peer.call("workspace/symbol", {"query": "help"})
    assert [it["location"]["uri"] for it in found] == [library.as_uri()]
    peer.open(library.as_uri(), library.read_text())
    both = {"context": {"includeDeclaration": True}}
    found = at(peer, "references", 1, 1, library.as_uri(), **both)
    assert [it["uri"] for it in found] == [library.as_uri(), script.as_uri()]


@pytest.mark.parametrize(
    "word",
    [
        '"$(dirname "$0")/lib/x.zsh"',
        "$(dirname -- $0)/lib/x.zsh",
        '"${0:A:h}/lib/x.zsh"',
        '${0:a:h}/"lib/x.zsh"',
        '"${0%/*}/lib/x.zsh"',
        "${${(%):-%x}:A:h}/lib/x.zsh",
        '"${BASH_SOURCE[0]%/*}/lib/x.zsh"',
    ],
)
def test_a_file_beside_the_script_is_found_by_the_scripts_own_folder(
    real: Callable[..., Peer], tmp_path: Path, word: str
) -> None:
    """DOC-8."""
    library, script = tmp_path / "lib/x.zsh", tmp_path / "main.zsh"
    library.parent.mkdir()
    library.write_text("help() { print $level }\n")
    peer = real(RICH)
    peer.open(script.as_uri(), f"source {word}\nhelp\n")
    whole = {"textDocument": {"uri": script.as_uri()}}
    assert at(peer, "definition", 1, 1, script.as_uri()) == [
        {"uri": library.as_uri(), "range": range_of((0, 0), (0, 4))}
    ]
    assert at(peer, "definition", 0, 10, script.as_uri())[0]["uri"] == library.as_uri()
    assert peer.call("textDocument/documentLink", whole) == [
        {"range": range_of((0, 7), (0, 7 + len(word))), "target": library.as_uri()}
    ]


def test_what_hangs_on_more_than_the_scripts_folder_is_not_followed(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-8: no link leads to what is not there, or to what nobody can know."""
    (tmp_path / "x.zsh").write_text("help() { : }\n")
    script = tmp_path / "main.zsh"
    peer = real(RICH)
    peer.open(script.as_uri(), 'source "$dir/x.zsh"\nsource ./nope.zsh\nsource "${0:A:h}/$1"\n')
    assert peer.call("textDocument/documentLink", {"textDocument": {"uri": script.as_uri()}}) == []


def test_symbols_are_those_of_the_whole_project_and_change_with_it(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-8."""
    project = tmp_path / "project"
    (project / "bin").mkdir(parents=True)
    (project / "node_modules").mkdir()
    (project / "lib.zsh").write_text("say_hello() { : }\n")
    (project / "bin/deploy").write_text("#!/bin/bash\nsay_goodbye() { :; }\n")
    (project / "node_modules/x.sh").write_text("say_nothing() { :; }\n")
    (project / "notes.txt").write_text("say_words() { :; }\n")
    (project / "link.zsh").symlink_to(project / "lib.zsh")
    peer = real(RICH, workspaceFolders=[{"uri": project.as_uri(), "name": "project"}])

    def names() -> list[str]:
        return [it["name"] for it in peer.call("workspace/symbol", {"query": "say"})]

    assert names() == ["say_goodbye", "say_hello"]
    (project / "lib.zsh").write_text("say_hello_again() { : }\n# longer\n")
    assert names() == ["say_goodbye", "say_hello_again"]


def test_no_symbol_is_looked_for_in_files_that_are_not_trusted(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-8."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "lib.zsh").write_text("say_hello() { : }\n")
    folders = [{"uri": project.as_uri(), "name": "project"}]
    peer = real(RICH, workspaceFolders=folders, initializationOptions={"trusted": False})
    assert peer.call("workspace/symbol", {"query": "say"}) == []


def named_tokens(peer: Peer, answer: Message, text: str) -> dict[str, str]:
    """The last token of each name: its type and modifiers."""
    legend = peer.legend["semanticTokensProvider"]["legend"]  # type: ignore[attr-defined]
    lines = text.split("\n")
    data, line, column, found = answer["data"], 0, 0, {}
    for down, along, length, kind, bits in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, along + (0 if down else column)
        modifiers = [m for at, m in enumerate(legend["tokenModifiers"]) if bits >> at & 1]
        name = lines[line][column : column + length]
        found[name] = ".".join([legend["tokenTypes"][kind], *modifiers])
    return found


def test_tokens_tell_what_a_command_is(home: dict[str, str]) -> None:
    from .rpc import peer as started

    text = "#!/bin/zsh\nf() { ls $1 }\nalias ll=ls\nf; ll; cd x; nothere-at-all $x $?\n"
    text += "command -v maybe && maybe\n"
    with started(env=home) as peer:
        peer.legend = peer.initialize()["capabilities"]  # type: ignore[attr-defined]
        peer.open(URI, text)
        found = named_tokens(peer, peer.call("textDocument/semanticTokens/full", whole()), text)
        assert found == {
            "f": "function",
            "ls": "method",
            "1": "parameter",
            "ll": "macro",
            "alias": "function.defaultLibrary",
            "cd": "function.defaultLibrary",
            "command": "function.defaultLibrary",
            "nothere-at-all": "method.deprecated.missing",
            "x": "variable",
            "?": "variable.defaultLibrary",
        }
        part = {**whole(), "range": range_of((1, 0), (2, 0))}
        answer = peer.call("textDocument/semanticTokens/range", part)
        assert set(named_tokens(peer, answer, text)) == {"f", "ls", "1"}
        for unsure in (text.partition("\n")[2], text + 'source "$d"\n', text + "PATH=/x\n"):
            peer.open(URI, unsure)
            answer = peer.call("textDocument/semanticTokens/full", whole())
            assert "nothere-at-all" not in named_tokens(peer, answer, unsure)


def test_tokens_read_no_file_that_a_document_names(home: dict[str, str], tmp_path: Path) -> None:
    from .rpc import peer as started

    library = tmp_path / "lib.zsh"
    library.write_text("g() { : }\n")
    text = f"#!/bin/zsh\nsource {library}\ng; h\n"
    with started(env=home) as peer:
        peer.legend = peer.initialize()["capabilities"]  # type: ignore[attr-defined]
        peer.open(URI, text)
        found = named_tokens(peer, peer.call("textDocument/semanticTokens/full", whole()), text)
        assert not {"g", "h"} & found.keys()
        peer.open(library.as_uri(), library.read_text())
        found = named_tokens(peer, peer.call("textDocument/semanticTokens/full", whole()), text)
        assert found["g"] == "function"


def tokens_after(data: list[int], edits: list[Message]) -> list[int]:
    """The tokens that a client has after the edits of a difference."""
    for edit in sorted(edits, key=lambda it: -it["start"]):
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data", [])
    return data


def test_after_an_edit_only_the_tokens_that_differ_are_sent(real_one: Peer) -> None:
    peer, random_ = real_one, random.Random(3)
    lines = ["#!/bin/zsh", "f() { ls $1 }", *(f"f {n}; print $x{n}" for n in range(200))]
    peer.open(URI, "\n".join(lines))
    has = peer.call("textDocument/semanticTokens/full", whole())
    for version in range(2, 30):
        line = random_.randrange(2, len(lines))
        written = random_.choice(["f; ", "print ", "$y ", "\n", ""])
        peer.change(URI, version, {"range": range_of((line, 0), (line, 0)), "text": written})
        since = {**whole(), "previousResultId": has["resultId"]}
        answer = peer.call("textDocument/semanticTokens/full/delta", since)
        assert sum(len(it.get("data", ())) for it in answer["edits"]) <= 25
        has = {"data": tokens_after(has["data"], answer["edits"]), "resultId": answer["resultId"]}
    assert has["data"] == peer.call("textDocument/semanticTokens/full", whole())["data"]
    other = {**whole(), "previousResultId": "nothing that was sent"}
    assert peer.call("textDocument/semanticTokens/full/delta", other)["data"] == has["data"]


# DOC-7
def test_who_calls_a_function_and_what_it_calls(real_one: Peer, tmp_path: Path) -> None:
    peer = real_one
    library = tmp_path / "lib.zsh"
    library.write_text("log() { print $1 }\nfetch() { log a; () { log b }; }\n")
    uri = (tmp_path / "main.zsh").as_uri()
    text = f"#!/bin/zsh\nsource {library}\nbuild() {{ fetch; log x }}\nbuild\nlog y; ls\n"
    peer.open(uri, text)
    (log,) = at(peer, "prepareCallHierarchy", 2, 18, uri)
    assert (log["name"], log["uri"]) == ("log", library.as_uri())
    assert log["selectionRange"] == range_of((0, 0), (0, 3))

    def called(direction: str, item: Message) -> list[tuple[str, list[Message]]]:
        found = peer.call(f"callHierarchy/{direction}Calls", {"item": item})
        end = "from" if direction == "incoming" else "to"
        return [(it[end]["name"], it["fromRanges"]) for it in found]

    assert called("incoming", log) == [
        ("build", [range_of((2, 17), (2, 20))]),
        ("main.zsh", [range_of((4, 0), (4, 3))]),
        ("fetch", [range_of((1, 10), (1, 13)), range_of((1, 22), (1, 25))]),
    ]
    assert called("outgoing", log) == []
    (build,) = at(peer, "prepareCallHierarchy", 3, 2, uri)
    assert [name for name, _ in called("outgoing", build)] == ["fetch", "log"]
    incoming = peer.call("callHierarchy/incomingCalls", {"item": build})
    script = incoming[0]["from"]
    assert (script["name"], script["kind"]) == ("main.zsh", 1)
    assert called("incoming", script) == []
    assert [name for name, _ in called("outgoing", script)] == ["build", "log"]
    assert at(peer, "prepareCallHierarchy", 4, 8, uri) == []


EVERYWHERE = (
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "hover",
)


def test_odd_positions_and_documents_are_answered(real_one: Peer) -> None:
    for uri in ("file:///never-opened", "untitled:x", "x"):
        for method in EVERYWHERE:
            more = {"context": {"includeDeclaration": True}, "newName": "n"}
            assert not at(real_one, method, 3, 4, uri, **more)
        for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
            assert not real_one.call(f"textDocument/{method}", whole(uri))
    real_one.open(URI, "f() { 'a\n<<E $(( \n\r\r\n😀$x[")
    for line, character in ((0, 0), (4, 3), (3, 1), (99, 0), (0, 2**31 - 1), (4, 1)):
        for method in EVERYWHERE:
            where = {**whole(), "position": position(line, character)}
            more = {"context": {"includeDeclaration": True}, "newName": "n"}
            answer = real_one.answer_to(real_one.ask(f"textDocument/{method}", {**where, **more}))
            assert answer.get("error", {}).get("code") in {None, -32803}
    selections = {**whole(), "positions": [position(2**31 - 1, 2**31 - 1)]}
    assert len(real_one.call("textDocument/selectionRange", selections)) == 1


def test_hostile_documents_are_answered_at_any_place(real_one: Peer) -> None:
    draw = random.Random(8)
    for version in range(25):
        text = "".join(draw.choices([*TOKENS, "x=1 ", "f() {", "$x", "😀", "source ./x\n"], k=60))
        real_one.open(URI, text.replace("\0", ""), version)
        asked = []
        for method in EVERYWHERE:
            where = {**whole(), "position": position(draw.randrange(12), draw.randrange(40))}
            more = {"context": {"includeDeclaration": False}, "newName": draw.choice(TOKENS)}
            asked.append(real_one.ask(f"textDocument/{method}", {**where, **more}))
        views = ("documentSymbol", "foldingRange", "semanticTokens/full")
        asked += [real_one.ask(f"textDocument/{method}", whole()) for method in views]
        asked.append(real_one.ask("workspace/symbol", {"query": draw.choice(TOKENS)}))
        for answer in map(real_one.answer_to, asked):
            assert answer.get("error", {}).get("code") in {None, -32803}, answer
    assert real_one.call("zsh/health")["active_tasks"] == 0
