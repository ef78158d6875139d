"""One task as the façade sees it: what was asked, what was found out, how far its observers have read."""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property

import attrs

from zsh_ls.insights.suggestions import IdleCount
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import Caller, RunRequest, SendRequest
from zsh_ls.model.results import Resized, Sent
from zsh_ls.model.words import Level
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.documents.marks import RunMark, TraceMarks
from zsh_ls.tasks import Output, Task

from .launch import check_terminal_size
from .tracing import TraceOfRun

NOTHING_KNOWN = CommandHistory("", "")
# One for all that ended: hundreds are kept, and an event of its own is the larger part of some.
HAPPENED = asyncio.Event()
HAPPENED.set()
INCOMPLETE = "incomplete"

log = logging.getLogger(__name__)


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
class Run:
    """A task with its observers; `judged` is set once its end is remembered and its insights are known.

    `past` is what memory knew before it, from when that is `recalled` to the end;
    `completed` is its end, from then until it is judged. `notices` are the
    sidecar's own, `before` come from history, `after` from the end; `missing`
    say what could not be found out, and why. `outlives` begins its progress
    stream. `failures_before` counts failures of the same text and folder in
    this session. `kill_elapsed_s` and `kill_idle_s` are taken before the signal.
    """

    task: Task
    request: RunRequest
    settings: Settings
    workspace: str | None = None
    colour: bool = False
    past: CommandHistory = NOTHING_KNOWN
    notices: tuple[Insight, ...] = ()
    before: tuple[Insight, ...] = ()
    after: tuple[Insight, ...] = ()
    missing: tuple[Insight, ...] = ()
    completed: CompletedRun | None = None
    failures_before: int = 0
    stream: Observer = attrs.field(factory=Observer)
    recalled: asyncio.Event = attrs.field(factory=asyncio.Event)
    judged: asyncio.Event = attrs.field(factory=asyncio.Event)
    outlives: asyncio.TimerHandle | None = None
    mark: RunMark | None = None
    trace: TraceOfRun | None = None
    trace_marks: TraceMarks | None = None
    kill_elapsed_s: float | None = None
    kill_idle_s: float = 0.0
    _pollers: dict[str, Observer] = attrs.field(factory=dict)

    def settle(self) -> None:
        """Its end is judged: who waits goes on, and what nobody needs any more of a kept task goes."""
        self.recalled.set()
        self.judged.set()
        self.past = NOTHING_KNOWN
        self.completed = None
        self.recalled = self.judged = HAPPENED

    @cached_property
    def told_command(self) -> str:
        """What anybody is told of its command."""
        return shown_command(self.request.command, self.settings.redact)

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All insights, those before the run first (ALAN-10)."""
        return (*self.notices, *self.before, *self.after, *self.incomplete)

    @property
    def incomplete(self) -> tuple[Insight, ...]:
        """What is missing from what is told of the run, of its output too."""
        output = self.task.output
        lost = output.lost_lines
        if not lost:
            return self.missing
        said = f"Output incomplete: {lost} of {output.total_lines} lines were not kept: {why_lost(output)}."
        return (*self.missing, Insight(Level.WARNING, said, INCOMPLETE))

    def attempting(self, what: str) -> Attempt:
        """Around a step without which the run still ends, is remembered and answered: its failure is said.

        `what` is what is missing then, as the beginning of a sentence.
        """
        return Attempt(self, what)

    def lacks(self, what: str, reason: str) -> None:
        """Say that `what` is missing from what is told of the run; once, however often it fails."""
        insight = Insight(Level.WARNING, f"{what} is missing: {reason}.", INCOMPLETE)
        if insight not in self.missing:
            self.missing = (*self.missing, insight)

    def polls_of(self, caller: Caller) -> Observer:
        """How far the polls of `caller` have read; one that asks for the first time, nothing."""
        return self._pollers.setdefault(caller.name, Observer())

    def forget(self, caller: Caller) -> None:
        """`caller` will not ask again."""
        self._pollers.pop(caller.name, None)

    def colour_for(self, caller: Caller) -> bool:
        """Whether texts for `caller` have escape codes."""
        return self.colour if caller.colour is None else caller.colour

    async def send(self, request: SendRequest) -> Sent:
        """Type text into it, with a new line unless told otherwise, and an end of file if asked.

        Raises RequestRejected where it has ended or has no standard input.
        """
        task = self._running_task()
        if not task.has_stdin:
            raise RequestRejected(
                f"Task {task.task_id} has no standard input: "
                "run it with `pty` or `interactive` to type into it."
            )
        # An end of file alone types no empty line first.
        ends_line = request.newline and not (request.eof and not request.input)
        text = request.input + ("\n" if ends_line else "")
        await task.send(text.encode("utf-8", "surrogateescape"), eof=request.eof)
        return Sent(True, f"Sent {len(text)} characters{' and end of file' if request.eof else ''}")

    def resize(self, cols: int, rows: int) -> Resized:
        """Give its terminal a new size; raises InvalidRequest, or RequestRejected where it has none."""
        check_terminal_size(cols, rows)
        task = self._running_task()
        if not task.is_pty:
            raise RequestRejected(f"Task {task.task_id} has no terminal: run it with `pty`.")
        task.resize(cols, rows)
        return Resized(True)

    def _running_task(self) -> Task:
        if self.task.ended:
            raise RequestRejected(f"Task {self.task.task_id} has already ended.")
        return self.task


@attrs.frozen(eq=False)
class Attempt:
    """A step whose failure is said of its run, and goes no further."""

    run: Run
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, fault: BaseException | None, __: object) -> bool:
        if not isinstance(fault, Exception):
            return False
        self.run.lacks(self.what, _reason(fault))
        log.error("%s: %s", self.run.task.task_id, self.what, exc_info=fault)
        return True


def why_lost(output: Output) -> str:
    """Why a part of an output is not kept."""
    failure = output.spool.failure
    return "longer than what is kept of one task" if failure is None else _reason(failure)


def _reason(fault: Exception) -> str:
    """What happened, in a few words; of a mistake of this program its kind, as its text may hold a secret."""
    if isinstance(fault, TimeoutError):
        return "it took too long"
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    return f"internal error ({type(fault).__name__})"
