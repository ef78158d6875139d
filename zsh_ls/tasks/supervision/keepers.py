"""The keepers of detached runs (RUN-20): processes that no ending of somebody else's tasks may reach.

A keeper is a descendant of the server, terminal or task that it was started from, and may have its
marks. Whoever ends processes therefore leaves out each keeper with all that is below it, unless it
works below that keeper itself. They are known by empty files named after process id and start, in a
private folder: the list must be there for processes that have no server to ask.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from zsh_ls.system.private_folders import make_private, sockets_folder
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.process.environment import TASK_VARIABLE
from zsh_ls.tasks.process.processes import Identity, Table

_FOLDER = "keepers"


def start(script: Path, order: bytes, variables: Mapping[str, str] | None) -> bytes:
    """Start `script` as a keeper that outlives this process; gives the line it says when it is ready.

    `script` gets the path of modules, as a line of JSON, and then `order` on its standard input;
    `variables` are its environment, None for this process's own. Raises OSError where it does not start.
    """
    environment = dict(os.environ if variables is None else variables)
    # It is no process of the task that it may be started from.
    environment.pop(TASK_VARIABLE.decode(), None)
    process = subprocess.Popen(
        [sys.executable, "-IS", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=environment,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout as answer:
        enter(process.pid)
        # An editable installation is found by a hook, not on the path.
        path = [*filter(os.path.isabs, sys.path), str(Path(__file__).parents[3])]
        with contextlib.suppress(BrokenPipeError), process.stdin as told:
            told.write(json.dumps(path).encode() + b"\n" + order)
        line = answer.readline().strip()
    # Nobody waits for its end but who reaps it, and this process may end before.
    threading.Thread(target=process.wait, name="keeper", daemon=True).start()
    if not line:
        raise OSError(None, "it ended at once")
    return line


def enter(pid: int) -> None:
    """Have process `pid` and all below it left alone; raises OSError where that cannot be written down."""
    keeper = processes.stat(pid)
    if keeper is None:
        if not processes.HAS_PROC and not processes.table():
            return  # where processes cannot be listed, none is found outside its own process group
        raise ProcessLookupError(f"process {pid} has ended")
    folder = _folder()
    make_private(folder)
    for identity in roots():
        there = processes.stat(identity[0])
        if there is None or there.started != identity[1]:
            _remove(identity)
    path = f"{folder}/{pid}-{keeper.started}"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def leave(pid: int) -> None:
    """Forget the keeper `pid`, which is about to end."""
    if keeper := processes.stat(pid):
        _remove(keeper.identity)


def roots() -> frozenset[Identity]:
    """The keepers that have been entered; some may have ended."""
    found = set()
    with contextlib.suppress(OSError):
        for name in os.listdir(_folder()):
            pid, _, started = name.partition("-")
            if pid.isdecimal() and started.isdecimal():
                found.add((int(pid), int(started)))
    return frozenset(found)


def without_kept(alive: Table) -> Table:
    """Those of `alive` that are not of a detached run, unless this process is of the same one."""
    entered = roots()
    living = [pid for pid, started in entered if pid in alive and alive[pid].started == started]
    kept: set[int] = set()
    for pid in living:
        below = processes.descendants([pid], alive)
        if os.getpid() not in below:
            kept |= below
    return {pid: process for pid, process in alive.items() if pid not in kept} if kept else alive


def _folder() -> str:
    return f"{sockets_folder()}/{_FOLDER}"


def _remove(identity: Identity) -> None:
    with contextlib.suppress(OSError):
        os.unlink(f"{_folder()}/{identity[0]}-{identity[1]}")
