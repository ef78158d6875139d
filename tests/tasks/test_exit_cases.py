"""Exit, pipestatus and output of commands whose right answers were taken from plain shells."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.tasks import Task

from .conftest import Run, whole

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data/exit_cases.json").read_text()
)


def digest(task: Task) -> str:
    sha = hashlib.sha256()
    for start in range(0, task.output.size_bytes, 1 << 24):
        sha.update(task.output.read(start, start + (1 << 24)))
    return sha.hexdigest()


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['shell']}: {case['command']}",
            marks=[pytest.mark.slow] * ("big" in case),
        )
        for case in CASES
    ],
)
async def test_a_command_ends_as_in_a_plain_shell(run: Run, case: dict[str, Any]) -> None:
    task = await run(case["command"], case["shell"])
    assert task.exit == case["exit"]
    assert list(task.pipestatus) in (
        case["pipestatus"],
        case.get("alt_pipestatus", case["pipestatus"]),
    )
    assert task.signal == case.get("signal")
    assert task.elapsed_s < case.get("max_s", 60)
    if "output" in case:
        assert whole(task).decode() == case["output"]
    else:
        assert task.output.size_bytes == case["output_bytes"]
        assert digest(task) == case["output_sha256"]
