"""No orphans: the process that the editor starts supervises the server, and a reaper both of them.

`supervise()` is the first thing `serve` does, before anything large is imported,
because it forks. The process that the editor started (outer) and the server (inner)
are subreapers, so no process of a task leaves their tree.

- The server dies: outer ends all processes of its tasks, and exits with its status.
- The editor is gone and the server does not end: outer ends the server first.
- Outer dies: a thread of the server (the loop may be stuck) ends all tasks, then the server.
- Both die at once, or one dies and the other is stuck: the reaper ends what it finds.
- The reaper dies: outer starts another one.

Our ends of a task's pipes stay open until one of them has ended the task (`held_ends`).

A command of the command line, such as `zsh-ls run`, has only a reaper: `reaper_left()`.

This is for Linux. Other systems only have lifelines and process groups (docs/design.md, "No orphans").
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

from zsh_ls.lazy.typing import NamedTuple

from . import cgroup, held_ends, reaper
from .reaper import GRACE_S, LOOKS_EVERY_S, PREPARES_AFTER_S, Survivor
from .registry import Registry
from .signals import restore_child_dispositions

_FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# How long a server whose tasks have been ended may take to record their ends.
_RECORDS_WITHIN_S = 1.0
_NEW_REAPER_AFTER_S = 1.0
_REAPER_ENDS_WITHIN_MS = 500
_POLLRDHUP = getattr(select, "POLLRDHUP", 0)


class _Watched:
    """The state of this process as a supervised server."""

    registry: Registry | None = None
    shells: set[int] = set()  # noqa: RUF012 - there is one server in a process
    is_ending = False
    reaper: int | None = None


class _Pipes(NamedTuple):
    """Two lifelines as (reading end, writing end).

    The writing end is closed by the kernel when the process dies that holds it: outer or the server.
    """

    outer: tuple[int, int]
    inner: tuple[int, int]


def supervise(on_end: Callable[[], object] | None = None) -> None:
    """Fork; returns in the process that becomes the server, never in the one that supervises it.

    That one calls `on_end` before it exits, when the server and its tasks have ended.
    """
    from .process_tags import become_subreaper  # noqa: PLC0415

    become_subreaper()
    restore_child_dispositions()
    registry = Registry()
    held_ends.prepare()
    pipes = _Pipes(os.pipe(), os.pipe())
    reaper_pid = _start_reaper(pipes, registry, close=[pipes.outer[1], pipes.inner[1]])
    group = cgroup.own_group(os.getpid(), reaper_pid)
    server = os.fork()
    if server == 0:
        become_subreaper()
        os.close(pipes.outer[1])
        os.close(pipes.inner[0])
        _be_watched(pipes.outer[0], registry, group)
        return
    os.close(pipes.inner[1])
    _Outer(server, reaper_pid, pipes, registry).watch(on_end)


@contextlib.contextmanager
def reaper_left() -> Iterator[None]:
    """Within the context, a reaper ends the tasks of this process should it be killed.

    It forks, so nothing large may have been imported and no thread started. Tasks have sessions of
    their own: whoever kills a hanging `zsh-ls run` with its process group reaches none of them.
    Without another process to be had, tasks are run all the same.
    """
    registry = Registry()
    held_ends.prepare()
    lifeline, held = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        pid = None
    if pid == 0:
        try:
            os.close(held)
            _close_stdio()
            reaper.reap_after_one(lifeline, registry)
        finally:
            os._exit(0)
    os.close(lifeline)
    _Watched.registry = registry
    _Watched.reaper = pid
    registry.enter_server(None)
    try:
        yield
    finally:
        _Watched.reaper = None
        if pid is not None:
            _dismiss(pid, held)
        os.close(held)


def _dismiss(pid: int, held: int) -> None:
    """End the reaper `pid`, which nothing is left for, and reap it: init may not, in a container."""
    with contextlib.suppress(OSError):
        os.write(held, b".")
    with contextlib.suppress(OSError, AttributeError):  # no pidfd on this system
        descriptor = os.pidfd_open(pid)
        has_ended = select.poll()
        has_ended.register(descriptor, select.POLLIN)
        has_ended.poll(_REAPER_ENDS_WITHIN_MS)
        os.close(descriptor)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def expect(task_id: str, tag: int | None) -> None:
    """Enter a task whose shell is about to be started in the registry."""
    if _Watched.registry is not None:
        with contextlib.suppress(OSError):
            _Watched.registry.expect(task_id, tag)


def register(pid: int, task_id: str, tag: int | None) -> None:
    """Enter a task's shell in the registry, for the processes that survive this one."""
    if _Watched.registry is not None:
        _Watched.shells.add(pid)
        with contextlib.suppress(OSError):  # out of memory; the server can do without
            _Watched.registry.enter(pid, task_id, tag)


def reaped(pid: int) -> None:
    """Forget a task's shell that has ended: its process id may be reused from now on."""
    _Watched.shells.discard(pid)


def children_of_tasks() -> list[int]:
    """The children of this process that are no reaper of its own."""
    from . import process_tags  # noqa: PLC0415

    return [pid for pid in process_tags.children() if pid != _Watched.reaper]


def is_ending() -> bool:
    """Whether all tasks of this process are being ended because its supervisor has died."""
    return _Watched.is_ending


