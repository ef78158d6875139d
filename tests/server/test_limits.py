"""Time limits by the origin of a run (RUN-11); only an agent's run leaves a file (VERB-4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import home_in
from .rpc import Message, Peer, peer

pytestmark = pytest.mark.slow
SLOW = "sleep 1; echo over"
CUT = "Time limit cut to {}s; a server or watcher runs with detached."


@pytest.fixture
def short(tmp_path: Path) -> Iterator[Peer]:
    """A server whose time limits for agents' runs are fractions of a second."""
    (tmp_path / "home").mkdir()
    numbers = {"NEVERHANG_TIMEOUT_DEFAULT": "0.2", "NEVERHANG_TIMEOUT_MAX": "0.3"}
    with peer(env={**home_in(tmp_path / "home"), **numbers}) as found:
        yield found


def run(server: Peer, command: str = SLOW, **more: object) -> Any:
    return server.call("zsh/run", {"command": command, "yield_after": 60, **more})


def infos(result: Message) -> list[str]:
    found: list[str] = result.get("insights", {}).get("info", [])
    return [said for said in found if said.startswith("Time limit")]


@pytest.mark.parametrize("origin", ["editor", "lens", "cli", "terminal"])
def test_a_persons_run_has_no_limit_where_none_was_set(short: Peer, origin: str) -> None:
    short.initialize()
    for more in ({}, {"timeout": 0}, {"timeout": 900}, {"timeout": None}):
        result = run(short, origin=origin, **more)
        assert (result["status"], result["output"], infos(result)) == ("completed", "over\n", [])


def test_a_persons_own_limit_is_that_of_the_request_then_that_of_the_setting(short: Peer) -> None:
    short.initialize(initializationOptions={"timeout": 0.4})
    assert run(short)["error"] == "Command timed out after 0.4s"
    assert run(short, timeout=0.1)["error"] == "Command timed out after 0.1s"
    assert run(short, timeout=0)["status"] == "completed"


def test_an_agents_limit_is_its_default_then_its_maximum(short: Peer) -> None:
    short.initialize()
    result = run(short, origin="agent")
    assert (result["error"], infos(result)) == ("Command timed out after 0.2s", [])
    for asked in (0, 900):
        result = run(short, f"{SLOW} {asked}", origin="agent", timeout=asked)
        assert result["error"] == "Command timed out after 0.3s"
        assert infos(result) == [CUT.format("0.3")]
        assert CUT.format("0.3") in result["formatted"]


@pytest.mark.parametrize(("maximum", "error"), [(0.4, "0.4"), (0, None)])
def test_the_setting_of_the_maximum_goes_before_the_variable(
    short: Peer, maximum: float, error: str | None
) -> None:
    short.initialize(initializationOptions={"timeoutMax": maximum})
    result = run(short, origin="agent", timeout=0)
    if error is None:
        assert (result["status"], infos(result)) == ("completed", [])
    else:
        assert result["error"] == f"Command timed out after {error}s"
        assert infos(result) == [CUT.format(error)]


def test_an_agents_run_is_held_to_600_seconds_where_nothing_was_set(real_one: Peer) -> None:
    assert infos(run(real_one, "true", origin="agent", timeout=600)) == []
    for asked in (0, 601, 10**9):
        assert infos(run(real_one, "true", origin="agent", timeout=asked)) == [CUT.format("600")]


@pytest.mark.parametrize("origin", ["editor", "agent"])
def test_less_than_0_is_refused_by_the_name_of_the_field(real_one: Peer, origin: str) -> None:
    error = real_one.refusal("zsh/run", {"command": "true", "timeout": -1, "origin": origin})
    assert error["code"] == -32602
    assert "timeout" in error["message"]


@pytest.mark.parametrize("trace", [True, False])
def test_a_script_has_no_limit_but_what_was_asked_for(
    short: Peer, tmp_path: Path, trace: bool
) -> None:
    short.initialize()
    script = {"textDocument": {"uri": (tmp_path / "x.zsh").as_uri()}, "trace": trace}
    short.open(script["textDocument"]["uri"], f"{SLOW}\n")
    result = short.call("zsh/runScript", {**script, "yield_after": 60})
    assert (result["status"], result["output"]) == ("completed", "over\n")
    result = short.call("zsh/runScript", {**script, "yield_after": 60, "timeout": 0.3})
    assert result["error"] == "Command timed out after 0.3s"
    error = short.refusal("zsh/runScript", {**script, "timeout": -1})
    assert error["code"] == -32602
    assert "timeout" in error["message"]


def test_only_an_agents_cut_output_is_saved_in_the_workspace(real: Any, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    server = real(rootUri=workspace.as_uri())
    result = run(server, "seq 500")
    assert result["verbosity"]["full_output"] is None
    assert "saved to" not in result["formatted"]
    assert list(workspace.iterdir()) == []
    result = run(server, "seq 500", origin="agent")
    assert "full output saved to .tmp/last-command-output.txt" in result["formatted"]
    saved = workspace / result["verbosity"]["full_output"]
    assert saved.read_text() == "".join(f"{n}\n" for n in range(1, 501))
    assert saved.stat().st_mode & 0o777 == 0o600
