"""Long results, which are built and serialized in a thread."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from typing import Any

from lsprotocol import types

from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import (
    MANY_CHARACTERS,
    MANY_PLACES,
    MANY_THINGS,
    in_pieces,
    is_long,
    worded,
)

from .rpc import Message, Peer, range_of

URI = "file:///tmp/long.zsh"
FUNCTIONS = 1_500
METHODS = ("documentSymbol", "codeLens", "foldingRange", "semanticTokens/full")


def _script() -> str:
    return "".join(f"f{n}() {{\n  echo {n}\n}}\n" for n in range(FUNCTIONS))


def _answers(peer: Peer, ids: set[int]) -> list[Message]:
    """All responses, until each of `ids` and one more request have theirs."""
    found = [peer.until(_is_answer) for _ in ids]
    end = peer.ask("zsh/tasks", {})
    while (answer := peer.until(_is_answer))["id"] != end:
        found.append(answer)
    return found


def _is_answer(message: Message) -> bool:
    return "method" not in message


def test_a_long_answer_has_everything(real_one: Peer) -> None:
    real_one.open(URI, _script())
    symbols = real_one.call("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert [it["name"] for it in symbols] == [f"f{n}" for n in range(FUNCTIONS)]
    assert symbols[-1]["location"]["range"]["start"] == {"line": 3 * FUNCTIONS - 3, "character": 0}


def test_cancelled_or_overtaken_by_edits_it_is_answered_once(real_one: Peer) -> None:
    real_one.open(URI, _script())
    versions = itertools.count(2)
    ids: list[int] = []
    for number, method in enumerate(METHODS * 5):
        ids.append(real_one.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}}))
        ids.append(real_one.ask("zsh/tasks", {}))
        if number % 3 == 0:
            real_one.notify("$/cancelRequest", {"id": ids[number]})
        elif number % 3 == 1:
            change = {"range": range_of((0, 0), (0, 0)), "text": "#\n"}
            real_one.change(URI, next(versions), change)
    answers = _answers(real_one, set(ids))
    assert sorted(it["id"] for it in answers) == sorted(ids)
    assert {it["error"]["code"] for it in answers if "error" in it} <= {-32800}


async def test_an_edit_meanwhile_leaves_the_text_of_the_answer_alone() -> None:
    text = Text.of("a\nb\nc\n", "utf-16")
    edited = threading.Event()

    def wording(still: Text) -> Any:
        edited.wait(20)
        return still.whole

    putting = asyncio.create_task(worded(text, MANY_PLACES + 1, wording))
    await asyncio.sleep(0)
    text.replace("gone")
    edited.set()
    assert await putting == "a\nb\nc\n"


NUMBERS = list(range(10_000))
ENCODER = json.JSONEncoder(separators=(",", ":"))
NESTED = {"a": [{"deep": {"numbers": NUMBERS}}, None, {}], "b": [], "é\n": [NUMBERS, "x"], "c": {}}


def test_no_piece_of_a_long_answer_is_long() -> None:
    """No other thread runs during one call of the encoder."""
    pieces = list(in_pieces(NESTED, ENCODER))
    assert "".join(pieces) == ENCODER.encode(NESTED)
    assert max(piece.count(",") for piece in pieces) < MANY_THINGS


def test_many_things_are_seen_however_deep_they_lie() -> None:
    place = types.Range(types.Position(0, 0), types.Position(0, 1))
    for many in (MANY_THINGS - 10, MANY_THINGS + 10):
        edit = types.WorkspaceEdit(changes={"a": [types.TextEdit(place, "x")] * many})
        answers = [edit, [types.CodeAction("Fix all", edit=edit)], {"a": [{"b": NUMBERS[:many]}]}]
        assert [is_long(answer) for answer in answers] == [many > MANY_THINGS] * 3


def test_a_long_text_is_serialized_a_piece_at_a_time() -> None:
    text = 'é"\n\U0001f600\x1b' * MANY_CHARACTERS
    for answer in ({"output": text}, [1, text], text):
        assert is_long(answer)
        pieces = list(in_pieces(answer, ENCODER))
        assert "".join(pieces) == ENCODER.encode(answer)
        longest = max(pieces, key=len)
        assert len(json.loads(f'"{longest}"')) == MANY_CHARACTERS
    assert not is_long({"output": text[:MANY_CHARACTERS]})
