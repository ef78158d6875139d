"""No orphans: the process the editor starts watches over the server, and a third over both.

`supervise()` is the first thing `serve` does, before anything heavy is
imported, because it forks. The editor's process (outer) and the server (inner)
are subreapers, so nothing a task starts leaves their tree.

- The server dies: outer inherits all its tasks left, ends them, and ends with its status.
- The editor goes and the server does nothing about it: outer ends the server first.
- Outer dies: a thread of the server (the loop may be stuck) ends all tasks, and the server.
- Both die at once, or one dies and the other is stuck: the third ends what it finds.
- The third dies: outer starts another.

Linux. Elsewhere there are lifelines and process groups only (docs/design.md, "No orphans").
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from typing import NamedTuple, NoReturn

from . import cgroup, reaper
from .reaper import GRACE_S, PREPARES_AFTER_S, STUCK_AFTER_S
from .registry import Registry
from .signals import restore_child_dispositions

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# After the tasks of a server have been ended for it, it gets so long to write down how they ended.
_RECORDS_WITHIN_S = 1.0
_ANOTHER_THIRD_AFTER_S = 1.0
_POLLRDHUP = getattr(select, "POLLRDHUP", 0)


class _Watched:
    """What this process, as the server, knows of being watched."""

    registry: Registry | None = None
    shells: set[int] = set()  # noqa: RUF012 - there is one server in a process
    is_ending = False


class _Pipes(NamedTuple):
    """Of each lifeline the end that is read, and the end whose holder's life it tells."""

    outer: tuple[int, int]
    inner: tuple[int, int]


def supervise() -> None:
    """Fork: comes back in the process that is to be the server, never in the one that watches it."""
    from .process_tags import become_subreaper  # noqa: PLC0415

    become_subreaper()
    restore_child_dispositions()
    registry = Registry()
    pipes = _Pipes(os.pipe(), os.pipe())
    third = _start_third(pipes, registry, not_its=[pipes.outer[1], pipes.inner[1]])
    group = cgroup.own_group(os.getpid(), third)
    server = os.fork()
    if server == 0:
        become_subreaper()
        os.close(pipes.outer[1])
        os.close(pipes.inner[0])
        _be_watched(pipes.outer[0], registry, group)
        return
    os.close(pipes.inner[1])
    _Outer(server, third, pipes, registry).watch()


def register(pid: int, task_id: str, tag: int | None) -> None:
    """Write down a task's shell, for those who are left when this process is not."""
    if _Watched.registry is not None:
        _Watched.shells.add(pid)
        with contextlib.suppress(OSError):  # no memory; the others watch on
            _Watched.registry.enter(pid, task_id, tag)


def reaped(pid: int) -> None:
    """A task's shell has ended; its number is another's from now on."""
    _Watched.shells.discard(pid)


def is_ending() -> bool:
    """Whether all tasks of this process are being ended because it must go."""
    return _Watched.is_ending


# -- outer ----------------------------------------------------------------------------------------


