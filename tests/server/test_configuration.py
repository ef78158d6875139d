"""Settings in all three ways of LSP: wrong values change nothing and are reported once; trust."""

from __future__ import annotations

from typing import Any

import pytest

from zsh_ls.server.configuration import Configuration
from zsh_ls.sidecar.config import Settings

from .inside import Inside

PULLS = {
    "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}
}


@pytest.fixture
async def inside() -> Inside:
    """A client that has sent nothing yet."""
    return Inside()


async def timeout_of(peer: Inside) -> str:
    """The time limit that the fake sidecar was configured with."""
    result = await peer.call("zsh/run", {"command": "timeout"})
    found: str = result["output"]
    return found


async def give(peer: Inside, settings: object) -> None:
    """Answer the server's next request for settings."""
    asked = await peer.question("workspace/configuration")
    assert asked["params"] == {"items": [{"section": "zshLs"}]}
    peer.answer(asked, result=[settings])


async def test_settings_come_with_initialize(inside: Inside) -> None:
    await inside.initialize(initializationOptions={"timeout": 7})
    assert await timeout_of(inside) == "7.0"


async def test_settings_are_asked_for_and_asked_for_again_when_they_change(inside: Inside) -> None:
    await inside.initialize(PULLS, initializationOptions={"timeout": 7})
    await give(inside, {"timeout": 8})
    registered = await inside.question("client/registerCapability")
    (registration,) = registered["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeConfiguration"
    assert await timeout_of(inside) == "8.0"
    inside.notify("workspace/didChangeConfiguration", {"settings": None})
    await give(inside, {"timeout": 9})
    assert await timeout_of(inside) == "9.0"
    inside.notify("workspace/didChangeConfiguration", {"settings": None})
    await give(inside, {"timeout": "soon"})
    assert await timeout_of(inside) == "9.0"
    inside.notify("workspace/didChangeConfiguration", {"settings": None})
    await give(inside, None)
    assert await timeout_of(inside) == "7.0"


@pytest.mark.parametrize(
    "answer",
    [{"result": None}, {"result": []}, {"result": 5}, {"error": {"code": 1, "message": "no"}}],
)
async def test_a_client_that_gives_no_settings_changes_none(inside: Inside, answer: Any) -> None:
    await inside.initialize(PULLS, initializationOptions={"timeout": 7})
    asked = await inside.question("workspace/configuration")
    inside.answer(asked, **answer)
    assert await timeout_of(inside) == "7.0"


async def test_a_client_that_never_answers_is_not_waited_for_for_ever(inside: Inside) -> None:
    await inside.initialize(PULLS, initializationOptions={"timeout": 7})
    assert await timeout_of(inside) == "7.0"


async def test_pushed_settings_are_taken_from_a_client_that_cannot_be_asked(inside: Inside) -> None:
    await inside.initialize()
    inside.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"timeout": 5}}})
    assert await timeout_of(inside) == "5.0"
    inside.notify("workspace/didChangeConfiguration", {"settings": {"other": {"timeout": 6}}})
    assert await timeout_of(inside) == "5.0"


# TRUST-4
async def test_a_wrong_value_keeps_the_old_and_is_said_once(inside: Inside) -> None:
    await inside.initialize(initializationOptions={"timeout": 7})
    for _ in range(3):
        wrong = {"settings": {"zshLs": {"timeout": "soon"}}}
        inside.notify("workspace/didChangeConfiguration", wrong)
    assert await timeout_of(inside) == "7.0"
    said = await inside.told("window/showMessage")
    assert [it["type"] for it in said] == [2]
    assert "timeout: expected a number" in said[0]["message"]


async def test_a_workspace_that_is_not_trusted_runs_nothing_until_it_is(inside: Inside) -> None:
    await inside.initialize(initializationOptions={"trusted": False})
    for method, params in (
        ("zsh/run", {"command": "true"}),
        ("zsh/send", {"task_id": "x", "input": "y"}),
        ("workspace/executeCommand", {"command": "zsh.run", "arguments": [{"command": "true"}]}),
    ):
        error = await inside.refusal(method, params)
        assert (error["code"], "not trusted" in error["message"]) == (-32803, True)
    assert (await inside.call("zsh/stats"))["observations"] == 0
    inside.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"trusted": True}}})
    assert (await inside.call("zsh/run", {"command": "true"}))["exit"] == 0


async def test_trust_withdrawn_in_the_first_settings_comes_before_the_first_run(
    inside: Inside,
) -> None:
    await inside.initialize(PULLS)
    running = inside.ask("zsh/run", {"command": "true"})
    await give(inside, {"trusted": False})
    assert (await inside.answer_to(running))["error"]["code"] == -32803


def test_paths_are_not_taken_from_a_workspace_that_is_not_trusted() -> None:
    said: list[str] = []
    found = Configuration(Settings(), said.append)
    found.started_with(
        {"zshLs": {"trusted": False, "database": "/x.db", "shell": "/bin/evil", "timeout": 3}}
    )
    assert found.settings == Settings(trusted=False, timeout_s=3.0)
    found.came({"trusted": True, "database": "/x.db"})
    assert found.settings == Settings(trusted=True, database="/x.db", timeout_s=3.0)


@pytest.mark.parametrize("given", [5, "x", [], True])
def test_settings_that_are_no_object_change_nothing_and_are_said_once(given: object) -> None:
    said: list[str] = []
    found = Configuration(Settings(), said.append)
    for _ in range(3):
        found.came(given)
    assert found.settings == Settings()
    assert len(said) == 1
