"""One task as the façade sees it: what was asked, what was found out, and how far its observers have read."""

from __future__ import annotations

import asyncio

import attrs

from zsh_ls.insights.suggestions import IdleCount
from zsh_ls.model.insight import Insight
from zsh_ls.model.past import Past
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.results import Verbosity
from zsh_ls.tasks import Task

from .documents import Mark


@attrs.define
class Observer:
    """How far one observer has read, and how long it has waited for news (POLL-3).

    Polls are one observer, the progress stream another: neither takes output
    or counts from the other.
    """

    cursor: int = 0
    idle: IdleCount = attrs.field(factory=IdleCount)


@attrs.define(eq=False)
class Watch:
    """A task with its observers; `judged` is set once its end is recorded and its insights are known.

    `notices` were made before the run by the sidecar itself, `before` by
    history, `after` by its end. `kill_elapsed_s` and `kill_idle_s` are taken
    before the signal.
    """

    task: Task
    request: RunRequest
    past: Past
    notices: tuple[Insight, ...] = ()
    before: tuple[Insight, ...] = ()
    after: tuple[Insight, ...] = ()
    polls: Observer = attrs.field(factory=Observer)
    stream: Observer = attrs.field(factory=Observer)
    judged: asyncio.Event = attrs.field(factory=asyncio.Event)
    mark: Mark | None = None
    document_uri: str | None = None
    kill_elapsed_s: float | None = None
    kill_idle_s: float = 0.0
    verbosity: Verbosity | None = None
    failed_before: int = 0

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All insights, those before the run first (ALAN-10)."""
        return (*self.notices, *self.before, *self.after)