class _Outer:
    """The process the editor started, from when it has forked the others."""

    def __init__(self, server: int, third: int, pipes: _Pipes, registry: Registry) -> None:
        self._server: int | None = server
        self._third: int | None = third
        self._pipes = pipes
        self._registry = registry
        self._status = 0
        self._editor = _dup(0)
        self._wake_ends = self._woken, waking = os.pipe()
        for end in self._wake_ends:
            os.set_blocking(end, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in _FORWARDED:
            signal.signal(number, lambda received, _: self._forward(received))
        _close_stdio()

    def watch(self) -> NoReturn:
        """Until the server has ended and nothing is left of its tasks."""
        self._wait_for_the_server()
        self._end_descendants()
        with contextlib.suppress(OSError):
            os.write(self._pipes.outer[1], b".")
        sys.stderr.flush()
        code = os.waitstatus_to_exitcode(self._status)
        os._exit(code if code >= 0 else 128 - code)

    def _wait_for_the_server(self) -> None:
        news = select.poll()
        news.register(self._woken, select.POLLIN)
        if self._editor is not None:
            # What it says is the server's to read; here only that it has hung up.
            news.register(self._editor, _POLLRDHUP)
        prepares_at: float | None = time.monotonic() + PREPARES_AFTER_S
        stuck_at: float | None = None
        while self._server is not None:
            waits = [at for at in (prepares_at, stuck_at) if at is not None]
            if self._third is None:
                waits.append(time.monotonic() + _ANOTHER_THIRD_AFTER_S)
            wait_s = max(0.0, min(waits) - time.monotonic()) if waits else None
            for descriptor, _ in news.poll(None if wait_s is None else wait_s * 1000 + 1):
                if descriptor == self._woken:
                    _drain(self._woken)
                else:
                    news.unregister(descriptor)
                    stuck_at = time.monotonic() + STUCK_AFTER_S
            self._reap()
            now = time.monotonic()
            if prepares_at is not None and now >= prepares_at:
                reaper.prepare()
                prepares_at = None
            if stuck_at is not None and now >= stuck_at and self._server is not None:
                os.kill(self._server, signal.SIGKILL)  # not reaped yet: the number is its own
                stuck_at = None
            if self._third is None and self._server is not None:
                self._replace_third()

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._server:
                    self._server, self._status = None, ended[1]
                elif ended[0] == self._third:
                    self._third = None

    def _replace_third(self) -> None:
        with contextlib.suppress(OSError):  # no process can be had now: later
            ours = [self._pipes.outer[1], *self._wake_ends, self._editor]
            not_its = [descriptor for descriptor in ours if descriptor is not None]
            self._third = _start_third(self._pipes, self._registry, not_its=not_its)

    def _forward(self, number: int) -> None:
        if self._server is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._server, number)

    def _end_descendants(self) -> None:
        _end_descendants({self._third} if self._third is not None else set(), set())


def _dup(descriptor: int) -> int | None:
    try:
        return os.dup(descriptor)
    except OSError:
        return None


def _drain(descriptor: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(descriptor, 4096):
            pass


def _close_stdio() -> None:
    """They are the server's: their end must be seen when it ends."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)


# -- inner ----------------------------------------------------------------------------------------


def _be_watched(outer_lifeline: int, registry: Registry, group: str | None) -> None:
    _Watched.registry = registry
    registry.enter_server(group)
    threading.Thread(
        target=_outlive_nobody, args=(outer_lifeline, group), name="lifeline", daemon=True
    ).start()


def _outlive_nobody(outer_lifeline: int, group: str | None) -> None:
    if group is not None:
        cgroup.join(group)  # here, not on the way to the first answer
    os.read(outer_lifeline, 1)
    _Watched.is_ending = True
    _end_descendants(set(), _Watched.shells)
    # The loop, if it is not stuck, writes down how the tasks ended.
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_RECORDS_WITHIN_S)
    os._exit(1)


def _end_descendants(spared: set[int], reaped_by_others: set[int]) -> None:
    """End everything below this process, but for `spared`."""
    from zsh_ls.tasks.process.processes import Table, descendants  # noqa: PLC0415

    from . import process_tags  # noqa: PLC0415
    from .ender import end_now  # noqa: PLC0415

    def below(alive: Table) -> set[int]:
        return descendants([os.getpid()], alive) - spared - {os.getpid()}

    end_now(below, GRACE_S, process_tags.Newcomers(spared, reaped_by_others))


# -- the third ------------------------------------------------------------------------------------


def _start_third(pipes: _Pipes, registry: Registry, *, not_its: list[int]) -> int:
    """Fork it; of the descriptors of this process it closes those that are `not_its` business."""
    third = os.fork()
    if third:
        return third
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for descriptor in not_its:
            os.close(descriptor)
        _close_stdio()
        reaper.reap_after_both(pipes.outer[0], pipes.inner[0], registry)
    finally:
        os._exit(0)
