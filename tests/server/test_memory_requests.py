"""What a real server tells of memory: its fields are those of the contract, its figures a project's."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from .rpc import PATIENCE_S, Peer

INVALID_PARAMS = -32602
ENTRY = {"command", "exit", "outcome", "duration_s", "at", "cwd", "origin"}
STATS = {
    "known",
    "command_template",
    "runs",
    "success_rate",
    "timeout_rate",
    "kill_rate",
    "streak",
    "durations",
    "recent",
}


def repository(folder: Path) -> str:
    (folder / ".git").mkdir(parents=True)
    return str(folder)


def ran(peer: Peer, command: str, folder: str, **more: object) -> Any:
    asked = {"command": command, "cwd": folder, "yield_after": PATIENCE_S, **more}
    return peer.call("zsh/run", asked)


# PROMPT-2
def test_history_is_newest_first_each_command_once_and_of_a_folder(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    here, there = repository(tmp_path / "here"), repository(tmp_path / "there")
    peer = real(rootUri=f"file://{here}")
    before = datetime.now(UTC)
    ran(peer, "echo one", f"{here}/.git", shell="bash")
    ran(peer, "sh -c 'exit 3'", here, origin="agent")
    ran(peer, "sleep 60", here, timeout=0.2)
    ran(peer, " echo hidden", here)
    ran(peer, "echo elsewhere", there)
    ran(peer, "echo one", here)

    def told(**asked: object) -> list[str]:
        return [it["command"] for it in peer.call("zsh/history", asked)["entries"]]

    assert told() == ["echo one", "sleep 60", "sh -c 'exit 3'"]
    assert told(project=None) == ["echo one", "echo elsewhere", "sleep 60", "sh -c 'exit 3'"]
    assert told(project=there) == ["echo elsewhere"]
    assert told(project=f"file://{there}") == ["echo elsewhere"]
    assert told(project=str(tmp_path / "nowhere")) == []
    assert told(query="ECHO", project=None) == ["echo one", "echo elsewhere"]
    assert told(query="one echo") == ["echo one"]
    assert told(limit=1) == ["echo one"]
    assert told(limit=0) == []
    entries = peer.call("zsh/history", {})["entries"]
    assert all(set(entry) == ENTRY for entry in entries)
    ended = [(it["exit"], it["outcome"], it["origin"], it["cwd"]) for it in entries]
    assert ended == [
        (0, "SUCCESS", "editor", here),
        (None, "TIMEOUT", "editor", here),
        (3, "FAILURE", "agent", here),
    ]
    moments = [datetime.fromisoformat(entry["at"]) for entry in entries]
    assert before <= moments[-1] <= moments[0] <= datetime.now(UTC)
    for wrong in ({"limit": -1}, {"limit": "3"}, {"query": 3}, {"folder": here}):
        error = peer.refusal("zsh/history", wrong)
        assert error["code"] == INVALID_PARAMS
        assert next(iter(wrong)) in error["message"]


def test_stats_have_the_fields_of_the_contract_and_no_other(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    here = repository(tmp_path / "here")
    peer = real(rootUri=f"file://{here}")
    ran(peer, "echo one", here)
    assert set(peer.call("zsh/stats", {"command": "echo one"})) == STATS
    assert set(peer.call("zsh/stats", {"command": "never ran"})) == STATS
    assert set(peer.call("zsh/stats", {"command": "ssh web1 uptime"})) <= STATS | {"ssh"}
    assert set(peer.call("zsh/stats", {})) == {
        "observations",
        "templates",
        "oldest",
        "newest",
        "session",
        "hot_patterns",
        "outcomes",
    }


# KILL-2
@pytest.mark.parametrize("origin", ["editor", "agent"])
def test_a_development_server_is_killed_because_it_is_done_with(
    real: Callable[..., Peer], tmp_path: Path, origin: str
) -> None:
    here = repository(tmp_path / "here")
    program = tmp_path / "npm"
    program.write_text("#!/bin/sh\necho ready\nexec sleep 60\n")
    program.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    peer = real()
    for _ in range(4):
        asked = {"command": "npm run dev", "cwd": here, "yield_after": 0, "origin": origin}
        task_id = peer.call("zsh/run", {**asked, "env": path})["task_id"]
        insight = peer.call("zsh/kill", {"task_id": task_id})["insight"]
        assert insight["category"] == "UNKNOWN"
        # Both are rounded, each from what was measured.
        told = re.fullmatch(r"Killed after (\d+\.\d)s\.", insight["message"])
        assert told is not None
        assert abs(float(told[1]) - insight["kill_elapsed_ms"] / 1000) <= 0.051


# ANS-7
def test_why_is_asked_of_repositories_in_the_workspace_too(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    outer = repository(tmp_path / "outer")
    inner = repository(tmp_path / "outer" / "inner")
    beside = repository(tmp_path / "outer-beside")
    peer = real(rootUri=Path(outer).as_uri())
    for command, folder in (
        ("ls /of-outer", outer),
        ("ls /of-inner", inner),
        ("ls /of-beside", beside),
    ):
        ran(peer, command, folder)
    told = peer.call("zsh/ask", {"query": "why did the last run fail?"})["summary"]
    assert told.startswith("`ls /of-inner` failed with exit 2")
