"""No orphans: the process the editor starts watches over the server, and a third over both.

`supervise()` is the first thing `serve` does, before anything heavy is
imported, because it forks. The editor's process (outer) and the server (inner)
are subreapers, so nothing a task starts leaves their tree.

- The server dies: outer inherits all its tasks left, ends them, and ends with its status.
- Outer dies: a thread of the server (the loop may be stuck) ends all tasks, and the server.
- Both die at once, or one dies and the other is stuck: the third ends what it finds.

Linux. Elsewhere there are lifelines and process groups only (docs/design.md, "No orphans").
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import NoReturn

from . import cgroup, last_watcher
from .dispositions import keep_ignored_signals_to_oneself
from .last_watcher import GRACE_S

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Watchers:
    """What this process knows of the others that watch."""

    registry: int | None = None
    third: int = 0


def supervise() -> None:
    """Fork: comes back in the process that is to be the server, never in the one that watches it."""
    from .lineage import become_subreaper  # noqa: PLC0415

    become_subreaper()
    keep_ignored_signals_to_oneself()
    outer_lifeline, outer_held = os.pipe()
    inner_lifeline, inner_held = os.pipe()
    third = _start_third((outer_lifeline, inner_lifeline), (outer_held, inner_held))
    _Watchers.third = third
    group = cgroup.own_group(os.getpid(), third)
    server = os.fork()
    if server == 0:
        become_subreaper()
        os.close(outer_held)
        os.close(inner_lifeline)
        _be_watched(outer_lifeline, inner_held, group)
        return
    os.close(outer_lifeline)
    os.close(inner_lifeline)
    os.close(inner_held)
    _watch(server, outer_held)


def register(pid: int, task_id: str) -> None:
    """Tell the third process of a task's shell, in case it is the only one left."""
    if _Watchers.registry is not None:
        with contextlib.suppress(OSError):  # it is gone; the others watch on
            os.write(_Watchers.registry, last_watcher.registered(pid, task_id))


# -- outer ----------------------------------------------------------------------------------------


def _watch(server: int, held: int) -> NoReturn:
    for number in _FORWARDED:
        signal.signal(number, lambda received, _: _forward(server, received))
    _let_go_of_the_editors_pipes()
    status = _wait(server)
    _end_descendants()
    with contextlib.suppress(BrokenPipeError):  # the third was killed
        os.write(held, b".")
    sys.stderr.flush()
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _forward(server: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(server, number)


def _wait(server: int) -> int:
    """Reap what is adopted meanwhile, until the server ends."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == server:
            return status


def _let_go_of_the_editors_pipes() -> None:
    """They are the server's: their end must be seen when it ends."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)


# -- inner ----------------------------------------------------------------------------------------


def _be_watched(outer_lifeline: int, inner_held: int, group: str | None) -> None:
    _Watchers.registry = inner_held
    os.write(inner_held, last_watcher.registered_server(group))
    threading.Thread(
        target=_outlive_nobody, args=(outer_lifeline, group), name="lifeline", daemon=True
    ).start()


def _outlive_nobody(outer_lifeline: int, group: str | None) -> None:
    if group is not None:
        cgroup.join(group)  # here, not on the way to the first answer
    os.read(outer_lifeline, 1)
    _end_descendants()
    os._exit(1)


def _end_descendants() -> None:
    """End everything below this process, the third excepted."""
    from .kill import end_now  # noqa: PLC0415
    from .processes import descendants, table  # noqa: PLC0415

    def below() -> list[object]:
        _reap_adopted()
        alive = table()
        return [
            alive[pid] for pid in descendants([os.getpid()], alive) - {os.getpid(), _Watchers.third}
        ]

    end_now(below, GRACE_S)  # type: ignore[arg-type]


def _reap_adopted() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


# -- the third ------------------------------------------------------------------------------------


def _start_third(lifelines: tuple[int, int], held: tuple[int, int]) -> int:
    third = os.fork()
    if third:
        return third
    for descriptor in held:
        os.close(descriptor)
    _let_go_of_the_editors_pipes()
    try:
        last_watcher.watch_both(*lifelines)
    finally:
        os._exit(0)
