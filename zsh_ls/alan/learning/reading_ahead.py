"""Computes the keys of a long history's commands in other processes, one batch ahead of the import.

Parsing and redacting a command takes longer than recording it, and a history may
have a hundred thousand different ones. On two cores an import takes half the time.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from .keys import CommandKeys, keys_of

# Fewer new commands than this are computed faster here than a process starts.
WORTH_A_PROCESS = 2_000
COMMANDS_A_JOB = 250
MOST_PROCESSES = 8
# A cached command takes about 3 KiB.
COMMANDS_KEPT = 100_000


class ReadingAhead:
    """A cache of `CommandKeys` that computes large batches of commands in parallel."""

    def __init__(self, extra_redactions: tuple[str, ...] = ()) -> None:
        self._extra = extra_redactions
        self._known: dict[str, CommandKeys] = {}
        self._pending: deque[list[Future[list[tuple[str, CommandKeys]]]]] = deque()
        self._pool: ProcessPoolExecutor | None = None

    def keys_of(self, command: str) -> CommandKeys:
        """The keys of a command, as `keys.keys_of` computes them."""
        while command not in self._known and self._pending:
            if len(self._known) > COMMANDS_KEPT:
                self._known.clear()
            for job in self._pending.popleft():
                self._known.update(job.result())
        known = self._known.get(command)
        if known is None:
            known = self._known[command] = keys_of(command, self._extra)
        return known

    def prepare(self, commands: Iterable[str]) -> None:
        """Start to compute the keys of commands that `keys_of` will be called for soon."""
        new = [command for command in dict.fromkeys(commands) if command not in self._known]
        if len(new) < WORTH_A_PROCESS:
            return
        if self._pool is None:
            processes = min(MOST_PROCESSES, os.cpu_count() or 1)
            # Spawned, not forked, so that the processes share no open database connection.
            self._pool = ProcessPoolExecutor(
                processes, get_context("spawn"), initializer=_ignore_ctrl_c
            )
        jobs = [
            self._pool.submit(_read, new[at : at + COMMANDS_A_JOB], self._extra)
            for at in range(0, len(new), COMMANDS_A_JOB)
        ]
        self._pending.append(jobs)

    def close(self) -> None:
        """End the other processes, cancelling what they have not started."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _ignore_ctrl_c() -> None:
    """Ctrl-C signals all processes of the terminal; the main process ends these itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _read(commands: Sequence[str], extra: tuple[str, ...]) -> list[tuple[str, CommandKeys]]:
    return [(command, keys_of(command, extra)) for command in commands]
