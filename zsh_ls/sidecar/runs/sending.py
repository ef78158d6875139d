"""Typing into a task and hearing what it says to it, in one request (POLL-9)."""

from __future__ import annotations

from typing import Protocol

from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import PollRequest, SendRequest, Until
from zsh_ls.model.results import Sent, TaskResult

from .matching import checked_wait


class Tasks(Protocol):
    """Whoever has the task: this process or another one."""

    async def send(self, request: SendRequest) -> Sent:
        """Type into it."""

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of it."""


async def sent_and_heard(
    tasks: Tasks, request: SendRequest, listen: float, until: Until | None, pattern: str | None
) -> Sent | TaskResult:
    """Type it; with `listen` above 0 the task's result, with what came in so many seconds.

    Raises InvalidRequest, before anything is typed, for a wait that cannot be.
    """
    poll = PollRequest(request.task_id, listen=listen, until=until or "output", pattern=pattern)
    checked_wait(poll)
    if not listen:
        if until is not None:
            raise InvalidRequest("listen: expected seconds to wait, as `until` is there")
        return await tasks.send(request)
    sent = await tasks.send(request)
    return await tasks.poll(attrs.evolve(poll, match_from=sent.from_byte, echo=request.input))
