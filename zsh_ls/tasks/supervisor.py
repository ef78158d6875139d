"""No orphans: the process the editor starts watches over the server, and a third over both.

`supervise()` is the first thing `serve` does, before anything heavy is
imported, because it forks. The editor's process (outer) and the server (inner)
are subreapers, so nothing a task starts leaves their tree.

- The server dies: outer inherits all its tasks left, ends them, and ends with its status.
- Outer dies: a thread of the server (the loop may be stuck) ends all tasks, and the server.
- Both die at once: the third, which the lifelines wake, ends what it finds: all in the
  server's cgroup where one could be made, else the sessions and marks of its tasks.

Linux. Elsewhere there are lifelines and process groups only (docs/design.md, "No orphans").
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import NoReturn

GRACE_S = 0.3
_GROUP_PREFIX = "zsh-ls-"
_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Watchers:
    """What this process knows of the others that watch."""

    registry: int | None = None
    third: int = 0


def supervise() -> None:
    """Fork: comes back in the process that is to be the server, never in the one that watches it."""
    from .lineage import become_subreaper  # noqa: PLC0415

    become_subreaper()
    outer_lifeline, outer_held = os.pipe()
    inner_lifeline, inner_held = os.pipe()
    group = _own_cgroup()
    _start_third((outer_lifeline, inner_lifeline), (outer_held, inner_held), group)
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
            os.write(_Watchers.registry, f"{pid} {task_id}\n".encode())


# -- outer ----------------------------------------------------------------------------------------


def _watch(server: int, held: int) -> NoReturn:
    for number in _FORWARDED:
        signal.signal(number, lambda received, _: _forward(server, received))
    _let_go_of_the_editors_pipes()
    status = _wait(server)
    _end_descendants()
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
    threading.Thread(
        target=_outlive_nobody, args=(outer_lifeline, group), name="lifeline", daemon=True
    ).start()


def _outlive_nobody(outer_lifeline: int, group: str | None) -> None:
    if group is not None:
        # Here, not on the way to the first answer: joining takes the kernel some 10 ms.
        with contextlib.suppress(OSError):
            _write(f"{group}/cgroup.procs", str(os.getpid()))
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


def _start_third(lifelines: tuple[int, int], held: tuple[int, int], group: str | None) -> None:
    _Watchers.third = os.fork()
    if _Watchers.third:
        return
    for descriptor in held:
        os.close(descriptor)
    os.setsid()
    for number in _FORWARDED:
        signal.signal(number, signal.SIG_IGN)
    _let_go_of_the_editors_pipes()
    try:
        _outlive_both(*lifelines, group)
    finally:
        os._exit(0)


def _outlive_both(outer_lifeline: int, inner_lifeline: int, group: str | None) -> None:
    tasks: dict[int, str] = {}
    with os.fdopen(inner_lifeline, encoding="ascii") as registered:
        for line in registered:
            pid, task_id = line.split()
            tasks[int(pid)] = task_id
    in_order = os.read(outer_lifeline, 1)
    if not in_order:
        _end_what_is_left(tasks, group)
    if group is not None:
        with contextlib.suppress(OSError):
            os.rmdir(group)


def _end_what_is_left(tasks: dict[int, str], group: str | None) -> None:
    from .environment import TASK_VARIABLE  # noqa: PLC0415
    from .kill import Marks, end_now  # noqa: PLC0415

    variables = frozenset(
        b"%b=%b" % (TASK_VARIABLE, task_id.encode()) for task_id in tasks.values()
    )
    marks = Marks(
        dict.fromkeys(tasks, True), variables, frozenset(), spared=frozenset({os.getpid()})
    )
    end_now(marks.find, GRACE_S)
    if group is not None:
        with contextlib.suppress(OSError):
            _write(f"{group}/cgroup.kill", "1")


# -- the cgroup -----------------------------------------------------------------------------------


def _own_cgroup() -> str | None:
    """A new cgroup (version 2) for the server and all it starts; None where none may be made."""
    for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
        with contextlib.suppress(OSError, StopIteration):
            if not os.path.exists(f"{root}/cgroup.procs"):
                continue
            with open("/proc/self/cgroup", encoding="ascii") as file:
                ours = next(line[3:].strip() for line in file if line.startswith("0::"))
            base = f"{root}{ours.rstrip('/')}"
            _remove_empty(base)
            group = f"{base}/{_GROUP_PREFIX}{os.getpid()}"
            os.mkdir(group)
            if os.path.exists(f"{group}/cgroup.kill"):
                return group
            os.rmdir(group)
    return None


def _remove_empty(base: str) -> None:
    """Those that servers left whose third process was killed as well; the kernel keeps the others."""
    for name in os.listdir(base):
        if name.startswith(_GROUP_PREFIX):
            with contextlib.suppress(OSError):
                os.rmdir(f"{base}/{name}")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
