"""Agents get the places of an output in the structured answer (PLACE-1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zsh_ls.mcp.paging import MOST_PLACES_CHARS
from zsh_ls.mcp.structured import fitting_places

from .session import session


@pytest.mark.slow
async def test_the_structured_answer_has_the_places(home: dict[str, str], project: Path) -> None:
    (project / "a.c").write_text("int x\n")
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh", {"command": "gcc -c a.c", "cwd": str(project)})
    [place] = answer.structured_content["places"]
    assert (place["file"], place["line"], place["source"]) == (str(project / "a.c"), 1, "gcc")


def test_places_that_an_agent_is_told_of_are_bounded_errors_first() -> None:
    warnings = [{"severity": "warning", "line": it, "message": "w" * 100} for it in range(400)]
    error = {"severity": "error", "line": 401, "message": "bad"}
    kept = fitting_places([*warnings, error], MOST_PLACES_CHARS)
    assert kept[-1] == error
    assert kept[:-1] == warnings[: len(kept) - 1]
    assert len(json.dumps(kept)) <= MOST_PLACES_CHARS
    assert fitting_places(warnings[:3], MOST_PLACES_CHARS) == warnings[:3]
