"""How a shell's end is told: from its wait status, its report and why it ended (RUN-2, RUN-3)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable

import attrs

from zsh_ls.model.words import Status

from .hooks import Report

_KILLED_EXIT = 128 + signal.SIGKILL
# zsh 5.9 can crash while it ends, after it has reported (background pipelines of builtins).
_CRASHES = (-signal.SIGSEGV, -signal.SIGABRT)


@attrs.frozen
class Ending:
    """`exit` is None and `pipestatus` empty where it timed out; else `pipestatus` says at least the exit."""

    exit: int | None
    pipestatus: tuple[int, ...]
    signal: int | None = None


def expected_exit(wait_status: int) -> int | None:
    """The exit a report must agree with; None where the shell crashed and its report alone is true."""
    return None if wait_status in _CRASHES else wait_status % 256


def ending_of(wait_status: int, verdict: Status, report: Report | None) -> Ending:
    """The end of a shell; `wait_status` is its exit, or the negative number of the signal that ended it."""
    if verdict is Status.TIMEOUT:
        return Ending(None, ())
    if verdict is Status.KILLED:
        return Ending(_KILLED_EXIT, (_KILLED_EXIT,))
    if wait_status in _CRASHES and report is not None:
        return Ending(report.exit % 256, _segments(report, report.exit % 256))
    if wait_status < 0:
        return Ending(128 - wait_status, (128 - wait_status,), -wait_status)
    return Ending(wait_status, _segments(report, wait_status))


def _segments(report: Report | None, exit_status: int) -> tuple[int, ...]:
    """The segments' statuses; of a last command that was no pipeline, the exit alone."""
    if report is None or len(report.pipestatus) < 2:
        return (exit_status,)
    return report.pipestatus


def watch_end(
    process: subprocess.Popen[bytes],
    loop: asyncio.AbstractEventLoop,
    on_end: Callable[[int], None],
) -> None:
    """Call `on_end` with the wait status as soon as the process has ended."""
    if not hasattr(os, "pidfd_open"):
        waiting = loop.run_in_executor(None, process.wait)
        waiting.add_done_callback(lambda done: on_end(done.result()))
        return
    descriptor = os.pidfd_open(process.pid)

    def ended() -> None:
        if (status := process.poll()) is not None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            on_end(status)

    loop.add_reader(descriptor, ended)
