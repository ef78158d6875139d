"""Settings by all three ways, live; wrong ones keep the old and are said once; trust decides what runs."""

from __future__ import annotations

from typing import Any

import pytest

from zsh_ls.server.configuration import Configuration
from zsh_ls.sidecar.options import Settings

from .rpc import Peer

PULLS = {
    "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}
}


def timeout_of(peer: Peer) -> str:
    """The timeout in force, as the fake sidecar was told it."""
    found: str = peer.call("zsh/run", {"command": "timeout"})["output"]
    return found


def give(peer: Peer, settings: object) -> None:
    """Answer the server's next question for its settings."""
    asked = peer.until(lambda it: it.get("method") == "workspace/configuration")
    assert asked["params"] == {"items": [{"section": "zshLs"}]}
    peer.send({"jsonrpc": "2.0", "id": asked["id"], "result": [settings]})


def test_settings_come_with_initialize(stranger: Peer) -> None:
    stranger.initialize(initializationOptions={"timeout": 7})
    assert timeout_of(stranger) == "7.0"


def test_settings_are_asked_for_and_asked_for_again_when_they_change(stranger: Peer) -> None:
    stranger.initialize(PULLS, initializationOptions={"timeout": 7})
    give(stranger, {"timeout": 8})
    registered = stranger.until(lambda it: it.get("method") == "client/registerCapability")
    (registration,) = registered["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeConfiguration"
    assert timeout_of(stranger) == "8.0"
    stranger.notify("workspace/didChangeConfiguration", {"settings": None})
    give(stranger, {"timeout": 9})
    assert timeout_of(stranger) == "9.0"
    stranger.notify("workspace/didChangeConfiguration", {"settings": None})
    give(stranger, {"timeout": "soon"})
    assert timeout_of(stranger) == "9.0"
    stranger.notify("workspace/didChangeConfiguration", {"settings": None})
    give(stranger, None)
    assert timeout_of(stranger) == "7.0"


@pytest.mark.parametrize(
    "answer",
    [{"result": None}, {"result": []}, {"result": 5}, {"error": {"code": 1, "message": "no"}}],
)
def test_a_client_that_gives_no_settings_changes_none(stranger: Peer, answer: Any) -> None:
    stranger.initialize(PULLS, initializationOptions={"timeout": 7})
    asked = stranger.until(lambda it: it.get("method") == "workspace/configuration")
    stranger.send({"jsonrpc": "2.0", "id": asked["id"], **answer})
    assert timeout_of(stranger) == "7.0"


def test_a_client_that_never_answers_is_not_waited_for_for_ever(stranger: Peer) -> None:
    stranger.initialize(PULLS, initializationOptions={"timeout": 7})
    assert timeout_of(stranger) == "7.0"


def test_pushed_settings_are_taken_from_a_client_that_cannot_be_asked(stranger: Peer) -> None:
    stranger.initialize()
    stranger.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"timeout": 5}}})
    assert timeout_of(stranger) == "5.0"
    stranger.notify("workspace/didChangeConfiguration", {"settings": {"other": {"timeout": 6}}})
    assert timeout_of(stranger) == "5.0"


def test_a_wrong_value_keeps_the_old_and_is_said_once(stranger: Peer) -> None:
    stranger.initialize(initializationOptions={"timeout": 7})
    for _ in range(3):
        wrong = {"settings": {"zshLs": {"timeout": "soon"}}}
        stranger.notify("workspace/didChangeConfiguration", wrong)
    assert timeout_of(stranger) == "7.0"
    said = [it["params"] for it in stranger.heard if it.get("method") == "window/showMessage"]
    assert [it["type"] for it in said] == [2]
    assert "timeout: expected a number" in said[0]["message"]


def test_a_workspace_that_is_not_trusted_runs_nothing_until_it_is(stranger: Peer) -> None:
    stranger.initialize(initializationOptions={"trusted": False})
    for method, params in (
        ("zsh/run", {"command": "true"}),
        ("zsh/send", {"task_id": "x", "input": "y"}),
        ("workspace/executeCommand", {"command": "zsh.run", "arguments": [{"command": "true"}]}),
    ):
        error = stranger.refusal(method, params)
        assert (error["code"], "not trusted" in error["message"]) == (-32803, True)
    assert stranger.call("zsh/stats")["observations"] == 0
    stranger.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"trusted": True}}})
    assert stranger.call("zsh/run", {"command": "true"})["exit"] == 0


def test_trust_withdrawn_in_the_first_settings_comes_before_the_first_run(stranger: Peer) -> None:
    stranger.initialize(PULLS)
    running = stranger.ask("zsh/run", {"command": "true"})
    give(stranger, {"trusted": False})
    assert stranger.answer_to(running)["error"]["code"] == -32803


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
