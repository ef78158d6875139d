"""Progress of tasks: `zsh/progress`, `$/progress`, and cancelling it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.results import Progress
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar.runs import progress
from zsh_ls.sidecar.runs.progress import ProgressBuffer, joined, last_line

from .inside import Inside
from .rpc import Peer

SHOWS = {"window": {"workDoneProgress": True}}
SPEAKS = {"experimental": {"zshLs": {"version": 1}}}


@pytest.fixture
async def inside() -> Inside:
    """A client that has sent nothing yet."""
    return Inside()


async def run_progress(peer: Inside, times: int = 5, **more: object) -> None:
    await peer.call("zsh/run", {"command": f"progress {times}", **more})


async def values_of(peer: Inside, token: object) -> list[Any]:
    return [it["value"] for it in await peer.told("$/progress") if it["token"] == token]


async def test_the_clients_token_begins_reports_and_ends_with_the_percentage(
    inside: Inside,
) -> None:
    await inside.initialize()
    await run_progress(inside, 5, workDoneToken="mine")
    begin, *reports, end = await values_of(inside, "mine")
    assert begin == {
        "kind": "begin",
        "title": "progress 5",
        "cancellable": True,
        "message": "line 0",
        "percentage": 0,
    }
    assert [it["percentage"] for it in reports] == [1, 2, 3, 4]
    assert {it["kind"] for it in reports} == {"report"}
    assert end == {"kind": "end", "message": "completed after 5.0s"}


async def test_a_client_that_shows_progress_gets_a_token_made_for_it(inside: Inside) -> None:
    await inside.initialize(SHOWS)
    running = inside.ask("zsh/run", {"command": "progress 4", "stdin": "wait for the kill"})
    create = await inside.question("window/workDoneProgress/create")
    assert not any(it.get("method") == "$/progress" for it in inside.received)
    inside.answer(create, result=None)
    token = create["params"]["token"]
    assert (await inside.news("$/progress", lambda it: it["token"] == token))["value"][
        "kind"
    ] == "begin"
    inside.notify("window/workDoneProgress/cancel", {"token": token})
    assert "result" in await inside.answer_to(running)
    assert (await values_of(inside, token))[-1]["kind"] == "end"


async def test_a_client_that_refuses_a_token_is_told_nothing_more(inside: Inside) -> None:
    await inside.initialize(SHOWS)
    running = inside.ask("zsh/run", {"command": "progress 4", "stdin": "wait for the kill"})
    create = await inside.question("window/workDoneProgress/create")
    inside.answer(create, error={"code": -32601, "message": "no"})
    await inside.call("zsh/kill", {"task_id": "00000000"})
    assert "result" in await inside.answer_to(running)
    assert await inside.told("$/progress") == []


async def test_a_client_that_shows_none_gets_none_without_its_own_token(inside: Inside) -> None:
    await inside.initialize()
    await run_progress(inside)
    assert await inside.told("$/progress") == []
    assert {it["method"] for it in inside.received if "method" in it} == {"zsh/progress"}


async def test_cancelling_the_clients_token_kills_its_own_task(inside: Inside) -> None:
    await inside.initialize()
    params = {"command": "progress 4", "stdin": "wait for the kill"}
    one = inside.ask("zsh/run", {**params, "workDoneToken": "one", "description": "one"})
    two = inside.ask("zsh/run", {**params, "workDoneToken": "two", "description": "two"})
    for token in ("one", "two"):
        begun = await inside.news("$/progress", lambda it, token=token: it["token"] == token)
        assert begun["value"]["message"] == f"line 0 {token}"
    inside.notify("window/workDoneProgress/cancel", {"token": "two"})
    assert "result" in await inside.answer_to(two)
    assert (await inside.call("zsh/health"))["status"] == "healthy"
    assert not any(it.get("id") == one for it in inside.received)
    inside.notify("window/workDoneProgress/cancel", {"token": "one"})
    assert "result" in await inside.answer_to(one)


async def test_a_command_carries_the_token_beside_it(inside: Inside) -> None:
    await inside.initialize()
    run = {"command": "zsh.run", "arguments": [{"command": "progress 1"}], "workDoneToken": 5}
    await inside.call("workspace/executeCommand", run)
    assert [it["kind"] for it in await values_of(inside, 5)] == ["begin", "end"]


# WIRE-5
async def test_zsh_progress_goes_to_who_declared_it_or_has_spoken_zsh(inside: Inside) -> None:
    await inside.initialize(SPEAKS)
    await run_progress(inside, 3)
    found = await inside.told("zsh/progress")
    assert [it["status"] for it in found] == ["running"] * 3 + ["completed"]
    assert [it["from_line"] for it in found] == [1, 2, 3, 4]
    assert all("tag" not in it for it in found)


PROGRESS = Progress("1", "c", Origin.EDITOR, Status.RUNNING, "", None, None, 0, 0.0)


def piece(text: str, from_line: int, to_line: int) -> Progress:
    return attrs.evolve(
        PROGRESS, output=text, from_line=from_line, to_line=to_line, new_bytes=len(text)
    )


def test_news_is_joined_while_it_is_held_and_nothing_of_it_is_lost() -> None:
    heard: list[Progress] = []
    found = ProgressBuffer(heard.append)
    found.add(piece("a\n", 1, 1))
    found.held = True
    found.add(piece("b\n", 2, 2))
    found.add(piece("c\n", 3, 3))
    found.add(attrs.evolve(PROGRESS, status=Status.COMPLETED, exit=0))
    assert [it.output for it in heard] == ["a\n"]
    found.release()
    (_, last) = heard
    assert (last.output, last.from_line, last.to_line, last.new_bytes) == ("b\nc\n", 2, 3, 4)
    assert (last.status, last.exit) == (Status.COMPLETED, 0)


def test_joined_news_keeps_the_end_of_too_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LARGEST_TEXT_CHARS", 6)
    both = joined(piece("one\ntwo\n", 1, 2), piece("three\n", 3, 3))
    assert (both.output, both.from_line, both.to_line) == ("three\n", 3, 3)


@given(st.lists(st.text("ab\n", max_size=6), min_size=1, max_size=8))
def test_however_news_is_joined_its_text_is_the_same(texts: list[str]) -> None:
    heard: list[Progress] = []
    found = ProgressBuffer(heard.append)
    found.held = True
    for text in texts:
        found.add(piece(text, 1, 1))
    found.release()
    assert "".join(it.output for it in heard) == "".join(texts)


@pytest.mark.parametrize(
    ("text", "line"), [("", ""), ("a\n\n  \n", "a"), ("a\n b \n", "b"), ("x" * 9000, "x" * 2000)]
)
def test_the_last_line_is_the_last_that_says_something(text: str, line: str) -> None:
    assert last_line(text) == line


Start = Callable[..., Peer]


# POLL-8
@pytest.mark.slow
def test_cancelling_the_progress_of_a_real_task_kills_it(real: Start) -> None:
    peer = real()
    params = {"command": "sleep 60", "yield_after": 60, "workDoneToken": "mine"}
    running = peer.ask("zsh/run", params)
    peer.news("$/progress")
    peer.notify("window/workDoneProgress/cancel", {"token": "mine"})
    result = peer.answer_to(running)["result"]
    assert (result["status"], result["exit"], result["pipestatus"]) == ("killed", 137, [137])
    assert peer.news("$/progress", lambda it: it["value"]["kind"] == "end")
