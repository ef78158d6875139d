"""`textDocument/codeAction`: edits for the requested version, commands, and filters by kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Peer, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.bash"
TEXT = "#!/bin/bash\nf() {\n  : é😀; local a=$(b) || return\n}\nf é\n"
ON_LOCAL = range_of((2, 12), (2, 12))
VERSIONS = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


def actions(peer: Peer, place: Any, diagnostics: Any = (), **context: object) -> list[Any]:
    found: list[Any] = peer.call(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": URI},
            "range": place,
            "context": {"diagnostics": list(diagnostics), **context},
        },
    )
    return found


def test_a_fix_edits_the_version_it_was_made_for(real: Callable[..., Peer]) -> None:
    peer = real(VERSIONS)
    peer.open(URI, TEXT, version=7)
    (said,) = peer.news("textDocument/publishDiagnostics", lambda it: it["diagnostics"])[
        "diagnostics"
    ]
    sent = {**said, "data": "the client's own"}
    fix, ignore = actions(peer, ON_LOCAL, [sent], only=["quickfix"])
    assert fix["diagnostics"] == [sent]
    assert fix["isPreferred"] is True
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 7}
    assert ignore["title"] == "Ignore declaration-masks-exit on this line"
    (change,) = ignore["edit"]["documentChanges"]
    (edit,) = change["edits"]
    assert edit == {
        "range": range_of((2, 31), (2, 31)),
        "newText": "  # zsh-ls: ignore=declaration-masks-exit",
    }


def test_a_diagnostic_carries_the_fate_that_decides_it(real_one: Peer) -> None:
    # FATE-10
    real_one.open(URI, TEXT)
    (said,) = real_one.news("textDocument/publishDiagnostics", lambda it: it["diagnostics"])[
        "diagnostics"
    ]
    assert said["data"] == {"because": "local's own exit replaces it", "then_line": 2}


def test_what_is_offered_follows_what_is_asked_for(real_one: Peer) -> None:
    real_one.open(URI, TEXT)
    kinds = [
        ({}, ["quickfix", "quickfix", "zsh-ls.run", "zsh-ls.explain"]),
        ({"triggerKind": 2}, ["quickfix", "quickfix"]),
        ({"only": ["source.fixAll"]}, ["source.fixAll.zsh-ls"]),
        ({"only": ["zsh-ls"]}, ["zsh-ls.run", "zsh-ls.explain"]),
        ({"only": ["refactor"]}, []),
        ({"only": ["source.organizeImports"], "triggerKind": 2}, []),
    ]
    for context, expected in kinds:
        assert [it["kind"] for it in actions(real_one, ON_LOCAL, **context)] == expected
    (everything,) = actions(real_one, ON_LOCAL, only=["source.fixAll.zsh-ls"])
    assert list(everything["edit"]["changes"]) == [URI]


def test_commands_can_be_sent_back_as_they_are(real_one: Peer) -> None:
    real_one.open(URI, TEXT)
    run, explain = actions(real_one, range_of((4, 2), (4, 2)), only=["zsh-ls"])
    assert run["title"] == "Run this line"
    asked = [
        real_one.ask(
            "workspace/executeCommand",
            {key: action["command"][key] for key in ("command", "arguments")},
        )
        for action in (run, explain)
    ]
    # The line calls a function that only the text above it gives (SESS-3).
    question = real_one.until(lambda it: it.get("method") == "window/showMessageRequest")
    alone = {"title": "Run the line alone"}
    real_one.send({"jsonrpc": "2.0", "id": question["id"], "result": alone})
    answers = [real_one.answer_to(it)["result"] for it in asked]
    assert (answers[0]["command"], answers[0]["origin"]) == ("f é", "editor")
    assert answers[1]["summary"]


@pytest.mark.parametrize("place", [range_of((9, 0), (9, 9)), range_of((0, 99), (4, 0))])
def test_odd_places_are_answered(real_one: Peer, place: Any) -> None:
    real_one.open(URI, TEXT)
    assert isinstance(actions(real_one, place), list)


def test_a_failed_line_offers_why_it_failed(real_one: Peer) -> None:
    """ANS-7: the command of the action gives the answer, until the line changes."""
    uri, failing = "file:///tmp/why.bash", "ls /nothing-is-here"
    where = range_of((0, 0), (0, len(failing)))
    real_one.open(uri, f"{failing}\ntrue\n")

    def offered(line: int) -> list[Any]:
        params = {
            "textDocument": {"uri": uri},
            "range": range_of((line, 0), (line, 0)),
            "context": {"diagnostics": [], "only": ["zsh-ls.explain"]},
        }
        found: list[Any] = real_one.call("textDocument/codeAction", params)
        return [it for it in found if it["title"] == "Why did this fail?"]

    assert offered(0) == []
    for command, place in ((failing, where), ("true", range_of((1, 0), (1, 4)))):
        document = {"uri": uri, "range": place}
        real_one.call("zsh/run", {"command": command, "document": document})
    (action,) = offered(0)
    assert offered(1) == []
    command = {key: action["command"][key] for key in ("command", "arguments")}
    answer = real_one.call("workspace/executeCommand", command)
    assert answer["summary"].startswith(f"`{failing}` failed with exit 2")
    assert "No such file or directory" in answer["details"]
    real_one.change(uri, 2, {"range": range_of((0, 0), (0, 2)), "text": "stat"})
    assert offered(0) == []
