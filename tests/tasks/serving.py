"""A server as far as processes go: supervised, runs the commands it is sent, ends as servers end."""

from __future__ import annotations

import sys

from zsh_ls.tasks import cgroup
from zsh_ls.tasks.supervisor import supervise

if __name__ == "__main__":
    if "no-cgroup" in sys.argv:
        cgroup.own_group = lambda *_: None
    supervise()

import asyncio
import json
import os
import re
import resource
import shutil
import signal
from pathlib import Path

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, StartRequest


async def main(spool_root: Path) -> None:
    engine = Engine(clock=SystemClock(), spool_root=spool_root)
    loop = asyncio.get_running_loop()
    asked_to_end = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, asked_to_end.set)
    commands = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    for shell, command in commands:
        path = shutil.which(shell)
        assert path
        await engine.start(StartRequest(command=command, shell=shell, shell_path=path, cwd="/"))
    if "no-more-processes" in sys.argv:
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    print(json.dumps({"inner": os.getpid()}), flush=True)
    if "kill" in sys.argv:
        await loop.run_in_executor(None, sys.stdin.readline)
        did = await asyncio.gather(*(task.kill() for task in engine.all()))
        print(json.dumps(did), flush=True)
    loop.run_in_executor(
        None, lambda: (sys.stdin.read(), loop.call_soon_threadsafe(asked_to_end.set))
    )
    while "stuck" in sys.argv:
        pass
    if "deaf" in sys.argv:
        re.match("(a+)+$", "a" * 64 + "b")  # no other thread runs before it is done: never
    await asked_to_end.wait()
    await engine.close()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
