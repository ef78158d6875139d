"""Reading the commands of a long history in other processes, a batch ahead of the one that is learnt.

Reading a command (its template, its secrets) takes longer than learning from
it, and a history may have a hundred thousand different ones.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from .keys import CommandKeys, footprint_of

# Fewer new commands than this are read faster than a process is started.
WORTH_A_PROCESS = 2_000
COMMANDS_A_JOB = 250
MOST_PROCESSES = 8
# About 3 KiB each.
COMMANDS_KEPT = 100_000


class ReadingAhead:
    """What commands say, read beforehand where many come at once; `trace` gives it for one."""

    def __init__(self, extra_redactions: tuple[str, ...] = ()) -> None:
        self._extra = extra_redactions
        self._known: dict[str, CommandKeys] = {}
        self._coming: deque[list[Future[list[tuple[str, CommandKeys]]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None

    def trace(self, command: str) -> CommandKeys:
        """The keys of a command, as `keys.footprint_of` gives it."""
        while command not in self._known and self._coming:
            self._take_in(self._coming.popleft())
        known = self._known.get(command)
        if known is None:
            known = self._known[command] = footprint_of(command, self._extra)
        return known

    def prepare(self, commands: Iterable[str]) -> None:
        """Begin to read commands that `trace` will be asked for soon."""
        new = [command for command in dict.fromkeys(commands) if command not in self._known]
        if len(new) < WORTH_A_PROCESS:
            return
        if self._pool is None:
            self._pool = _pool()
        jobs = [self._pool.submit(_read, job, self._extra) for job in _in_jobs(new)]
        self._coming.append(jobs)

    def close(self) -> None:
        """End the other processes; what they had not read is not waited for."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _take_in(self, jobs: list[Future[list[tuple[str, CommandKeys]]]]) -> None:
        if len(self._known) > COMMANDS_KEPT:
            self._known.clear()
        for job in jobs:
            self._known.update(job.result())


def _pool() -> ProcessPoolExecutor:
    """Processes of their own from the beginning: they share no open database."""
    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    return ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_ctrl_c_alone)


def _leave_ctrl_c_alone() -> None:
    """Ctrl-C goes to all processes of the terminal; the one that asked ends these."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_jobs(commands: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(commands)
    while job := list(islice(rest, COMMANDS_A_JOB)):
        yield job


def _read(commands: Sequence[str], extra: tuple[str, ...]) -> list[tuple[str, CommandKeys]]:
    return [(command, footprint_of(command, extra)) for command in commands]
