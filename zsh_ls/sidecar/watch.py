"""One task as the façade sees it: what was asked, what was found out, how far its observers have read."""

from __future__ import annotations

import asyncio

import attrs

from zsh_ls.insights.suggestions import IdleCount
from zsh_ls.model.insight import Insight
from zsh_ls.model.past import Past
from zsh_ls.model.requests import RunRequest
from zsh_ls.tasks import Task

from .documents import Mark
from .options import Settings


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
    """A task with its observers; `judged` is set once its end is remembered and its insights are known.

    `notices` are the sidecar's own, `before` come from history, `after` from
    the end. `failures_before` counts failures of the same text and folder in
    this session. `kill_elapsed_s` and `kill_idle_s` are taken before the signal.
    """

    task: Task
    request: RunRequest
    past: Past
    settings: Settings
    workspace: str | None = None
    colour: bool = False
    notices: tuple[Insight, ...] = ()
    before: tuple[Insight, ...] = ()
    after: tuple[Insight, ...] = ()
    failures_before: int = 0
    polls: Observer = attrs.field(factory=Observer)
    stream: Observer = attrs.field(factory=Observer)
    judged: asyncio.Event = attrs.field(factory=asyncio.Event)
    mark: Mark | None = None
    kill_elapsed_s: float | None = None
    kill_idle_s: float = 0.0

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All insights, those before the run first (ALAN-10)."""
        return (*self.notices, *self.before, *self.after)
