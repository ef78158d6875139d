"""One task as the façade sees it: what was asked, what was found out, how far its observers have read."""

from __future__ import annotations

import asyncio

import attrs

from zsh_ls.insights.suggestions import IdleCount
from zsh_ls.model.insight import Insight
from zsh_ls.model.past import Past
from zsh_ls.model.requests import Caller, RunRequest
from zsh_ls.tasks import Task

from .documents import Mark
from .options import Settings
from .trace_marks import TraceMarks
from .tracing import TraceOfRun

NOTHING_KNOWN = Past("", "")
# One for all that ended: hundreds are kept, and an event of its own is the larger part of some.
HAPPENED = asyncio.Event()
HAPPENED.set()


@attrs.define
class Observer:
    """How far one observer has read, and how long it has waited for news (POLL-3).

    The polls of each caller are one observer, the progress stream another:
    none takes output or counts from another. `is_told` once it knows what was
    said before the run.
    """

    cursor: int = 0
    idle: IdleCount = attrs.field(factory=IdleCount)
    is_told: bool = False


@attrs.define(eq=False)
class Watch:
    """A task with its observers; `judged` is set once its end is remembered and its insights are known.

    `past` is what memory knew before it, from when that is `recalled` to the end.
    `notices` are the sidecar's own, `before` come from history, `after` from
    the end. `outlives` begins its progress stream. `failures_before` counts
    failures of the same text and folder in this session. `kill_elapsed_s` and
    `kill_idle_s` are taken before the signal.
    """

    task: Task
    request: RunRequest
    settings: Settings
    workspace: str | None = None
    colour: bool = False
    past: Past = NOTHING_KNOWN
    notices: tuple[Insight, ...] = ()
    before: tuple[Insight, ...] = ()
    after: tuple[Insight, ...] = ()
    failures_before: int = 0
    stream: Observer = attrs.field(factory=Observer)
    recalled: asyncio.Event = attrs.field(factory=asyncio.Event)
    judged: asyncio.Event = attrs.field(factory=asyncio.Event)
    outlives: asyncio.TimerHandle | None = None
    mark: Mark | None = None
    trace: TraceOfRun | None = None
    trace_marks: TraceMarks | None = None
    kill_elapsed_s: float | None = None
    kill_idle_s: float = 0.0
    _pollers: dict[str, Observer] = attrs.field(factory=dict)

    def settle(self) -> None:
        """Its end is judged: who waits goes on, and what nobody needs any more of a kept task goes."""
        self.judged.set()
        self.past = NOTHING_KNOWN
        self.recalled = self.judged = HAPPENED

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All insights, those before the run first (ALAN-10)."""
        return (*self.notices, *self.before, *self.after)

    def polls_of(self, caller: Caller) -> Observer:
        """How far the polls of `caller` have read; one that asks for the first time, nothing."""
        return self._pollers.setdefault(caller.name, Observer())

    def forget(self, caller: Caller) -> None:
        """`caller` will not ask again."""
        self._pollers.pop(caller.name, None)

    def colour_for(self, caller: Caller) -> bool:
        """Whether texts for `caller` have escape codes."""
        return self.colour if caller.colour is None else caller.colour
