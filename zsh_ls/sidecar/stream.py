"""The progress stream of one task: news at once, at most ten a second, a heartbeat in silence, an end.

It reads on a cursor of its own, from the first byte: polls and the stream take
nothing from each other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from zsh_ls.model.requests import PollRequest

from .watch import Run

HEARTBEAT_S = 2.0
SHORTEST_GAP_S = 0.1

Tell = Callable[[Run], Awaitable[None]]
log = logging.getLogger(__name__)


async def follow(watch: Run, tell: Tell) -> None:
    """Call `tell` for each piece of progress, the last time when the task is judged.

    What cannot be told is told with the next piece, as the cursor stays where it was.
    """
    await watch.recalled.wait()
    loop = asyncio.get_running_loop()
    heartbeat_at = loop.time() + HEARTBEAT_S
    while not watch.judged.is_set():
        cursor = watch.stream.cursor
        await within(watch.task.wait_news(cursor), max(0.0, heartbeat_at - loop.time()))
        if watch.task.ended:
            await watch.judged.wait()
            break
        heartbeat_at = loop.time() + HEARTBEAT_S
        told = await _told(watch, tell)
        if watch.stream.cursor > cursor:
            await within(watch.judged.wait(), SHORTEST_GAP_S)
        elif not told:
            await within(watch.judged.wait(), HEARTBEAT_S)
    await _told(watch, tell)


async def _told(watch: Run, tell: Tell) -> bool:
    try:
        await tell(watch)
    except Exception as fault:
        log.error("%s: progress is not told", watch.task.task_id, exc_info=fault)
        return False
    return True


async def within(waiting: Awaitable[object], seconds: float) -> bool:
    """Whether `waiting` came true within `seconds`; it is cancelled if not."""
    try:
        async with asyncio.timeout(seconds):
            await waiting
    except TimeoutError:
        return False
    return True


async def awaited(watch: Run, request: PollRequest) -> None:
    """Until there is something to tell: the end, or output that its polls have not brought yet."""
    if request.until == "output":
        await watch.task.wait_news(watch.polls_of(request.caller).cursor)
        if not watch.task.ended:
            return
    await watch.judged.wait()
