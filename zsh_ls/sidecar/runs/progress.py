"""The progress of a running task: one stream for each task, and what a slow client gets of it.

The stream tells news at once, at most ten times a second, then a heartbeat in
silence, then the end. It reads with a cursor of its own, from the first byte:
polls and the stream take nothing from each other. While a client is slow to
read, news of the same task is joined.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

from zsh_ls.lazy import attrs, re
from zsh_ls.model.requests import PollRequest
from zsh_ls.model.results import Progress
from zsh_ls.model.terminal_text import render_bytes
from zsh_ls.tasks import Task

from . import result
from .run import Run

LARGEST_TEXT_CHARS = 4 * 1024 * 1024
# Escape sequences that a line editor writes beside what is typed.
MOST_OF_AN_ECHO = 4096
_CONTROL_KEY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

News = TypeVar("News")
log = logging.getLogger(__name__)
# News are told at most ten times a second, and every two seconds of silence a heartbeat (WIRE-5).
HEARTBEAT_S = 2.0
SHORTEST_GAP_S = 0.1


class ProgressBuffer:
    """Passes each Progress on at once, or, while it is `held`, one joined Progress a task afterwards."""

    def __init__(self, send: Callable[[Progress], None]) -> None:
        self._send = send
        self._waiting: dict[str, Progress] = {}
        self.held = False

    def add(self, progress: Progress) -> None:
        """Something is new of a task."""
        if not self.held:
            self._send(progress)
            return
        before = self._waiting.get(progress.task_id)
        self._waiting[progress.task_id] = progress if before is None else joined(before, progress)

    def release(self) -> None:
        """The client reads again: send what was held back."""
        self.held = False
        waiting, self._waiting = self._waiting, {}
        for progress in waiting.values():
            self.add(progress)


def joined(earlier: Progress, later: Progress) -> Progress:
    """Both as one. Of more text than one message carries the first lines are left out.

    `from_line` then says where the text begins; the whole can be asked for with `zsh/output`.
    """
    text = earlier.output + later.output
    from_line = earlier.from_line if earlier.from_line is not None else later.from_line
    if len(text) > LARGEST_TEXT_CHARS and from_line is not None:
        # At the beginning of a line, unless the last one alone is longer.
        cut = len(text) - LARGEST_TEXT_CHARS
        line_start = text.find("\n", cut - 1) + 1
        if 0 < line_start < len(text):
            cut = line_start
        from_line += text.count("\n", 0, cut)
        text = text[cut:]
    return attrs.evolve(
        later,
        output=text,
        from_line=from_line,
        to_line=later.to_line if later.to_line is not None else earlier.to_line,
        new_bytes=earlier.new_bytes + later.new_bytes,
        places=(*(earlier.places or ()), *(later.places or ())) or None,
    )


def last_line(text: str) -> str:
    """The last line of `text` that says something."""
    lines = (line.strip() for line in reversed(text[-2000:].splitlines()))
    return next(filter(None, lines), "")


def notify_all(listeners: Iterable[Callable[[News], None]], news: News) -> None:
    """Call every listener; one that fails takes nothing from the others, nor from who called."""
    for listener in tuple(listeners):
        try:
            listener(news)
        except Exception as fault:
            log.error("a listener failed", exc_info=fault)


async def stream(run: Run) -> AsyncIterator[Progress]:
    """Each piece of progress of a task, the last one when its run is concluded.

    What fails to be rendered comes with the next piece, as the cursor stays where it was.
    """
    await run.history_known.wait()
    loop = asyncio.get_running_loop()
    heartbeat_at = loop.time() + HEARTBEAT_S
    while not run.concluded.is_set():
        cursor = run.stream.cursor
        await within(run.task.wait_news(cursor), max(0.0, heartbeat_at - loop.time()))
        if run.task.ended:
            await run.concluded.wait()
            break
        heartbeat_at = loop.time() + HEARTBEAT_S
        progress = await _progress(run)
        if progress is not None:
            yield progress
        if run.stream.cursor > cursor:
            await within(run.concluded.wait(), SHORTEST_GAP_S)
        elif progress is None:
            await within(run.concluded.wait(), HEARTBEAT_S)
    yield await _last_progress(run)


async def _progress(run: Run) -> Progress | None:
    """What is new of a task; None where that cannot be told, which is logged."""
    try:
        return await result.progress(run)
    except Exception as fault:
        log.error("%s: progress is not told", run.task.task_id, exc_info=fault)
        return None


async def _last_progress(run: Run) -> Progress:
    """The end of a task, which is told in any case: somebody waits for it."""
    with run.attempting("Part of what is told of its end"):
        return await result.progress(run)
    return result.last_progress(run)


async def within(waiting: Awaitable[object], seconds: float) -> bool:
    """Whether `waiting` came true within `seconds`; it is cancelled if not."""
    try:
        async with asyncio.timeout(seconds):
            await waiting
    except TimeoutError:
        return False
    return True


async def awaited(run: Run, request: PollRequest) -> None:
    """Until there is something to tell: the end, or output that its polls have not brought yet."""
    if request.until == "output":
        await run.task.wait_news(run.polls_of(request.caller).cursor)
        if request.echo is not None and request.match_from is not None and run.task.is_pty:
            await _beyond_echo(run.task, request.match_from, request.echo)
        if not run.task.ended:
            return
    await run.concluded.wait()


def echo_of(typed: str) -> str:
    """What a terminal shows of what is typed: `^C` for Ctrl-C."""
    return _CONTROL_KEY.sub(lambda it: f"^{chr(ord(it[0]) ^ 0x40)}", typed)


async def _beyond_echo(task: Task, start: int, typed: str) -> None:
    """Until a terminal has shown more than what was typed, or the task has ended."""
    typed = echo_of(typed)
    while not task.ended:
        size_bytes = task.output.size_bytes
        shown = render_bytes(task.output.raw(start, len(typed.encode()) + MOST_OF_AN_ECHO).data)
        if not typed.startswith(shown.rstrip("\n")):
            return
        await task.wait_bytes(size_bytes)
