"""`textDocument/completion`: ranges that are replaced, resolving, and no errors at any position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .rpc import Message, Peer, position, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.zsh"
TEXT = "é😀() { ls; }\nprint 😀; é\nprint 😀 $HOM\n"


def completion(peer: Peer, line: int, character: int) -> Any:
    where = {"textDocument": {"uri": URI}, "position": position(line, character)}
    return peer.call("textDocument/completion", where)


def test_what_is_offered_replaces_what_is_written(real_one: Peer) -> None:
    real_one.open(URI, TEXT)
    (item,) = completion(real_one, 1, 11)["items"]
    assert item["label"] == "é😀"
    assert item["textEdit"] == {"range": range_of((1, 10), (1, 11)), "newText": "é😀"}
    items = completion(real_one, 2, 13)["items"]
    assert {"HOME"} <= {it["label"] for it in items}
    assert items[0]["textEdit"]["range"] == range_of((2, 10), (2, 13))


def test_structures_are_offered_with_places_to_fill_in_where_the_client_can(
    real: Callable[..., Peer], real_one: Peer
) -> None:
    text = "#!/bin/zsh\nunt\n"
    plain = {it["label"] for it in opened(real_one, text)}
    assert "until" in plain
    assert not any("…" in label for label in plain)
    able = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
    found = {it["label"]: it for it in opened(real(able), text)}
    item = found["until …; do … done"]
    assert (item["kind"], item["insertTextFormat"]) == (15, 2)
    assert item["textEdit"]["newText"] == "until ${1:command}; do\n\t$0\ndone"


def opened(peer: Peer, text: str) -> list[Message]:
    peer.open(URI, text)
    found: list[Message] = completion(peer, 1, 3)["items"]
    return found


def test_a_program_is_told_when_it_is_looked_at(real_one: Peer) -> None:
    item = {"label": "ls", "kind": 17, "data": {"command": "ls"}}
    assert real_one.call("completionItem/resolve", item)["label"] == "ls"
    for odd in ({"label": "x"}, {"label": "x", "data": 5}, {"label": "x", "data": {"command": []}}):
        assert real_one.call("completionItem/resolve", odd)["label"] == "x"


PIECES = st.sampled_from(
    [
        *(
            "\n",
            " ",
            "$",
            "${",
            "$(",
            "`",
            "'",
            '"',
            "\\",
            "<<A\n",
            "A\n",
            "é😀",
            "\r",
            "\0",
            "\x0c",
        ),
        *(
            "git -",
            "sudo ",
            "setopt no",
            "set -o ",
            "if ",
            "then ",
            "fi",
            "f() {",
            "}",
            "| ",
            "&& ",
        ),
        *("case x in a)", "esac", "# zsh-ls: ignore=", "cd x; rm -f y", "local a=$(b) || return"),
    ]
)
TAKES = {
    "hover": ("position",),
    "completion": ("position",),
    "codeAction": ("range", "context"),
    "codeLens": (),
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 12), st.integers(0, 40))
def test_no_place_of_any_text_is_an_error(
    real_one: Peer, text: str, line: int, character: int
) -> None:
    real_one.open(URI, text)
    place = position(line, character)
    params = {
        "textDocument": {"uri": URI},
        "position": place,
        "range": {"start": place, "end": position(line + 1, character)},
        "context": {"diagnostics": []},
    }
    for method, fields in TAKES.items():
        asked = {name: params[name] for name in ("textDocument", *fields)}
        real_one.call(f"textDocument/{method}", asked)


def test_a_parenthesis_offers_the_letters_of_zsh_and_nothing_else(real_one: Peer) -> None:
    """An editor that closes it writes `*()`, which zsh reads as the head of a function."""
    lines = ["print *()", "print ${()x}", "( )", "x=$()", "f()"]
    real_one.open(URI, "\n".join(lines))
    typed = {"triggerKind": 2, "triggerCharacter": "("}

    def at(line: int) -> set[str]:
        place = position(line, lines[line].index("(") + 1)
        where = {"textDocument": {"uri": URI}, "position": place, "context": typed}
        return {it["label"] for it in real_one.call("textDocument/completion", where)["items"]}

    assert {".", "o"} <= at(0)
    assert {"@", "f"} <= at(1)
    assert [at(line) for line in (2, 3, 4)] == [set(), set(), set()]


def test_a_space_offers_what_a_program_takes_and_nothing_else(
    real_one: Peer, tmp_path: Path
) -> None:
    """What editors ask by themselves at each space; a person who asks there gets all."""
    (tmp_path / "Makefile").write_text("deploy:\n\ttrue\n")
    uri = (tmp_path / "typed.zsh").as_uri()
    real_one.open(uri, "make \nprint \ncat ./\n")

    def at(line: int, character: int, **context: object) -> set[str]:
        where = {"textDocument": {"uri": uri}, "position": position(line, character)}
        found = real_one.call("textDocument/completion", {**where, "context": context})
        return {it["label"] for it in found["items"]}

    assert at(0, 5, triggerKind=2, triggerCharacter=" ") == {"deploy"}
    assert at(1, 6, triggerKind=2, triggerCharacter=" ") == set()
    assert at(2, 6, triggerKind=2, triggerCharacter="/") >= {"./Makefile"}
    assert at(0, 5, triggerKind=1) > {"deploy"}
