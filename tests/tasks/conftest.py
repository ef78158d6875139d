"""A real engine over real shells, in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, StartRequest, Task
from zsh_ls.tasks.process.shells import find_shell

Run = Callable[..., Awaitable[Task]]


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs")
    yield engine
    await engine.close()


def request_for(command: str, shell: str = "zsh", **fields: object) -> StartRequest:
    found = find_shell(shell)
    assert found, f"{shell} is not installed"
    given = {"cwd": "/", "shell": shell, "shell_path": found.path, **fields}
    return StartRequest(command=command, **given)  # type: ignore[arg-type]


@pytest.fixture
def run(engine: Engine) -> Run:
    """Run a command to its end."""

    async def run(command: str, shell: str = "zsh", **fields: object) -> Task:
        task = await engine.start(request_for(command, shell, **fields))
        await task.wait_end()
        return task

    return run


def whole(task: Task) -> bytes:
    return task.output.read(0, task.output.size_bytes)
