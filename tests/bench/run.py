"""What a command that does nothing costs: by the engine, by the façade, over the wire, against zsh alone.

Also over the wire of a server that does nothing but start it (`_bare_runner.py`). All in the same
rounds, each with a moment of rest before it, so that what one left behind does not count for the
next. The processor time of the server is its own, without that of the shells.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.server.rpc import Peer
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.sidecar.service import Sidecar
from zsh_ls.tasks import Engine, StartRequest

from ._peers import OURS, largest, own_home, processor_s, table

ROUNDS = 60
WARM = 5
REST_S = 0.03
BARE_RUNNER = str(Path(__file__).with_name("_bare_runner.py"))
WIRE, BARE = "zsh/run over stdio", "zsh -fc true"

Work = Callable[[], Awaitable[object]]


def main(arguments: list[str]) -> int:
    rounds = int(arguments[0]) if arguments else ROUNDS
    with own_home() as env:
        os.environ.update(env)
        asyncio.run(_measure(rounds, env))
    return 0


async def _measure(rounds: int, env: dict[str, str]) -> None:
    found, least = Peer(OURS, env), Peer((sys.executable, "-I", BARE_RUNNER), env)
    found.initialize()
    engine = Engine(clock=SystemClock(), spool_root=Path(env["HOME"], "outputs"))
    sidecar = await Sidecar.open(SidecarOptions(session="bench"))
    start = StartRequest(command="true", shell_path=shutil.which("zsh") or "zsh", cwd=env["HOME"])

    async def by_engine() -> None:
        await (await engine.start(start)).wait_end()

    async def by_facade() -> None:
        await sidecar.run(RunRequest("true"))

    async def over_stdio() -> None:
        found.call("zsh/run", {"command": "true"})

    async def by_asyncio() -> None:
        least.call("zsh/run", {"command": "true"})

    async def bare() -> None:
        _run_bare()

    work: dict[str, Work] = {
        WIRE: over_stdio,
        "Sidecar.run": by_facade,
        "Engine.start": by_engine,
        "asyncio alone over stdio": by_asyncio,
        BARE: bare,
    }
    await _in_turn(work, WARM)
    server = largest(found.process.pid)
    before_s = processor_s(server)
    taken = await _in_turn(work, rounds)
    used_s = processor_s(server) - before_s
    alone_s = _processor_s_of_bare(rounds)
    await sidecar.close()
    await engine.close()
    for peer in (found, least):
        peer.end()
    _report(taken, used_s / rounds, alone_s / rounds)


def _run_bare() -> None:
    subprocess.run(["zsh", "-fc", "true"], stdin=subprocess.DEVNULL, check=True)


def _processor_s_of_bare(rounds: int) -> float:
    before = os.times()
    for _ in range(rounds):
        _run_bare()
    after = os.times()
    used = zip(after[2:4], before[2:4], strict=True)
    return sum(now - then for now, then in used)


async def _in_turn(work: dict[str, Work], rounds: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, once in work.items():
            await asyncio.sleep(REST_S)
            began = time.perf_counter()
            await once()
            taken[name].append(time.perf_counter() - began)
    return taken


def _report(taken: dict[str, list[float]], server_s: float, bare_s: float) -> None:
    table("a command that does nothing", taken, "ms")
    wire, bare = taken[WIRE], taken[BARE]
    first, _, third = (
        statistics.quantiles(wire, n=4)[n] / statistics.quantiles(bare, n=4)[n] for n in range(3)
    )
    print(
        f"  over stdio, least against least x{min(wire) / min(bare):.2f},"
        f" first quartiles x{first:.2f}, third x{third:.2f}"
    )
    print(
        f"  the server's own processor time {server_s * 1e3:.2f} ms a run,"
        f" x{server_s / bare_s:.2f} of that of zsh alone"
    )
