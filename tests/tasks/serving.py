"""A server as far as processes go: supervised, runs the commands it is sent, ends as servers end.

Arguments behind the folder: `stuck` or `deaf` once the commands run, `no-cgroup`, `as-somebody=UID` (another
user than root, for whom limits of processes hold), `processes=N` (a limit of processes for itself and
its tasks), `no-more-processes` (for itself, once the commands run), `kill` (all of them, when it is sent
a line, and say for which there was anything to end), `timeout=S` (of each command; it says how they ended
when all have), `patient` (its supervisors wait for ever for a process that is busy).
"""

from __future__ import annotations

import sys

from zsh_ls.tasks.supervision import cgroup, reaper
from zsh_ls.tasks.supervision.supervisor import supervise

if __name__ == "__main__":
    if "no-cgroup" in sys.argv:
        cgroup.own_group = lambda *_: None
    if "patient" in sys.argv:
        reaper.STUCK_AFTER_S = float("inf")
    supervise()

import asyncio
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import tempfile  # noqa: F401  the engine imports it when it starts, and somebody could not
from pathlib import Path

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, StartRequest
from zsh_ls.tasks.output import stored_output
from zsh_ls.tasks.process import exit_reports, trace_file

_PR_SET_DUMPABLE = 4


def become_somebody(user: int, folder: Path) -> None:
    """Be no longer root, as far as the kernel goes; what Python has not read by now it may not find."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chown(folder, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
    os.environ["HOME"] = str(folder)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]


async def main(spool_root: Path) -> None:
    for word in sys.argv:
        if word.startswith("as-somebody="):
            become_somebody(int(word.partition("=")[2]), spool_root)
    for word in sys.argv:
        if word.startswith("processes="):
            resource.setrlimit(resource.RLIMIT_NPROC, (int(word.partition("=")[2]),) * 2)
    engine = Engine(clock=SystemClock(), spool_root=spool_root)
    loop = asyncio.get_running_loop()
    asked_to_end = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, asked_to_end.set)
    limit_s = next((float(it[8:]) for it in sys.argv if it.startswith("timeout=")), None)
    commands = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    for shell, command in commands:
        path = shutil.which(shell)
        assert path
        await engine.start(
            StartRequest(command=command, shell=shell, shell_path=path, cwd="/", timeout_s=limit_s)
        )
    if "no-more-processes" in sys.argv:
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    print(json.dumps({"inner": os.getpid()}), flush=True)
    if "kill" in sys.argv:
        await loop.run_in_executor(None, sys.stdin.readline)
        did = await asyncio.gather(*(task.kill() for task in engine.all()))
        print(json.dumps(did), flush=True)
    if limit_s is not None:
        await asyncio.gather(*(task.wait_end() for task in engine.all()))
        print(json.dumps([task.status for task in engine.all()]), flush=True)
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


_READ_BEFORE = (stored_output, exit_reports, trace_file)

if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
