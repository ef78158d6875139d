"""A control group (version 2) for a server and all it starts, which no process can leave by itself.

Where none can be created (no delegation, version 1, not Linux), processes are only
found by their `kill.Marks`. The kernel does not end a group's processes when its
server is killed: that takes a living supervisor, or the next server that finds the
group.
"""

from __future__ import annotations

import contextlib
import os

from zsh_ls.tasks.process import processes

_PREFIX = "zsh-ls-"
_ROOTS = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
# How cgroup.procs lists a process of another PID namespace.
_OF_ANOTHER_NAMESPACE = "0"


def own_group(*watchers: int) -> str | None:
    """A new empty group named after its `watchers`, or None; groups whose watchers are dead are ended."""
    for root in _ROOTS:
        with contextlib.suppress(OSError, StopIteration):
            if not os.path.exists(f"{root}/cgroup.procs"):
                continue
            with open("/proc/self/cgroup", encoding="ascii") as file:
                ours = next(line[3:].strip() for line in file if line.startswith("0::"))
            base = f"{root}{ours.rstrip('/')}"
            _sweep(base)
            return _make(f"{base}/{_PREFIX}{'-'.join(map(str, watchers))}")
    return None


def join(group: str) -> None:
    """Move this process, and so what it starts from now on, into `group`; takes about 10 ms."""
    with contextlib.suppress(OSError):
        _write(f"{group}/cgroup.procs", str(os.getpid()))


def leave_server() -> None:
    """Move this process out of the group of the server that it may have been started from."""
    with contextlib.suppress(OSError, StopIteration):
        with open("/proc/self/cgroup", encoding="ascii") as file:
            ours = next(line[3:].strip() for line in file if line.startswith("0::"))
        above, _, name = ours.rpartition("/")
        for root in _ROOTS if name.startswith(_PREFIX) else ():
            if os.path.exists(f"{root}{ours}/cgroup.procs"):
                _write(f"{root}{above}/cgroup.procs", str(os.getpid()))
                return


def end(group: str) -> None:
    """Kill everything in `group`, however fast it forks: the kernel does that atomically."""
    with contextlib.suppress(OSError):
        _write(f"{group}/cgroup.kill", "1")


def remove(group: str) -> None:
    """Remove `group`, if it is empty."""
    with contextlib.suppress(OSError):
        os.rmdir(group)


def _make(group: str) -> str | None:
    os.mkdir(group)
    if os.path.exists(f"{group}/cgroup.kill"):
        return group
    os.rmdir(group)
    return None


def _sweep(base: str) -> None:
    """End and remove the groups of servers whose watchers are all dead."""
    for name in os.listdir(base):
        if name.startswith(_PREFIX) and not any(map(_lives, name.removeprefix(_PREFIX).split("-"))):
            group = f"{base}/{name}"
            if _OF_ANOTHER_NAMESPACE not in _members(group):
                end(group)
            remove(group)


def _lives(pid: str) -> bool:
    return not pid.isdigit() or processes.stat(int(pid)) is not None


def _members(group: str) -> list[str]:
    with open(f"{group}/cgroup.procs", encoding="ascii") as file:
        return file.read().split()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
