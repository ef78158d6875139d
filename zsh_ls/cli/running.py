"""`zsh-ls run`: runs a line here, shows it while slow, and passes Ctrl-C on."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys

from zsh_ls.lazy import attrs
from zsh_ls.model.requests import OutputRequest, PollRequest, RunRequest
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.model.words import Status

from .run_end import SlowLine, exit_of, tell
from .run_request import BETWEEN_POLLS_S, LIVE_AFTER_S, LONGEST_LISTEN_S, TAG
from .screen import wants_colour
from .signals import SignalHandlers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.sidecar.interface import TaskService

ENDING = (signal.SIGTERM, signal.SIGHUP)

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


async def run_followed(sidecar: TaskService, request: RunRequest) -> int:
    """Run one line, print its text as it comes, and how it ended on standard error; its exit status.

    The streams of the task are not those of this process: they are a terminal of its own.
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


def show(result: TaskResult, *, as_json: bool) -> None:
    """Print a result as JSON or as text, with colours on a terminal."""
    if as_json:
        from zsh_ls.sidecar.to_json import to_json

        print(json.dumps(to_json(result), ensure_ascii=False))
    else:
        from .brief import brief_text

        print(brief_text(result, colour=wants_colour(sys.stdout)))


class Interrupts:
    """Handles signals while a task runs: the first Ctrl-C interrupts it; a second, TERM and HUP end it."""

    def __init__(self, sidecar: TaskService) -> None:
        self._sidecar = sidecar
        self._task_id: str | None = None
        self._count = 0
        self._must_end = False
        self._jobs: set[asyncio.Task[object]] = set()
        self._handlers = SignalHandlers()
        # Leave ignored signals alone: `nohup` ignores SIGHUP.
        ending = [it for it in ENDING if signal.getsignal(it) is not signal.SIG_IGN]
        for number in (signal.SIGINT, *ending):
            self._handlers.handle(number, self._on_signal, number)

    def reach(self, task_id: str) -> None:
        """Send signals to this task, also those that came before its id was known."""
        was_waiting = self._task_id is None and (self._count > 0 or self._must_end)
        self._task_id = task_id
        if was_waiting:
            self._pass_on()

    def close(self) -> None:
        """Remove the signal handlers."""
        self._handlers.close()

    def _on_signal(self, number: int) -> None:
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
    """Shows a line while a command is slow."""

    def __init__(self, sidecar: TaskService, interrupts: Interrupts) -> None:
        self._interrupts = interrupts
        self._line = SlowLine()
        self._unsubscribe = sidecar.on_progress(self._on_progress)

    def close(self) -> None:
        """Erase the line."""
        self._unsubscribe()
        self._line.erase()

    def _on_progress(self, progress: Progress) -> None:
        if progress.tag != TAG:
            return
        self._interrupts.reach(progress.task_id)
        estimate = progress.poll_meta.alan_estimate if progress.poll_meta else None
        usual_s = estimate.median_duration_s if estimate else None
        self._line.show(progress.elapsed_seconds, usual_s, progress.output)
