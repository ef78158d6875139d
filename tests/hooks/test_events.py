"""What each agent tells its hook, as its documentation and source have it, and what is answered (HOOK-1)."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.hooks.events import AGENTS
from zsh_ls.hooks.news import news_of
from zsh_ls.model.agent_run import AgentRun

RECORDED = Path(__file__).parent / "recorded"
CASES = [
    (agent, case)
    for agent in AGENTS
    for case in json.loads((RECORDED / f"{agent}.json").read_text())
]


# HOOK-1
@pytest.mark.parametrize(
    ("agent", "case"), CASES, ids=[f"{agent}: {it['name']}" for agent, it in CASES]
)
def test_what_an_event_tells_and_what_is_news_of_it(agent: str, case: dict[str, Any]) -> None:
    spoken = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    run = spoken.read(case["event"])
    if case["command"] is None:
        assert run is None
        return
    assert run is not None
    assert (run.command, run.exit) == (case["command"], case["exit"])
    assert run.folder.startswith("/work/shop")
    lines = news_of(AgentRun(**vars(run)))
    assert len(lines) <= 2
    assert bool(lines) is bool(case["says"])
    for words in case["says"]:
        assert any(words in line for line in lines), lines
    if lines:
        answer = json.dumps(spoken.answer(case["event"], "\n".join(lines)), ensure_ascii=False)
        assert case["says"][0] in answer


# HOOK-3
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "event", [{}, {"tool_name": 3}, {"tool_name": "Bash", "tool_input": "rm"}, {"event": []}]
)
def test_an_event_that_is_none_tells_of_no_run(agent: str, event: dict[str, Any]) -> None:
    assert importlib.import_module(f"zsh_ls.hooks.events.{agent}").read(event) is None


def test_durations_are_in_seconds_and_gemini_names_a_folder_below_its_own() -> None:
    from zsh_ls.hooks.events import cursor, gemini

    cases = {agent: [it for owner, it in CASES if owner == agent] for agent in AGENTS}
    timed = cursor.read(cases["cursor"][0]["event"])
    assert timed is not None
    assert timed.duration_s == 5.432
    below = gemini.read(cases["gemini"][1]["event"])
    assert below is not None
    assert below.folder == "/work/shop/api"


def test_cursor_tells_of_a_call_that_it_stopped_at_its_limit() -> None:
    from zsh_ls.hooks.events import cursor

    [stopped] = [
        case["event"] for agent, case in CASES if agent == "cursor" and "limit" in case["name"]
    ]
    run = cursor.read(stopped)
    assert run is not None
    assert run.timed_out
    assert run.duration_s == 30
    assert set(cursor.HOOKS) == {"postToolUse", "postToolUseFailure"}
