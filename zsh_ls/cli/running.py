"""`zsh-ls run`: run a line, show progress while it is slow, and pass Ctrl-C on."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import shutil
import signal
import sys
from pathlib import Path

from zsh_ls.insights.display import formatted
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.to_json import to_json

from .session import wants_colour

UNTIL_THE_END_S = 10 * 365 * 24 * 3600.0
EXITS = {Status.TIMEOUT: 124, Status.KILLED: 137, Status.ERROR: 126}
QUIET_START_S = 2.0
ENDING = (signal.SIGTERM, signal.SIGHUP)
TAG = "zsh-ls run"

log = logging.getLogger(__name__)


async def run_line(sidecar: TaskService, request: RunRequest, *, as_json: bool) -> int:
    """Run one line and print its result; returns the exit status for this process."""
    interrupts = Interrupts(sidecar)
    ticker = Ticker(sidecar, interrupts)
    try:
        result = await sidecar.run(request)
    finally:
        ticker.close()
        interrupts.close()
    show(result, as_json=as_json)
    return exit_of(result)


def request_of(arguments: argparse.Namespace) -> RunRequest:
    """The request: wait for the end; the tag identifies progress of this task."""
    size = shutil.get_terminal_size()
    return RunRequest(
        command=arguments.line,
        cwd=str(Path.cwd() / (arguments.cwd or "")),
        shell=arguments.shell,
        timeout=arguments.timeout,
        yield_after=UNTIL_THE_END_S,
        pty=arguments.pty,
        cols=size.columns,
        rows=size.lines,
        origin=Origin.CLI,
        progress=True,
        tag=TAG,
    )


def exit_of(result: TaskResult) -> int:
    """The exit status for this process: that of the command, if it has one."""
    return result.exit if result.exit is not None else EXITS.get(result.status, 1)


def show(result: TaskResult, *, as_json: bool) -> None:
    """Print a result as JSON or as text, with colours on a terminal."""
    if as_json:
        print(json.dumps(to_json(result), ensure_ascii=False))
    else:
        print(formatted(result, colour=wants_colour(sys.stdout)))


class Interrupts:
    """Handles signals while a task runs: the first Ctrl-C interrupts it; a second, TERM and HUP end it."""

    def __init__(self, sidecar: TaskService) -> None:
        self._sidecar = sidecar
        self._task_id: str | None = None
        self._count = 0
        self._must_end = False
        self._jobs: set[asyncio.Task[object]] = set()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupted)
        # Leave ignored signals alone: `nohup` ignores SIGHUP.
        self._ending = [it for it in ENDING if signal.getsignal(it) is not signal.SIG_IGN]
        for number in self._ending:
            loop.add_signal_handler(number, self._ended)

    def reach(self, task_id: str) -> None:
        """Send signals to this task, also those that came before its id was known."""
        was_waiting = self._task_id is None and (self._count > 0 or self._must_end)
        self._task_id = task_id
        if was_waiting:
            self._pass_on()

    def close(self) -> None:
        """Remove the signal handlers."""
        for number in (signal.SIGINT, *self._ending):
            asyncio.get_running_loop().remove_signal_handler(number)

    def _interrupted(self) -> None:
        self._count += 1
        self._must_end = self._count > 1
        if self._task_id is not None:
            self._pass_on()

    def _ended(self) -> None:
        self._must_end = True
        if self._task_id is not None:
            self._pass_on()

    def _pass_on(self) -> None:
        assert self._task_id is not None
        end = self._sidecar.kill if self._must_end else self._sidecar.interrupt
        job = asyncio.ensure_future(end(self._task_id))
        self._jobs.add(job)
        job.add_done_callback(self._passed_on)

    def _passed_on(self, job: asyncio.Task[object]) -> None:
        self._jobs.discard(job)
        if not job.cancelled() and (fault := job.exception()) is not None:
            log.info("Ctrl-C came too late: %s", fault)


class Ticker:
    """One line on a terminal's standard error while a command is slow."""

    def __init__(self, sidecar: TaskService, interrupts: Interrupts) -> None:
        self._interrupts = interrupts
        self._shown = False
        self._unsubscribe = sidecar.on_progress(self._tell)

    def close(self) -> None:
        """Erase the line."""
        self._unsubscribe()
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _tell(self, progress: Progress) -> None:
        if progress.tag != TAG:
            return  # a shared server reports all tasks
        self._interrupts.reach(progress.task_id)
        if progress.elapsed_seconds < QUIET_START_S or not wants_colour(sys.stderr):
            return
        line = _line(progress)[: shutil.get_terminal_size().columns - 1]
        print(f"\r\x1b[K\x1b[2m{line}\x1b[0m", end="", file=sys.stderr, flush=True)
        self._shown = True


def _line(progress: Progress) -> str:
    estimate = progress.poll_meta.alan_estimate if progress.poll_meta else None
    usual = f" · usually ~{estimate.median_duration_s:.0f}s" if estimate else ""
    last = progress.output.rstrip("\n").rpartition("\n")[2]
    return f"{progress.elapsed_seconds:.0f}s{usual}  {last}"
