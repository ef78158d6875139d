"""What the engine costs: big output against a plain redirection, many tasks at once, a trivial command.

`python -m tests.bench output [--mib 1024] [--runs 100]`. Prints ratios measured
in this run: the same text is run by `zsh -fc TEXT > file` and through a task,
in turns; each output is removed before the next, as they would fill the memory. Then
how long after its own end a command is answered that printed as much in lines, in
numbered lines, in one line, in NUL. `stall` is the longest time the event loop could
not run anything else, `growth` how much this process's peak memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median

from zsh_ls.model.clock import SystemClock
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.sidecar.service import Sidecar
from zsh_ls.tasks import Engine, StartRequest, Task

from ._peers import own_home, table

ROUNDS = 3
TICK_S = 0.001
MIB = 1 << 20


class Stalls:
    """The longest time between two turns of the loop, beyond what was asked for."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Stalls:
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._watching
        self._watching.cancel()

    async def _watch(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.longest_s = max(self.longest_s, time.perf_counter() - before - TICK_S)


def request(command: str) -> StartRequest:
    shell = shutil.which("zsh")
    assert shell, "zsh is not installed"
    return StartRequest(command=command, shell_path=shell, cwd="/tmp")


async def through_a_task(engine: Engine, command: str) -> Task:
    task = await engine.start(request(command))
    await task.wait_end()
    return task


def plainly(command: str, output: str) -> None:
    with open(output, "wb") as file:
        subprocess.run(
            ["zsh", "-fc", command], stdout=file, stderr=file, stdin=subprocess.DEVNULL, check=False
        )


async def timed(run: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await run()
    return time.perf_counter() - started


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def big_output(engine: Engine, folder: Path, size_mib: int) -> None:
    text = _in_lines(size_mib)
    plain_s, task_s = [], []
    before_mib = peak_mib()
    async with Stalls() as stalls:
        for _ in range(ROUNDS):
            plain_s.append(
                await timed(lambda: asyncio.to_thread(plainly, text, str(folder / "plain")))
            )
            stalls.longest_s = 0.0 if not task_s else stalls.longest_s
            for before in (folder / "outputs").iterdir():
                shutil.rmtree(before)
            task_s.append(await timed(lambda: through_a_task(engine, text)))
        task = engine.all()[-1]
        middle_s = await timed(
            lambda: asyncio.to_thread(task.output.lines, task.output.total_lines // 2, None, 4096)
        )
    table(f"{size_mib} MiB of output", {"a task": task_s, "zsh > file": plain_s}, "s", 1)
    ratio = median(task_s) / median(plain_s)
    print(
        f"{size_mib} MiB: {median(task_s):.2f} s, plain {median(plain_s):.2f} s, ratio {ratio:.2f};"
        f" growth {peak_mib() - before_mib:.0f} MiB, stall {stalls.longest_s * 1e3:.0f} ms,"
        f" a page from the middle {middle_s * 1e3:.0f} ms"
    )


def _in_lines(size_mib: int) -> str:
    return f"yes 0123456789abcde | head -c {size_mib * MIB}"


def _told_at(file: Path) -> float:
    return float(file.read_text())


async def answers(size_mib: int) -> None:
    """How long after its end a command with a huge output is answered."""
    commands = {
        "lines": _in_lines(size_mib),
        "numbered lines": f"seq 1 999999999 | head -c {size_mib * MIB}",
        "one line": f"head -c {size_mib * MIB} /dev/zero | tr '\\0' a",
        "NUL": f"head -c {size_mib * MIB} /dev/zero",
    }
    with own_home() as env:
        os.environ.update(env)
        ended = Path(env["HOME"], "ended")
        sidecar = await Sidecar.open(SidecarOptions(session="bench"))
        for name, command in commands.items():
            told = f"zmodload zsh/datetime; {command}; print -r $EPOCHREALTIME >{ended}"
            worked = time.process_time()
            async with Stalls() as stalls:
                await sidecar.run(RunRequest(told, yield_after=300))
            late_s = time.time() - _told_at(ended)
            worked = time.process_time() - worked
            title = f"{size_mib} MiB of {name}, answered after its end"
            table(title, {"zsh/run": [late_s]}, "s", 1)
            print(f"  processor {worked:.2f} s, stall {stalls.longest_s * 1e3:.0f} ms")
        await sidecar.close()


async def many_at_once(engine: Engine) -> None:
    async with Stalls() as stalls:
        took_s = await timed(
            lambda: asyncio.gather(*(through_a_task(engine, "sleep 0.2") for _ in range(100)))
        )
    table("100 tasks of sleep 0.2 at once", {"all": [took_s]}, "s", 1)
    print(f"100 x sleep 0.2: {took_s:.2f} s, stall {stalls.longest_s * 1e3:.0f} ms")


async def trivial(engine: Engine, runs: int) -> None:
    plain_s, task_s = [], []
    for _ in range(runs):
        started = time.perf_counter()
        plainly("true", "/dev/null")
        plain_s.append(time.perf_counter() - started)
        task_s.append(await timed(lambda: through_a_task(engine, "true")))
    ratio = median(task_s) / median(plain_s)
    print(
        f"true: {median(task_s) * 1e3:.2f} ms, zsh -fc true {median(plain_s) * 1e3:.2f} ms,"
        f" ratio {ratio:.2f} (of {runs} in turns)"
    )


async def close_with_tasks(engine: Engine) -> None:
    for _ in range(50):
        await engine.start(request("trap '' TERM; while :; do sleep 1; done"))
    took_s = await timed(engine.close)
    print(f"close with 50 tasks that ignore TERM: {took_s:.2f} s (grace 0.3 s)")


async def measure(size_mib: int, runs: int) -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        engine = Engine(clock=SystemClock(), spool_root=Path(folder) / "outputs")
        await trivial(engine, runs)
        await many_at_once(engine)
        await big_output(engine, Path(folder), size_mib)
        await close_with_tasks(engine)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench output", description=__doc__)
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=100)
    asked = parser.parse_args(arguments)
    asyncio.run(measure(asked.mib, asked.runs))
    asyncio.run(answers(asked.mib))
    return 0
