"""A detached run of an agent goes on when the agent has gone, and the next one finds it (RUN-20)."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually

from .session import session, text_of

pytestmark = pytest.mark.slow


async def test_it_outlives_its_agent(home: dict[str, str], project: Path, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    there = {**home, "XDG_RUNTIME_DIR": str(runtime)}
    token = f"6{os.getpid():07}"
    async with session(there, project) as agent:
        begun = await text_of(
            agent,
            "zsh",
            command=f"sleep 1000.{token}",
            detached=True,
            timeout=0,
            yield_after=0,
            description="a server",
        )
        assert "Time limit cut" not in begun
        refused = await agent.call_tool(
            "zsh", {"command": "true", "detached": True, "session": "s"}
        )
        assert refused.is_error
    assert eventually(lambda: alive_with(token))
    async with session(there, project) as agent:
        (line,) = (await text_of(agent, "zsh_tasks")).splitlines()
        assert "running detached" in line
        assert line.endswith(f"by agent: sleep 1000.{token} # a server")
        task_id = line.split()[0]
        assert f"detached: {task_id}" in await text_of(agent, "zsh_health")
        assert f"task_id={task_id}" in await text_of(agent, "zsh_poll", task_id=task_id, listen=0)
        await text_of(agent, "zsh_kill", task_id=task_id)
        assert not alive_with(token)
    for name in os.listdir(runtime / "zsh-ls" / "keepers"):
        with suppress(ProcessLookupError):
            os.kill(int(name.partition("-")[0]), signal.SIGTERM)
    assert eventually(lambda: not os.listdir(runtime / "zsh-ls" / "keepers"))
