"""A long failed test as an agent gets it: passed tests are counted, every other line is there (VERB-9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .session import session

pytestmark = pytest.mark.slow
SUITE = """for n in $(seq 800); do echo "tests/test_shelf.py::test_case_$n PASSED [ 10%]"; done
echo 'tests/test_shelf.py::test_lock FAILED [100%]'
for n in $(seq 90); do echo "captured line $n"; done
echo 'FAILED tests/test_shelf.py::test_lock - assert 0'
echo '1 failed, 800 passed in 1.2s'; exit 1
"""
FOLD = "... 800 lines of passed tests folded, lines 1-800"


# VERB-9
async def test_passed_tests_of_a_long_failed_run_are_a_count(
    home: dict[str, str], project: Path
) -> None:
    (project / "run_tests.sh").write_text(SUITE)
    async with session(home, project) as agent:
        first = await agent.call_tool("zsh", {"command": "bash run_tests.sh", "yield_after": 60})
        task = first.structured_content["task_id"]
        again = await agent.call_tool("zsh", {"command": "bash run_tests.sh", "yield_after": 60})
        polled = await agent.call_tool("zsh_poll", {"task_id": task, "full_output": True})
        kept = await agent.call_tool(
            "zsh_output", {"task_id": task, "from_line": 800, "to_line": 801}
        )
    rows = first.structured_content["output"].splitlines()
    assert (rows[0], rows[1]) == (FOLD, "tests/test_shelf.py::test_lock FAILED [100%]")
    assert rows[2:92] == [f"captured line {n}" for n in range(1, 91)]
    assert len(rows) == 94
    assert first.content[0].text.splitlines()[:94] == rows
    said = again.content[0].text.splitlines()
    assert said[:2] == ["same 1 failure as before", FOLD]
    numbered = polled.content[0].text.splitlines()
    assert numbered[:2] == [FOLD, f"801: {rows[1]}"]
    assert "test_case_800 PASSED" in kept.content[0].text


async def test_a_short_failed_run_and_one_of_no_known_runner_are_whole(
    home: dict[str, str], project: Path
) -> None:
    (project / "run_tests.sh").write_text(SUITE.replace("seq 800", "seq 300"))
    (project / "other_tests.sh").write_text("seq 7000; exit 1")
    async with session(home, project) as agent:
        for script, rows in (("run_tests.sh", 393), ("other_tests.sh", 7_000)):
            done = await agent.call_tool("zsh", {"command": f"bash {script}", "yield_after": 60})
            assert len(done.structured_content["output"].splitlines()) == rows
