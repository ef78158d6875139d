"""One task as the façade sees it: what was asked, what was found out, how far its observers have read.

Its end becomes a `CompletedRun`, the one value that memory, rules and results read.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from typing import TYPE_CHECKING

from zsh_ls.insights.segments import with_pipeline
from zsh_ls.insights.suggestions import IdleCount
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun, CompletedSegment, outcome_of
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import Caller, RunRequest, SendRequest
from zsh_ls.model.results import Resized, Sent
from zsh_ls.model.words import Level, Outcome, Status
from zsh_ls.shell.template.identity import identify, shown_command
from zsh_ls.sidecar.config import Settings
from zsh_ls.tasks import Output, Task
from zsh_ls.tasks.task import HAPPENED

from .launch import check_terminal_size
from .places import OutputPlaces

if TYPE_CHECKING:
    from zsh_ls.sidecar.documents.marks import ResultAlone, RunMark, TraceMarks

    from .middle import OutputMiddle
    from .session_run import Begun
    from .tracing import TraceOfRun

NOTHING_KNOWN = CommandHistory("", "")
INCOMPLETE = "incomplete"
# The most text that one answer carries.
MESSAGE_BYTES = 4 * 1024 * 1024
LAST_BYTES = 4096
PIECE_BYTES = 64 * 1024
SHORT_OUTPUT_BYTES = 64 * 1024

log = logging.getLogger(__name__)


@attrs.define
class Observer:
    """How far one observer has read, and how long it has waited for news (POLL-3).

    The polls of each caller are one observer, the progress stream another:
    none takes output or counts from another. `had_opening` once it was given the
    insights that came before the run, and `told` are those that it has read. `places` counts those it was
    given. `matched` has for each pattern it waited for where the next line begins that may match: its byte
    and its number.
    """

    cursor: int = 0
    places: int = 0
    idle: IdleCount = attrs.field(factory=IdleCount)
    had_opening: bool = False
    told: tuple[Insight, ...] = ()
    matched: dict[str, tuple[int, int]] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Run:
    """A task with its observers, from its start until its result is final.

    Two events mark its way: `history_known` once memory has said what it knew of the command
    (`history`, which is kept until the end), and `concluded` once the task has ended, its end
    (`completed`) is remembered (`is_recorded`) and the insights it gives are known.

    `notices` are the sidecar's own insights, `before` come from history, `after` from the end;
    `missing` say what could not be found out, and why. `progress_timer` begins its progress
    stream. `failures_before` counts failures of the same text and folder in this session;
    `failed_tests` are those that its own output names, once that was shown, `failed_tests_before`
    those of the run before (VERB-9).
    `kill_elapsed_s` and `kill_idle_s` are taken before the signal. `estimate` is of before it
    ran, and is kept for the judgement of a kill. `project` is the project's folder (ALAN-13).
    `begun` is what it began with, if it is of a session. `middle` searches what no answer carries whole.
    """

    task: Task
    request: RunRequest
    settings: Settings
    workspace: str | None = None
    project: str | None = None
    colour: bool = False
    only_news: bool = False
    history: CommandHistory = NOTHING_KNOWN
    estimate: Estimate | None = None
    notices: tuple[Insight, ...] = ()
    before: tuple[Insight, ...] = ()
    after: tuple[Insight, ...] = ()
    missing: tuple[Insight, ...] = ()
    begun: Begun | None = None
    completed: CompletedRun | None = None
    is_recorded: bool = False
    failures_before: int = 0
    failed_tests: tuple[str, ...] | None = None
    failed_tests_before: tuple[str, ...] | None = None
    stream: Observer = attrs.field(factory=Observer)
    history_known: asyncio.Event = attrs.field(factory=asyncio.Event)
    concluded: asyncio.Event = attrs.field(factory=asyncio.Event)
    progress_timer: asyncio.TimerHandle | None = None
    mark: RunMark | None = None
    trace: TraceOfRun | None = None
    trace_marks: TraceMarks | None = None
    result_alone: ResultAlone | None = None
    kill_elapsed_s: float | None = None
    kill_idle_s: float = 0.0
    middle: OutputMiddle | None = None
    places: OutputPlaces = attrs.field()
    _pollers: dict[str, Observer] = attrs.field(factory=dict)

    @places.default
    def _places(self) -> OutputPlaces:
        roots = tuple(filter(None, (self.project, self.workspace)))
        return OutputPlaces(self.task, self.request.command, roots)

    @property
    def scope(self) -> str:
        """The folder by which memory counts it: its project's, without one its own (ALAN-13)."""
        return self.task.request.cwd if self.project is None else self.project

    def settle(self) -> None:
        """It is concluded: who waits goes on, and what nobody needs any more of a kept task goes."""
        self.release()
        self.history = NOTHING_KNOWN
        if self.kill_elapsed_s is None:
            self.estimate = None
        self.completed = None
        self.history_known = self.concluded = HAPPENED

    def release(self) -> None:
        """Let all who wait for it go on."""
        self.history_known.set()
        self.concluded.set()

    def note_kill(self) -> None:
        """Its processes are about to be ended: keep how long it ran and was silent, the first time."""
        if self.kill_elapsed_s is None:
            self.kill_elapsed_s, self.kill_idle_s = self.task.elapsed_s, self.task.idle_s

    @cached_property
    def redacted_command(self) -> str:
        """Its command as results show it: without secrets."""
        return shown_command(self.request.command, self.settings.redact)

    @property
    def insights(self) -> tuple[Insight, ...]:
        """All insights, those before the run first (ALAN-10)."""
        return (*self.notices, *self.before, *self.after, *self.incomplete)

    @property
    def incomplete(self) -> tuple[Insight, ...]:
        """Insights that name what is missing from the results of the run, lost output included."""
        output, texts = self.task.output, []
        if lost := output.lost_lines:
            texts.append(f"{lost} of {output.total_lines} lines were not kept: {why_lost(output)}.")
        if output.unread is not None:
            texts.append(f"the rest of it could not be read: {_reason(output.unread)}.")
        told = (Insight(Level.WARNING, f"Output incomplete: {it}", INCOMPLETE) for it in texts)
        return (*self.missing, *told)

    def attempting(self, what: str) -> Attempt:
        """Context of a step that may fail: the run still ends, is remembered and answered, with an insight.

        `what` names what is missing then, as the beginning of a sentence.
        """
        return Attempt(self, what)

    def note_missing(self, what: str, reason: str, *, is_news: bool = True) -> None:
        """Add an insight that `what` is missing from the results; once, however often it fails."""
        text = f"{what} is missing: {reason}."
        insight = Insight(Level.WARNING, text, INCOMPLETE, is_news=is_news)
        if insight not in self.missing:
            self.missing = (*self.missing, insight)

    def polls_of(self, caller: Caller) -> Observer:
        """How far the polls of `caller` have read; a new caller has read nothing."""
        return self._pollers.setdefault(caller.name, Observer())

    def forget(self, caller: Caller) -> None:
        """`caller` will not ask again."""
        self._pollers.pop(caller.name, None)

    def colour_for(self, caller: Caller) -> bool:
        """Whether texts for `caller` have escape codes."""
        return self.colour if caller.colour is None else caller.colour

    def tells_only_news_to(self, caller: Caller) -> bool:
        """Whether results for `caller` have no other insights than those that are news."""
        return self.only_news if caller.only_news is None else caller.only_news

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
        # What the Enter key gives a terminal: programs that read keys (fzf) take a line feed for another.
        enter = "\r" if task.is_pty else "\n"
        text = request.input + (enter if ends_line else "")
        from_byte = task.output.size_bytes
        await task.send(text.encode("utf-8", "surrogateescape"), eof=request.eof)
        message = f"Sent {len(text)} characters{' and end of file' if request.eof else ''}"
        return Sent(True, message, from_byte)

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
    """The context manager of `Run.attempting`: a failure becomes an insight of the run."""

    run: Run
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, fault: BaseException | None, __: object) -> bool:
        if not isinstance(fault, Exception):
            return False
        # Memory alone is given up waiting for: nothing false is told for it, and a reader can do nothing.
        is_news = not isinstance(fault, TimeoutError)
        self.run.note_missing(self.what, _reason(fault), is_news=is_news)
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


