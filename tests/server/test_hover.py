"""`textDocument/hover`: Markdown or plain text, the range of the word, and null where nothing is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Peer, position, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.zsh"
TEXT = "print é😀; cd /tmp\n"


def hover(peer: Peer, line: int, character: int) -> Any:
    where = {"textDocument": {"uri": URI}, "position": position(line, character)}
    return peer.call("textDocument/hover", where)


@pytest.mark.parametrize(
    ("formats", "kind", "marker"),
    [
        (None, "markdown", "`[SUMMARY]`"),
        (["plaintext", "markdown"], "markdown", "`[SUMMARY]`"),
        (["plaintext"], "plaintext", "[SUMMARY]"),
    ],
)
def test_a_hover_has_the_words_of_explain_in_the_clients_form(
    real: Callable[..., Peer], formats: object, kind: str, marker: str
) -> None:
    peer = real({"textDocument": {"hover": {"contentFormat": formats}}})
    peer.open(URI, TEXT)
    found = hover(peer, 0, 12)
    assert found["range"] == range_of((0, 11), (0, 13))
    explained = peer.call(
        "zsh/explain", {"textDocument": {"uri": URI}, "position": position(0, 12)}
    )
    words = explained["markdown" if kind == "markdown" else "text"]
    fate = "If this fails, the same commands run and the script ends with exit 1"
    assert found["contents"]["kind"] == kind
    assert found["contents"]["value"].startswith(f"{fate}: ")
    assert found["contents"]["value"].endswith(f"\n\n{words}")
    assert words.startswith(marker)


def test_a_function_of_the_script_is_explained_as_its_hover_does(real_one: Peer) -> None:
    text = '#!/bin/zsh\n# Says hello to its arguments.\n.greet-all() { print hello "$@" }\n.greet-all "$1"\n'
    real_one.open(URI, text, language="zsh")
    place = {"textDocument": {"uri": URI}, "position": position(3, 2)}
    explained = real_one.call("zsh/explain", place)
    assert "function of this script, defined on line 3" in explained["summary"]
    assert "Says hello to its arguments." in explained["details"]
    assert explained["markdown"] in hover(real_one, 3, 2)["contents"]["value"]


def test_odd_places_have_no_hover(real_one: Peer) -> None:
    real_one.open(URI, TEXT)
    for line, character in ((0, 10), (0, 99), (7, 0), (2**31 - 1, 2**31 - 1)):
        assert hover(real_one, line, character) is None
    real_one.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert hover(real_one, 0, 12) is None


def test_where_no_fate_is_told_the_hover_begins_with_the_answer(real_one: Peer) -> None:
    """A line that a reader types in a terminal has none."""
    uri = "file:///tmp/a.md"
    real_one.open(uri, "```console\n$ cd /tmp\n```\n", language="markdown")
    where = {"textDocument": {"uri": uri}, "position": position(1, 2)}
    assert real_one.call("textDocument/hover", where)["contents"]["value"].startswith("`[SUMMARY]`")
