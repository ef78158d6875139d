"""A joined sidecar against one in the process: the same calls, in the same rounds; and what a socket costs.

`python -m tests.bench link`. The server is a process of its own, as an editor
starts it. `memory` compares two servers, of which one has a workspace and
listens for it.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

from tests.server.rpc import Peer
from tests.server.shared import sockets, wait_until
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.remote.client import join

from ._peers import OURS, own_home, table, unique_mib

ROUNDS = 60
WARM_UP = 5
LONG = "yes 'a line of some length, as compilers print' | head -20000"

Call = Callable[[TaskService], Awaitable[object]]


def main(arguments: list[str]) -> int:
    with ExitStack() as stack:
        home = stack.enter_context(own_home())
        project = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lonely, sharing = Peer(OURS, home), Peer(OURS, home)
        for server in (lonely, sharing):
            stack.callback(server.end)
        lonely.initialize()
        sharing.initialize(rootUri=project.as_uri())
        wait_until(lambda: sockets(home))
        for server in (lonely, sharing):
            server.call("zsh/run", {"command": "true"})
        print(
            f"memory of its own: {unique_mib(sharing.process.pid):.1f} MiB with a socket, "
            f"{unique_mib(lonely.process.pid):.1f} MiB without"
        )
        asyncio.run(_compared(Path(home["XDG_RUNTIME_DIR"]) / "zsh-ls", project))
    return 0


async def _compared(runtime: Path, project: Path) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        places = Places(Path(folder) / "alan.db", Path(folder) / "outputs", runtime)
        own = await Sidecar.open(SidecarOptions("bench", str(project), places=places))
        began = time.perf_counter()
        joined = await join(runtime, project)
        assert joined is not None
        print(f"joining: {(time.perf_counter() - began) * 1e3:.2f} ms")
        sidecars: dict[str, TaskService] = {"joined": joined, "own": own}
        for title, call in CALLS.items():
            table(title, await _taken(sidecars, call), "ms")
        await joined.close()
        await own.close()


async def _taken(sidecars: dict[str, TaskService], call: Call) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in sidecars}
    for round_number in range(-WARM_UP, ROUNDS):
        for name, sidecar in sidecars.items():
            began = time.perf_counter()
            await call(sidecar)
            if round_number >= 0:
                taken[name].append(time.perf_counter() - began)
    return taken


CALLS: dict[str, Call] = {
    "the task list": lambda sidecar: sidecar.tasks(),
    "a run of true": lambda sidecar: sidecar.run(RunRequest("true")),
    "a run that prints 900 KiB": lambda sidecar: sidecar.run(RunRequest(LONG, verbosity="debug")),
}