def completed_run(run: Run, session: str) -> CompletedRun:
    """The ended task as memory, rules and lines see it; its text and its output are read here, once.

    The text is not read where every status is 0 and the run stands on no line:
    nobody asks then which command they came from.
    """
    task = run.task
    failed = _outcome_of(task) is Outcome.FAILURE
    printed = _Printed(is_blank=False, text=None, end="")
    with run.attempting("What it printed"):
        printed = _Printed(_is_blank(task), short_output(task), _last_words(task) if failed else "")
    statuses = task.pipestatus
    if task.request.script is not None and task.exit is not None:
        # `pipestatus` is of a pipeline in the script; rules speak of the command that ran the script.
        statuses = (task.exit,)
    completed = plainly_completed(run, session, printed, tuple(map(CompletedSegment, statuses)))
    if failed:
        with run.attempting("Whether it was called wrongly"):
            completed = attrs.evolve(completed, is_usage_failure=_is_usage_failure(completed))
    if run.mark is not None or (completed.ended_by_itself and any(statuses)):
        with run.attempting("What its exit means"):
            return with_pipeline(completed, statuses)
    return completed


@attrs.frozen
class _Printed:
    """What memory and rules read of an output: all of a short one, the end of one that failed."""

    is_blank: bool
    text: str | None
    end: str