# -- outer ----------------------------------------------------------------------------------------


class _Outer:
    """The process the editor started, after it has forked the server and the reaper."""

    def __init__(self, server: int, reaper_pid: int, pipes: _Pipes, registry: Registry) -> None:
        self._server: int | None = server
        self._reaper: int | None = reaper_pid
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

    def watch(self, on_end: Callable[[], object] | None) -> NoReturn:
        """Wait for the end of the server, end what is left of its tasks, call `on_end`, and exit."""
        self._wait_for_server()
        # Nobody's exit is waited for any more. The kernel reaps what ends from now on: chains of processes
        # that fork and end were ten thousand signals a second, and each of their dead was read.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        _end_descendants(set() if self._reaper is None else {self._reaper}, set())
        with contextlib.suppress(OSError):
            os.write(self._pipes.outer[1], b".")
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if on_end is not None:
            _call_last(on_end)
        sys.stderr.flush()
        code = os.waitstatus_to_exitcode(self._status)
        os._exit(code if code >= 0 else 128 - code)

    def _wait_for_server(self) -> None:
        news = select.poll()
        news.register(self._woken, select.POLLIN)
        if self._editor is not None:
            # The server reads what the editor sends; here only its hangup matters.
            news.register(self._editor, _POLLRDHUP)
        prepares_at: float | None = time.monotonic() + PREPARES_AFTER_S
        ending: Survivor | None = None
        while self._server is not None:
            waits = [at for at in (prepares_at,) if at is not None]
            if ending:
                waits.append(time.monotonic() + LOOKS_EVERY_S)
            if self._reaper is None:
                waits.append(time.monotonic() + _NEW_REAPER_AFTER_S)
            wait_s = max(0.0, min(waits) - time.monotonic()) if waits else None
            for descriptor, _ in news.poll(None if wait_s is None else wait_s * 1000 + 1):
                if descriptor == self._woken:
                    _drain(self._woken)
                else:
                    news.unregister(descriptor)
                    ending = Survivor(self._server)
            self._reap()
            now = time.monotonic()
            if prepares_at is not None and now >= prepares_at:
                reaper.prepare()
                prepares_at = None
            if ending and self._server is not None and ending.is_stuck():
                os.kill(self._server, signal.SIGKILL)  # not reaped yet, so the id is not reused
                ending = None
            if self._reaper is None and self._server is not None:
                self._replace_reaper()

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._server:
                    self._server, self._status = None, ended[1]
                    return  # its tasks' chains may leave dead ones as fast as they are reaped
                if ended[0] == self._reaper:
                    self._reaper = None

    def _replace_reaper(self) -> None:
        with contextlib.suppress(OSError):  # fork has failed: try again later
            ours = [self._pipes.outer[1], *self._wake_ends, self._editor]
            close = [descriptor for descriptor in ours if descriptor is not None]
            self._reaper = _start_reaper(self._pipes, self._registry, close=close)

    def _forward(self, number: int) -> None:
        if self._server is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._server, number)


def _call_last(on_end: Callable[[], object]) -> None:
    try:
        on_end()
    except Exception as fault:  # nobody else is left who could say so
        sys.stderr.write(f"zsh-ls: after the server's end: {type(fault).__name__}: {fault}\n")


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
    """Point standard input and output to /dev/null.

    Only the server may hold them, so that the editor sees their end when the server ends.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)


# -- inner ----------------------------------------------------------------------------------------


def _be_watched(outer_lifeline: int, registry: Registry, group: str | None) -> None:
    _Watched.registry = registry
    registry.enter_server(group)
    threading.Thread(
        target=_end_with_outer, args=(outer_lifeline, group), name="lifeline", daemon=True
    ).start()


def _end_with_outer(outer_lifeline: int, group: str | None) -> None:
    """Wait for the death of outer, then end all tasks and this process."""
    if group is not None:
        cgroup.join(group)  # in this thread, as it would delay the first answer
    os.read(outer_lifeline, 1)
    _Watched.is_ending = True
    _end_descendants(set(), _Watched.shells)
    # Unless it is stuck, the loop records how the tasks ended.
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_RECORDS_WITHIN_S)
    os._exit(1)


def _end_descendants(spared: set[int], reaped_by_others: set[int]) -> None:
    """End all descendants of this process but `spared`; do not reap `reaped_by_others`."""
    from . import process_tags  # noqa: PLC0415

    # Whoever has lost its parent is a child: without one there is nobody, and no need to list all.
    if process_tags.LISTS_CHILDREN and spared.issuperset(process_tags.children()):
        return

    from zsh_ls.tasks.process.processes import Table, descendants  # noqa: PLC0415

    from .ender import end_now  # noqa: PLC0415

    def below(alive: Table) -> set[int]:
        return descendants([os.getpid()], alive) - spared - {os.getpid()}

    end_now(below, GRACE_S, process_tags.Newcomers(spared, reaped_by_others))


# -- the reaper -----------------------------------------------------------------------------------


def _start_reaper(pipes: _Pipes, registry: Registry, *, close: list[int]) -> int:
    """Fork the reaper, which closes the inherited descriptors `close`; returns its process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for descriptor in close:
            os.close(descriptor)
        _close_stdio()
        reaper.reap_after_both(pipes.outer[0], pipes.inner[0], registry)
    finally:
        os._exit(0)
