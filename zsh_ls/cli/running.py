"""`zsh-ls run`: runs a line here or in the workspace's server, shows it while slow, and passes Ctrl-C on."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from zsh_ls.insights.display import formatted, insight_lines_of, status_line
from zsh_ls.model.requests import OutputRequest, PollRequest, RunRequest
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.model.words import Origin, Status
from zsh_ls.tasks.process.environment import WITHOUT_TERMINAL

from .screen import wants_colour
from .session import options_here

if TYPE_CHECKING:
    from zsh_ls.sidecar.interface import TaskService

UNTIL_THE_END_S = 10 * 365 * 24 * 3600.0
EXITS = {Status.TIMEOUT: 124, Status.KILLED: 137, Status.ERROR: 126}
QUIET_START_S = 2.0
# A quick command is shown at its end; what takes longer is shown as it comes.
LIVE_AFTER_S = 0.2
LONGEST_LISTEN_S = 300.0
# So that a command which prints a line at a time is not asked for each of them.
BETWEEN_POLLS_S = 0.03
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


async def run_shared(arguments: argparse.Namespace) -> int | None:
    """Run one line in the workspace's server, without one here; returns the exit status for this process.

    Its environment and folder are this terminal's. When this process is killed, the
    task stays with the server: the editor sees it, and can stop it. None if there is no server
    and nothing has been run.
    """
    # Most runs are not shared and need none of this.
    from zsh_ls.sidecar.remote.failover import open_failover_client

    at_the_end = arguments.json or arguments.brief
    async with open_failover_client(options_here(only_news=not at_the_end)) as sidecar:
        request = request_of(arguments)
        if sidecar.is_joined and request.session is not None:
            request = await _in_session_of(sidecar, request, request.session)
        elif sidecar.is_joined:
            # Without a terminal, this terminal's editor and pager would wait for keys.
            left_out = () if request.pty else WITHOUT_TERMINAL
            env = {name: text for name, text in os.environ.items() if name not in left_out}
            request = attrs.evolve(request, env={**env, **request.env})
        elif not at_the_end:
            return None
        if at_the_end:
            return await run_line(sidecar, request, as_json=arguments.json)
        return await run_followed(sidecar, request)


async def _in_session_of(sidecar: TaskService, request: RunRequest, session: str) -> RunRequest:
    """A run of a server's session: the environment is the session's, the folder is, once it is anywhere."""
    known = {it.session for it in (await sidecar.sessions()).sessions}
    is_new = session not in known and request.cwd is None
    return attrs.evolve(request, cwd=str(Path.cwd())) if is_new else request


async def run_followed(sidecar: TaskService, request: RunRequest) -> int:
    """Run one line, print its text as it comes, and how it ended on standard error; its exit status.

    The streams of the task are not those of this process: they are a server's, or a terminal of its own.
    """
    request = attrs.evolve(request, yield_after=LIVE_AFTER_S, progress=False)
    interrupts = Interrupts(sidecar)
    try:
        result = await shown_live(sidecar, await sidecar.run(request), interrupts)
    finally:
        interrupts.close()
    print(result.output, end="", flush=True)
    tell(result, after_open_line=sys.stdout.isatty() and result.output[-1:] not in ("", "\n"))
    return exit_of(result)


async def shown_live(
    sidecar: TaskService, result: TaskResult, interrupts: Interrupts
) -> TaskResult:
    """Print what comes until the end; gives the last result, with what is not printed yet, uncut."""
    interrupts.reach(result.task_id)
    open_line = ""
    while result.status is Status.RUNNING:
        if result.output:
            sys.stdout.write(result.output)
            sys.stdout.flush()
            _, newline, last = result.output.rpartition("\n")
            open_line = last if newline else open_line + last
        await asyncio.sleep(BETWEEN_POLLS_S)
        result = await sidecar.poll(PollRequest(result.task_id, listen=LONGEST_LISTEN_S))
    if result.verbosity is not None and result.verbosity.omitted_lines:
        result = attrs.evolve(result, output=await _whole(sidecar, result, open_line))
    if open_line and not result.output:
        print()
    return result


async def _whole(sidecar: TaskService, result: TaskResult, open_line: str) -> str:
    """All lines from the first of `result` on, without `open_line`, its beginning."""
    pieces, from_line = [], result.from_line
    while True:
        page = await sidecar.output(OutputRequest(result.task_id, from_line))
        pieces.append(page.output)
        if not page.more or page.to_line is None:
            return "".join(pieces).removeprefix(open_line)
        from_line = page.to_line + 1


def tell(result: TaskResult, *, after_open_line: bool) -> None:
    """Print the status line and the insights, on standard error."""
    colour = wants_colour(sys.stderr)
    error = [f"[error] {result.error}"] if result.error else []
    lines = [*error, status_line(result, colour=colour)]
    lines += insight_lines_of(result.insights or {}, colour=colour)
    text = "\n".join(lines)
    with contextlib.suppress(OSError):  # nobody reads it, and the command is over
        print(f"\n{text}" if after_open_line else text, file=sys.stderr, flush=True)


def request_of(arguments: argparse.Namespace) -> RunRequest:
    """The request: wait for the end; the tag identifies progress of this task."""
    size = shutil.get_terminal_size()
    # A session says where it is, once it is anywhere.
    follows_session = arguments.session is not None and arguments.cwd is None
    return RunRequest(
        command=line_of(arguments.words),
        env=environment_of(arguments.env),
        cwd=None if follows_session else str(Path.cwd() / (arguments.cwd or "")),
        shell=arguments.shell,
        session=arguments.session,
        timeout=arguments.timeout,
        yield_after=UNTIL_THE_END_S,
        pty=arguments.pty,
        cols=size.columns,
        rows=size.lines,
        origin=Origin.CLI,
        progress=True,
        tag=TAG,
    )


def line_of(words: Sequence[str]) -> str:
    """The line of shell: one argument is a line already, several are a command and its words."""
    return words[0] if len(words) == 1 else shlex.join(words)


def environment_of(changes: Sequence[str]) -> dict[str, str | None]:
    """Variables by name: `NAME=VALUE` sets one, `NAME` alone unsets it."""
    parts = [change.partition("=") for change in changes]
    return {name: value if equals else None for name, equals, value in parts}


def exit_of(result: TaskResult) -> int:
    """The exit status for this process: that of the command, if it has one."""
    return result.exit if result.exit is not None else EXITS.get(result.status, 1)


def show(result: TaskResult, *, as_json: bool) -> None:
    """Print a result as JSON or as text, with colours on a terminal."""
    if as_json:
        from zsh_ls.sidecar.to_json import to_json

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
        # Leave ignored signals alone: `nohup` ignores SIGHUP.
        ending = [it for it in ENDING if signal.getsignal(it) is not signal.SIG_IGN]
        self._signals = (signal.SIGINT, *ending)
        for number in self._signals:
            loop.add_signal_handler(number, self._on_signal, number)

    def reach(self, task_id: str) -> None:
        """Send signals to this task, also those that came before its id was known."""
        was_waiting = self._task_id is None and (self._count > 0 or self._must_end)
        self._task_id = task_id
        if was_waiting:
            self._pass_on()

    def close(self) -> None:
        """Remove the signal handlers."""
        for number in self._signals:
            asyncio.get_running_loop().remove_signal_handler(number)

    def _on_signal(self, number: signal.Signals) -> None:
        if number == signal.SIGINT:
            self._count += 1
        self._must_end = self._must_end or number != signal.SIGINT or self._count > 1
        if self._task_id is not None:
            self._pass_on()

    def _pass_on(self) -> None:
        assert self._task_id is not None
        end = self._sidecar.kill if self._must_end else self._sidecar.interrupt

        def passed_on(job: asyncio.Task[object]) -> None:
            self._jobs.discard(job)
            if not job.cancelled() and (fault := job.exception()) is not None:
                log.info("Ctrl-C came too late: %s", fault)

        job = asyncio.ensure_future(end(self._task_id))
        self._jobs.add(job)
        job.add_done_callback(passed_on)


class Ticker:
    """One line on a terminal's standard error while a command is slow."""

    def __init__(self, sidecar: TaskService, interrupts: Interrupts) -> None:
        self._interrupts = interrupts
        self._shown = False
        self._unsubscribe = sidecar.on_progress(self._on_progress)

    def close(self) -> None:
        """Erase the line."""
        self._unsubscribe()
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _on_progress(self, progress: Progress) -> None:
        if progress.tag != TAG:
            return  # a shared server reports all tasks
        self._interrupts.reach(progress.task_id)
        if progress.elapsed_seconds < QUIET_START_S or not wants_colour(sys.stderr):
            return
        estimate = progress.poll_meta.alan_estimate if progress.poll_meta else None
        usual = f" · usually ~{estimate.median_duration_s:.0f}s" if estimate else ""
        last = progress.output.rstrip("\n").rpartition("\n")[2]
        line = f"{progress.elapsed_seconds:.0f}s{usual}  {last}"
        cut = line[: shutil.get_terminal_size().columns - 1]
        print(f"\r\x1b[K\x1b[2m{cut}\x1b[0m", end="", file=sys.stderr, flush=True)
        self._shown = True