def _last_words(task: Task) -> str:
    """The end of its output, where a refused flag is named."""
    end = task.output.size_bytes
    return task.output.read(max(0, end - LAST_BYTES), end).decode("utf-8", "replace")


def _outcome_of(task: Task) -> Outcome:
    return outcome_of(
        task.exit,
        timed_out=task.status is Status.TIMEOUT,
        killed=task.status is Status.KILLED,
    )


def plainly_completed(
    run: Run,
    session: str,
    printed: _Printed | None = None,
    segments: tuple[CompletedSegment, ...] | None = None,
) -> CompletedRun:
    """The ended task without what its text says, and without what its output does unless that is given."""
    task = run.task
    if segments is None:
        segments = tuple(map(CompletedSegment, task.pipestatus))
    duration_s = task.elapsed_s
    if task.status is Status.KILLED and run.kill_elapsed_s is not None:
        duration_s = run.kill_elapsed_s
    return CompletedRun(
        command=run.request.command,
        shell=task.request.shell,
        exit=task.exit,
        pipestatus=task.pipestatus,
        outcome=_outcome_of(task),
        duration_s=duration_s,
        started_at=task.started_at,
        session=session,
        cwd=task.request.cwd,
        project=run.project,
        origin=run.request.origin,
        output_is_blank=printed is not None and printed.is_blank,
        output=None if printed is None else printed.text,
        output_end="" if printed is None else printed.end,
        segments=segments,
    )


def _is_usage_failure(run: CompletedRun) -> bool:
    from zsh_ls.shell.status.usage import is_usage_failure  # noqa: PLC0415

    name = identify(run.command)
    says = run.output_end if run.output is None else run.output
    return is_usage_failure(name.command, run.exit, says, name.template)


def short_output(task: Task) -> str | None:
    """All that the task printed, where that is little; None otherwise."""
    size_bytes = task.output.size_bytes
    if not size_bytes:
        return ""
    if size_bytes > SHORT_OUTPUT_BYTES:
        return None
    return task.output.read(0, size_bytes).decode("utf-8", "replace")


def _is_blank(task: Task) -> bool:
    size_bytes = task.output.size_bytes
    position = 0
    while position < size_bytes:
        piece = task.output.read(position, position + PIECE_BYTES)
        if piece.strip() or not piece:  # what is not kept may have been anything
            return False
        position += len(piece)
    return True
