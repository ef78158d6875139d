"""Open documents, also hostile ones: the version of their diagnostics, and that no request waits for them."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from .fake_server import FakeSidecar
from .inside import Inside
from .rpc import Peer, range_of

URI = "file:///tmp/a.sh"
PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
PUBLISH = "textDocument/publishDiagnostics"


@pytest.fixture
async def inside() -> Inside:
    """A client that has sent nothing yet."""
    return Inside()


def opened(peer: Inside, text: str, version: int = 1) -> None:
    item = {"uri": URI, "languageId": "shellscript", "version": version, "text": text}
    peer.notify("textDocument/didOpen", {"textDocument": item})


def changed(peer: Inside, version: int, *changes: object) -> None:
    document = {"uri": URI, "version": version}
    peer.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


async def diagnosed_ranges(peer: Inside, version: int) -> list[Any]:
    found = await peer.news(PUBLISH, lambda it: it.get("version") == version)
    return [it["range"] for it in found["diagnostics"]]


async def test_what_is_pushed_follows_every_version_and_goes_when_it_closes(inside: Inside) -> None:
    await inside.initialize()
    opened(inside, "good\nbad\n")
    assert await diagnosed_ranges(inside, 1) == [range_of((1, 0), (1, 3))]
    changed(inside, 2, {"range": range_of((0, 0), (0, 0)), "text": "bad\r\n"})
    assert await diagnosed_ranges(inside, 2) == [range_of((0, 0), (0, 3)), range_of((2, 0), (2, 3))]
    changed(inside, 3, {"text": "fine"}, {"range": range_of((0, 4), (9, 9)), "text": " bad"})
    assert await diagnosed_ranges(inside, 3) == [range_of((0, 5), (0, 8))]
    inside.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert (await inside.news(PUBLISH))["diagnostics"] == []
    assert await inside.told(PUBLISH) == []


async def test_only_the_last_of_many_versions_is_said(inside: Inside) -> None:
    await inside.initialize()
    opened(inside, "bad\n")
    for version in range(2, 50):
        changed(inside, version, {"range": range_of((0, 0), (0, 0)), "text": "x"})
    assert await diagnosed_ranges(inside, 49) == [range_of((0, 48), (0, 51))]
    assert {it["version"] for it in await inside.told(PUBLISH)} <= {1}


async def test_a_client_that_pulls_without_being_asked_is_pushed_to_no_more(inside: Inside) -> None:
    await inside.initialize({"textDocument": {"diagnostic": {}}})
    opened(inside, "bad\n")
    await diagnosed_ranges(inside, 1)
    asked = {"textDocument": {"uri": URI}}
    report = await inside.call("textDocument/diagnostic", asked)
    assert [it["message"] for it in report["items"]] == ["this is bad"]
    assert (await inside.news(PUBLISH))["diagnostics"] == []
    changed(inside, 2, {"text": "bad bad\n"})
    assert len((await inside.call("textDocument/diagnostic", asked))["items"]) == 2
    assert await inside.told(PUBLISH) == []


async def test_a_document_that_is_not_open_has_nothing_said_of_it(inside: Inside) -> None:
    await inside.initialize(PULLS)
    asked = {"textDocument": {"uri": "file:///never.sh"}}
    assert (await inside.call("textDocument/diagnostic", asked))["items"] == []
    assert (await inside.call("workspace/diagnostic", {"previousResultIds": []}))["items"] == []


async def test_refreshes_are_asked_for_at_most_once_a_second(inside: Inside) -> None:
    await inside.initialize(PULLS)
    opened(inside, "bad\n")
    for _ in range(5):
        await inside.call("zsh/run", {"command": "progress 1"})
    asked = await inside.question("workspace/diagnostic/refresh")
    inside.answer(asked, result=None)
    await inside.call("zsh/run", {"command": "progress 1"})
    assert await inside.told("workspace/diagnostic/refresh") == []
    again = await inside.question("workspace/diagnostic/refresh")
    inside.answer(again, error={"code": 1, "message": "no"})


async def test_news_waits_while_the_client_reads_too_slowly(inside: Inside) -> None:
    await inside.initialize()
    opened(inside, "bad\n")
    await diagnosed_ranges(inside, 1)
    inside.server.hold(True)
    for version in range(2, 6):
        changed(inside, version, {"text": "bad\n" * version})
        await asyncio.sleep(0)
    await inside.call("zsh/run", {"command": "progress 3"})
    assert not [it for it in inside.received if "method" in it]
    inside.server.hold(False)
    assert len(await diagnosed_ranges(inside, 5)) == 5
    (progress,) = await inside.told("zsh/progress")
    assert progress["output"].count("line") == 4


async def test_hints_stand_at_the_ends_of_the_lines_looked_at(inside: Inside) -> None:
    await inside.initialize({"workspace": {"inlayHint": {"refreshSupport": True}}})
    opened(inside, "é😀\ntwo\nthree\n")
    asked = {"textDocument": {"uri": URI}, "range": range_of((0, 0), (1, 3))}
    hints = await inside.call("textDocument/inlayHint", asked)
    assert [(it["position"], it["label"]) for it in hints] == [
        ({"line": 0, "character": 3}, "2s"),
        ({"line": 1, "character": 3}, "6s"),
    ]
    await inside.call("zsh/run", {"command": "progress 1"})
    inside.answer(await inside.question("workspace/inlayHint/refresh"), result=None)


@pytest.mark.parametrize(
    ("line", "character", "command"),
    [(1, 0, "echo a | grep b"), (1, 9, "echo a | grep b"), (1, 30, "date"), (3, 6, "true")],
)
async def test_the_command_at_a_place_is_explained(
    inside: Inside, line: int, character: int, command: str
) -> None:
    await inside.initialize()
    opened(inside, "#!/bin/sh\necho a | grep b; echo 'é😀' $(date)\nif true\nthen true; fi\n")
    place = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    answer = await inside.call("zsh/explain", place)
    assert (answer["summary"], answer["details"]) == (command, "sh")


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "params.command"),
        ({"command": "x", "position": {"line": 0, "character": 0}}, "not both"),
        ({"textDocument": {"uri": URI}}, "textDocument and position"),
        ({"textDocument": {"uri": "x"}, "position": {"line": 0, "character": 0}}, "open document"),
        ({"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}}, "position"),
        ({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 3}}, "no"),
    ],
)
async def test_what_cannot_be_explained_is_refused(inside: Inside, params: Any, said: str) -> None:
    await inside.initialize()
    opened(inside, "# only words\n")
    error = await inside.refusal("zsh/explain", params)
    assert (error["code"], said in error["message"]) == (-32602, True)


HOSTILE = {
    "deep parentheses": "(" * 20_000,
    "deep substitutions": "echo " + "$(" * 5_000,
    "deep braces": "{ " * 10_000,
    "a line of a megabyte": "echo " + "a | b " * 170_000,
    "a wide line of a megabyte": "echo " + "é😀 | b " * 100_000,
    "quotes that never close": "'\"`" * 30_000,
    "every control character": "".join(map(chr, range(32))) * 2_000 + "\x7f\x80\x9f\u2028\ufeff",
    "NUL": "\0" * 100_000,
    "heredocs": "cat <<A <<B <<C\n" * 5_000,
    "lone surrogates": "echo \ud83d" * 5_000,
    "case after case": "case x in a) " * 5_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_raises_nothing_and_holds_up_nobody(real_one: Peer, name: str) -> None:
    uri = f"file:///tmp/{name.replace(' ', '-')}.zsh"
    assert real_one.call("zsh/health")["status"] == "healthy"
    real_one.open(uri, HOSTILE[name])
    longest_s = 0.0
    for version in range(2, 6):
        real_one.change(uri, version, {"range": range_of((0, 0), (0, 1)), "text": "x"})
        began = time.monotonic()
        assert real_one.call("zsh/health")["status"] == "healthy"
        longest_s = max(longest_s, time.monotonic() - began)
    said = real_one.news(
        PUBLISH, lambda it: it["uri"] == uri and it.get("version") == 5, patience_s=120
    )
    assert isinstance(said["diagnostics"], list)
    real_one.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    # Not a speed but a liveness: the bench measures how long others wait.
    assert longest_s < 10
    print(f"{name}: others waited {longest_s * 1e3:.0f} ms at most")


async def test_who_has_just_typed_into_a_long_text_is_answered_before_its_findings(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    async def hints_for(*_: object) -> list[object]:
        for _ in range(50):
            await asyncio.sleep(0)
        begun.append("answered")
        return []

    async def insights_for(*_: object) -> list[object]:
        begun.append("findings")
        return []

    await inside.initialize()
    opened(inside, "fine\n" * 20_000)
    await diagnosed_ranges(inside, 1)
    monkeypatch.setattr(FakeSidecar, "hints_for", hints_for)
    monkeypatch.setattr(FakeSidecar, "insights_for", insights_for)
    changed(inside, 2, {"range": range_of((0, 0), (0, 0)), "text": "x"})
    asked = {"textDocument": {"uri": URI}, "range": range_of((0, 0), (9, 0))}
    assert await inside.call("textDocument/inlayHint", asked) == []
    await diagnosed_ranges(inside, 2)
    assert begun == ["answered", "findings"]
