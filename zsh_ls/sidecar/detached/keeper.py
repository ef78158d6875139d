"""The keeper of one detached run: a server of one task, which no editor, terminal or agent ends (RUN-20).

It is supervised as a server is: should it be killed, its supervisor ends the task, so that
nothing runs on that nobody knows of. It ends when the task has ended, has left
nothing running, and has been there for a while for those who follow it; how the task ended is then
on disk (`ended`). A signal that ends it, as at the end of the login session, ends the task first.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from zsh_ls.tasks.supervision import cgroup, keepers, process_tags
from zsh_ls.tasks.supervision.supervisor import supervise

from .note import Note

if TYPE_CHECKING:
    from .kept import KeptSidecar

UNUSED_S = 30.0
# Those who follow the task read its end from here, later ones from disk.
LINGERS_S = 120.0
LOOKS_AGAIN_S = 15.0
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(order: bytes) -> NoReturn:
    """Be the keeper: print the socket's path, keep the run that comes through it, end."""
    root = os.getpid()
    cgroup.leave_server()
    process_tags.leave_task()
    # The supervisor takes the end of standard input for the end of who started it.
    _to_nowhere(0)
    note = Note()

    def bury() -> None:
        keepers.leave(root)
        if text := note.read():
            from .killed import remember  # noqa: PLC0415  few keepers are killed

            remember(order, text)

    try:
        supervise(bury)
        status = asyncio.run(_keep(order, note))
        keepers.leave(root)
        os._exit(status)
    finally:
        os._exit(1)


async def _keep(order: bytes, note: Note) -> int:
    # After the supervisor has forked.
    from zsh_ls.ipc import KEEPER_SUFFIX, Connection, Listener  # noqa: PLC0415
    from zsh_ls.sidecar.remote.server import Guest  # noqa: PLC0415

    from .kept import KeptSidecar  # noqa: PLC0415
    from .order import read  # noqa: PLC0415

    options = read(order)
    asked_to_end = asyncio.Event()
    for number in _ENDING:
        asyncio.get_running_loop().add_signal_handler(number, asked_to_end.set)
    sidecar = await KeptSidecar.open(options)
    sidecar.note = note
    listener, numbers = Listener(), itertools.count(1)
    place = options.workspace or options.folder or "/"

    def welcome(connection: Connection) -> None:
        Guest(sidecar, sidecar, place, connection, f"link-{next(numbers)}", is_keeper=True)

    await listener.open(options.places.runtime, [Path(place)], welcome, suffix=KEEPER_SUFFIX)
    _tell(listener.paths[0])
    try:
        await _first(asked_to_end.wait(), _is_done_with(sidecar))
        if sidecar.kept is not None and not sidecar.kept.concluded.is_set():
            await sidecar.kill(sidecar.kept.task.task_id)
            await sidecar.kept.concluded.wait()
    finally:
        await listener.close()
        await sidecar.close()
    return 0


async def _is_done_with(sidecar: KeptSidecar) -> None:
    """Wait until nobody needs this process any more."""
    await _first(sidecar.has_begun.wait(), asyncio.sleep(UNUSED_S))
    if sidecar.kept is None:
        return
    await sidecar.kept.concluded.wait()
    await asyncio.sleep(LINGERS_S)
    while await asyncio.to_thread(sidecar.leaves_something):  # noqa: ASYNC110  nothing tells of it
        await asyncio.sleep(LOOKS_AGAIN_S)


async def _first(*waits: Coroutine[None, None, object]) -> None:
    """Wait for the first of `waits`, raise what it raises, and give the others up."""
    jobs = [asyncio.ensure_future(it) for it in waits]
    ended, left = await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
    for job in left:
        job.cancel()
    for job in ended:
        job.result()


def _tell(socket: Path) -> None:
    """Say where it listens, to the process that started it, which reads no more."""
    sys.stdout.buffer.write(os.fsencode(socket) + b"\n")
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    _to_nowhere(1)


def _to_nowhere(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
