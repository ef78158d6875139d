"""The façade in this process: each method is one use of the packages below it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from zsh_ls import __version__
from zsh_ls.alan import Alan
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import (
    HERE,
    Caller,
    OutputRequest,
    PollRequest,
    RunRequest,
    ScriptRequest,
    SendRequest,
    TerminalRunRequest,
)
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Status
from zsh_ls.shell.template.identity import identify, shown_command
from zsh_ls.system import programs
from zsh_ls.system.projects import current_folder, scope_of

from .config import HISTORY_LIMIT, NOT_TRUSTED, THIS_PROJECT, Settings, SidecarOptions
from .config_file import is_in_team
from .environment import CachedEnvironment, Shells

if TYPE_CHECKING:
    from zsh_ls.answers.failures import Failures
    from zsh_ls.model.agent_run import AgentRun, AgentRunNotes
    from zsh_ls.model.answer import Answer
    from zsh_ls.model.reports import (
        CircuitList,
        CommandStats,
        Health,
        HistoryPage,
        MemoryStats,
        SessionList,
        TaskList,
        TerminalRecord,
    )
    from zsh_ls.model.results import KillResult, OutputPage, Resized, Sent
    from zsh_ls.model.startup import StartupProgress, StartupReport, StartupRequest
    from zsh_ls.rehearsal.report import Rehearsal
    from zsh_ls.rehearsal.request import RehearsalRequest
    from zsh_ls.sidecar.documents.insights import Scripts
    from zsh_ls.sidecar.editor.navigation import Navigation
    from zsh_ls.sidecar.editor.parts import EditorParts
    from zsh_ls.sidecar.editor.types import (
        Action,
        Completions,
        DocumentInsight,
        Edit,
        Hover,
        Lens,
        LineHint,
        ScriptNeeds,
    )
    from zsh_ls.sidecar.runs.run import Run
    from zsh_ls.sidecar.runs.runs import Runs
    from zsh_ls.sidecar.runs.session_run import Begun
    from zsh_ls.tasks import Engine, RawOutput
    from zsh_ls.tasks.process.streams import Streams

    from .asking import Asking
    from .detached.order import ToDetach
    from .interface import Unsubscribe
    from .runs import launch
    from .sessions import Sessions
    from .sharing import Sharing
    from .startup import Starts

# An editor that has opened a document has its findings by then.
FIRST_FINDINGS_S = 1.0
LAST_WRITTEN_BYTES = 1_000
LOOK_FOR_TEAM_EVERY_S = 60.0

Made = TypeVar("Made")
log = logging.getLogger(__name__)


def _tell_nobody(_message: str, _percent: int) -> None:
    """Nobody wants to know how far it is."""


@attrs.frozen
class _Prepared:
    """What a run is started with; `variables` are None where this process's own serve."""

    shell: launch.Shell
    cwd: str
    begun: Begun | None
    variables: Mapping[str, str] | None
    notices: tuple[Insight, ...]


class Sidecar:
    """Tasks, the memory and open documents of one process. Made by `Sidecar.open`."""

    def __init__(self, options: SidecarOptions, alan: Alan, engine: Engine | None = None) -> None:
        """Without an `engine`, one is made for the first run."""
        self.options = options
        self.settings = options.settings
        self._given_engine = engine
        self._alan = alan
        self._shells = Shells()
        self._environment = CachedEnvironment()
        self._listeners: list[Callable[[Progress], None]] = []
        self._trust_listeners: list[Callable[[bool], None]] = []
        self._jobs: set[asyncio.Task[Any]] = set()
        # Two measurements at once would each say what the other costs.
        self._starting = asyncio.Lock()
        # Each may take as much memory as it is allowed.
        self._rehearsing = asyncio.Lock()
        self._terminal_runs = asyncio.Lock()
        self._closed = False
        self._sharing: Sharing | None = None
        self._next_look: asyncio.TimerHandle | None = None
        # Whether findings of a document have been given, or a run has begun.
        self._is_in_use = asyncio.Event()

    @cached_property
    def _engine(self) -> Engine:
        """What starts tasks and ends them; raises OSError where the system refuses what that needs."""
        from zsh_ls.tasks import Engine  # noqa: PLC0415

        return self._given_engine or Engine(
            clock=self.options.clock,
            spool_root=self.options.places.outputs,
            one_task=not self.options.warms_up,
        )

    @cached_property
    def _runs(self) -> Runs:
        from .runs.runs import Runs  # noqa: PLC0415  as above

        options = self.options
        return Runs(
            self._engine,
            self._alan,
            options.session,
            self._sessions,
            options.places.folders,
            reads_ahead=options.warms_up,
        )

    @cached_property
    def _sessions(self) -> Sessions:
        from .sessions import Sessions  # noqa: PLC0415

        return Sessions(self.options)

    @property
    def _has_runs(self) -> bool:
        return "_runs" in self.__dict__

    def _all_runs(self) -> Sequence[Run]:
        return self._runs.all() if self._has_runs else ()

    @cached_property
    def _parts(self) -> EditorParts:
        from .editor.parts import EditorParts  # noqa: PLC0415  a mere run needs none of it

        parts = EditorParts.of(self._alan, self.options, self._environment, self._asking.pages)
        parts.configure(self.settings)
        return parts

    @property
    def _has_parts(self) -> bool:
        return "_parts" in self.__dict__

    @property
    def _scripts(self) -> Scripts:
        return self._parts.scripts

    @cached_property
    def _asking(self) -> Asking:
        from .asking import Asking  # noqa: PLC0415  as above

        options = self.options
        return Asking(
            self._alan,
            options.session,
            options.workspace,
            options.machine,
            options.places.outputs,
            is_trusted=lambda: self.settings.trusted,
        )

    @property
    def navigation(self) -> Navigation:
        """Names and where they stand, in open documents."""
        return self._parts.navigation

    @classmethod
    async def open(cls, options: SidecarOptions) -> Self:
        """A sidecar ready to run; a memory that cannot be opened is reported by `health`, never raised.

        Raises what the system refuses: a server has the threads and descriptors by which tasks are ended
        from now on, what does one thing when it runs something.
        """
        settings = options.settings
        alan = await Alan.open(
            settings.database_path(options.places),
            clock=options.clock,
            session=options.session,
            half_life_h=settings.half_life_h,
            extra_redactions=settings.redact,
        )
        sidecar = cls(options, alan)
        if options.warms_up:
            try:
                _ = sidecar._runs
            except BaseException:
                await alan.close()
                raise
        sidecar.configure(settings)
        sidecar._share()
        if options.warms_up:
            sidecar._spawn(sidecar._warm_up())
        return sidecar

    def _share(self) -> None:
        """Share with a team in the background from when somebody has joined one; that may come later."""
        loop = asyncio.get_running_loop()
        if is_in_team(os.environ):
            from .sharing import Sharing  # noqa: PLC0415  most are in no team

            def learnt(templates: frozenset[str]) -> None:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._changed, templates)

            self._sharing = Sharing(self._alan, self.settings, self._folder, learnt)
            self._sharing.begin()
        elif self.options.warms_up:
            self._next_look = loop.call_later(LOOK_FOR_TEAM_EVERY_S, self._share)

    def configure(self, settings: Settings) -> None:
        """Let new settings rule from the next request on."""
        had_trust, self.settings = self.settings.trusted, settings
        programs.distrust(() if settings.trusted else self.options.all_folders)
        self._environment.ask(resolve=settings.environment_resolve and settings.trusted)
        if settings.trusted is not had_trust:
            self._shells.forget()
            for listener in tuple(self._trust_listeners):
                listener(settings.trusted)
        self._alan.leaves_out_elsewhere = not settings.history_elsewhere
        self._alan.extra_redactions = settings.redact
        if self._has_parts:
            self._parts.configure(settings)

    async def run(self, request: RunRequest, *, streams: Streams | None = None) -> TaskResult:
        """Start a command; answers at its end or after `yield_after`.

        Once it has started, cancelling ends the waiting only. With `streams`, of this process, what
        it reads and writes passes through them.
        """
        begin = self._parts.begin if request.document else _begin_nowhere
        if request.document is not None:
            await self._parts.refuse_unsaved(request)
        if request.document is not None and request.missing != "run":
            request, offer, notices = await self._with_what_is_missing(request)
            if offer is not None:
                return await self._run_first(request, offer, begin)
            return await self._run(request, begin, streams=streams, notices=notices)
        return await self._run(request, begin, streams=streams)

    async def _with_what_is_missing(
        self, request: RunRequest
    ) -> tuple[RunRequest, str | None, tuple[Insight, ...]]:
        """The run, the text to run before it, and what is to be said of names that are missing (SESS-3).

        Raises MissingNames where that is to be asked, or no whole command gives what is missing.
        """
        from .missing import MissingNames, Surroundings, warnings  # noqa: PLC0415  only for documents
        from .runs import launch  # noqa: PLC0415

        where = request.document
        if where is None:
            return request, None, ()
        prepared = await self._prepared(request)
        begun = prepared.begun
        there = Surroundings(
            state=None if begun is None else begun.state,
            environment=os.environ if prepared.variables is None else prepared.variables,
            own_names=frozenset(name for name, it in request.env.items() if it is not None),
            folder=prepared.cwd,
            start=launch.folder_of(request.cwd, where.uri, self._folder, self.settings.run_cwd),
        )
        dependencies = await self._parts.dependencies(request, there)
        if dependencies is None:
            return request, None, ()
        found, alone, with_command = dependencies
        if not found.missing:
            return request, None, ()
        if request.missing == "ask" or (request.missing == "first" and found.without_offer):
            raise MissingNames(found.missing, found.offer)
        if request.missing is None:
            return request, None, warnings(found.missing)
        if begun is None:  # no session keeps what they give
            return attrs.evolve(request, command=with_command), None, ()
        return request, alone, ()

    async def _run_first(
        self, request: RunRequest, offer: str, begin: Callable[[Run], None]
    ) -> TaskResult:
        """Run the commands a line needs, as one run, and the line after them; what is there by `yield_after`.

        Where one of them fails the line does not run, and theirs is the result.
        """
        from .runs import progress, result  # noqa: PLC0415

        loop = asyncio.get_running_loop()
        until = loop.time() + request.yield_after
        first = await self._start(
            attrs.evolve(request, command=offer, missing="run", rerun=False, stdin=None), begin
        )

        async def go_on() -> Run:
            await first.concluded.wait()
            if first.task.status is not Status.COMPLETED or first.task.exit != 0:
                return first
            return await self._start(attrs.evolve(request, missing="run"), begin)

        going_on = self._spawn(go_on())
        await progress.within(asyncio.shield(going_on), request.yield_after)
        run = going_on.result() if going_on.done() else first
        await run.history_known.wait()
        if run is not first:
            await progress.within(run.concluded.wait(), max(0.0, until - loop.time()))
        return await result.first_answer(run)

    async def _run(
        self,
        request: RunRequest,
        begin: Callable[[Run], None],
        stdin_fd: int | None = None,
        streams: Streams | None = None,
        notices: tuple[Insight, ...] = (),
    ) -> TaskResult:
        from .runs import progress, result  # noqa: PLC0415

        run = await self._start(request, begin, stdin_fd, streams, notices)
        await run.history_known.wait()
        await progress.within(run.concluded.wait(), request.yield_after)
        return await result.first_answer(run)

    async def run_script(
        self,
        request: ScriptRequest,
        *,
        stdin_fd: int | None = None,
        streams: Streams | None = None,
    ) -> TaskResult:
        """Run the text of an open document, traced if asked for; answers as `run` does (DOC-3).

        `stdin_fd`, of this process, becomes the script's standard input where the
        request asks for no other. With `streams`, of this process too, what it reads and writes
        passes through them.
        """
        from .runs import launch  # noqa: PLC0415

        self._check_trusted()
        launch.check_place(request.uri)
        self._parts.blocks.refuse_script(request.uri)
        document = self._scripts.readings.document(request.uri)
        if request.cwd is None:
            place = launch.folder_of(None, request.uri, self._folder, self.settings.run_cwd)
            request = attrs.evolve(request, cwd=place)
        begin = partial(self._scripts.begin_script, document)
        installed = await self._shells.paths()
        runnable = await self._parts.runnable(request, document, installed)
        return await self._run(runnable, begin, stdin_fd, streams)

    async def script_needs(self, uri: str, span: Span | None = None) -> ScriptNeeds:
        """What a person is asked before an open script, or a range of it, runs: arguments, another shell.

        Starts nothing. Raises InvalidRequest for a document that is not open.
        """
        return await self._parts.needs(uri, span, await self._shells.paths(), self.settings.shell)

    async def typed_arguments(self, uri: str, typed: str) -> tuple[str, ...]:
        """The words of what a person typed as the arguments of an open script, patterns found where it runs.

        Starts nothing. Raises InvalidRequest where a pattern finds too much.
        """
        from .runs import launch  # noqa: PLC0415

        folder = launch.folder_of(None, uri, self._folder, self.settings.run_cwd)
        return await self._parts.typed_arguments(typed, folder)

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll, after at most `listen` seconds (POLL-1)."""
        from .runs import (  # noqa: PLC0415
            matching,
            progress,
            result,
        )

        pattern = matching.checked_wait(request)
        run = self._runs.get(request.task_id)
        if pattern is not None:
            matched = await matching.awaited_match(run, request, pattern)
            answer = await result.poll_answer(run, request.caller, full_output=request.full_output)
            return attrs.evolve(answer, matched=matched)
        if not run.concluded.is_set():
            await progress.within(progress.awaited(run, request), request.listen)
        return await result.poll_answer(run, request.caller, full_output=request.full_output)

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left (RUN-10)."""
        from .runs import result  # noqa: PLC0415

        run = self._runs.get(task_id)
        judgement = await asyncio.shield(self._spawn(self._runs.kill(run)))
        return await result.kill_answer(run, judgement, caller)

    async def raw_output(self, task_id: str, start: int) -> RawOutput:
        """What a task of this process wrote from byte `start` on, once there is some or it has ended."""
        task = self._runs.get(task_id).task
        await task.wait_bytes(start)
        return task.output.raw(start)

    def last_written(self, task_id: str) -> bytes:
        """The last bytes that a task of this process has written, at most LAST_WRITTEN_BYTES."""
        output = self._runs.get(task_id).task.output
        return output.raw(max(0, output.size_bytes - LAST_WRITTEN_BYTES)).data

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        self._runs.get(task_id).task.interrupt()

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task."""
        self._check_trusted()
        return await self._runs.get(request.task_id).send(request)

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        return self._runs.get(task_id).resize(cols, rows)

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks, with the kept ended ones if asked."""
        from zsh_ls.model.reports import TaskList  # noqa: PLC0415

        runs = [run for run in self._all_runs() if include_ended or not run.task.ended]
        if not runs:
            return TaskList((), 0)
        from .runs import result  # noqa: PLC0415  who runs nothing loads nothing of runs

        return TaskList(tuple(result.summary(run) for run in runs), len(runs))

    def has_task(self, task_id: str) -> bool:
        """Whether the task is one of this process, running or kept."""
        return self._runs.has(task_id)

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range, of this process's tasks or of another one's."""
        from zsh_ls.sidecar.runs.output import stored_output  # noqa: PLC0415

        own = {run.task.task_id: run for run in self._all_runs()}
        return await stored_output(request, own, self.options)

    async def command_stats(self, command: str, project: str | None = THIS_PROJECT) -> CommandStats:
        """What ALAN knows of one command, in the project of a folder or, with None, everywhere."""
        return await self._alan.command_stats(command, self._scope_of(project))

    async def memory_stats(self, project: str | None = THIS_PROJECT) -> MemoryStats:
        """What ALAN knows in all, of the project of a folder or, with None, of everywhere."""
        return await self._alan.memory_stats(self._scope_of(project))

    async def history(
        self, query: str = "", project: str | None = THIS_PROJECT, limit: int = HISTORY_LIMIT
    ) -> HistoryPage:
        """The newest lines that hold all words of `query`, in any order and case (PROMPT-2)."""
        from zsh_ls.model.reports import HistoryPage  # noqa: PLC0415

        if limit < 0:
            raise InvalidRequest(f"limit: expected 0 or more, got {limit}")
        lines = await self._alan.history(query.split(), self._scope_of(project), limit=limit)
        return HistoryPage(tuple(line.entry for line in lines))

    async def circuit(
        self,
        action: str = "status",
        command: str | None = None,
        project: str | None = THIS_PROJECT,
    ) -> CircuitList:
        """The circuits of a project that are not closed; `reset` closes one, or all (RUN-14)."""
        from zsh_ls.model.reports import CircuitList  # noqa: PLC0415

        scope = self._scope_of(project)
        if action == "reset":
            return await self._alan.reset(command, scope)
        found = await self._alan.circuits(scope)
        shown = shown_command(command, self.settings.redact) if command is not None else None
        return CircuitList(tuple(it for it in found.open if shown in (None, it.command)))

    @property
    def _folder(self) -> str | None:
        """Where a run begins that names no folder and no document."""
        return self.options.folder or self.options.workspace

    def _scope_of(self, project: str | None) -> str | None:
        """The folder by which memory counts what runs in `project`; None for everywhere."""
        from .runs import launch  # noqa: PLC0415

        folder = launch.path_of(project) if project else project
        if folder == THIS_PROJECT:
            folder = self.options.workspace
        return None if folder is None else scope_of(folder, self.options.workspace)

    async def sessions(self, action: str = "list", session: str | None = None) -> SessionList:
        """The named sessions; `show` one and what it holds, or `reset` one, or all (SESS-4)."""
        return self._sessions.listed(action, session, self.settings.redact)

    async def record_terminal_run(self, request: TerminalRunRequest) -> TerminalRecord:
        """Remember a run of an editor's terminal (PROMPT-3); raises InvalidRequest."""
        from zsh_ls.model.reports import TerminalRecord  # noqa: PLC0415

        from . import terminals  # noqa: PLC0415

        terminals.check(request)
        if not self.settings.trusted:
            return TerminalRecord(recorded=False, reason="untrusted")
        database = self.settings.database_path(self.options.places)
        async with self._terminal_runs:  # in the order in which they ended
            reason = await asyncio.to_thread(terminals.why_not, request, database)
            if reason is None:
                run = await asyncio.to_thread(
                    terminals.run_of_terminal, request, self.options.workspace
                )
                self._alan.remember(run)
        return TerminalRecord(recorded=reason is None, reason=reason)

    async def health(self) -> Health:
        """Whether everything works."""
        from zsh_ls.model.reports import Health, TeamHealth  # noqa: PLC0415

        database = await self._alan.health()
        shells = await self._shells.versions()
        problem = self._engine.disk_problem
        well = database.status == "ok" and bool(shells) and problem is None
        team = None
        if self._sharing is not None:
            found = self._sharing.problem or await self._alan.team_problem()
            team = TeamHealth("degraded" if found else "ok", found)
        return Health(
            status="healthy" if well else "degraded",
            version=__version__,
            shells=shells,
            database=database,
            active_tasks=sum(not run.task.ended for run in self._all_runs()),
            circuit=await self._alan.circuits(),
            problem=problem,
            team=team,
        )

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        """What a command does, what is known of it, what its exits mean. Nothing is started for it."""
        return await self._asking.explain(command, self.options.clock.now(), dialect=dialect)

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback."""
        return await self.ask_knowing(query, await self.tasks())

    async def ask_knowing(self, query: str, running: TaskList) -> Answer:
        """As `ask`, where more tasks run than this process's."""
        from zsh_ls.answers.ask import understand  # noqa: PLC0415  as above

        understood = understand(query)
        output = await self._last_output() if understood.needs_output else None
        now = self.options.clock.now()
        answer = await self._asking.ask(understood, now, running, output)
        if answer.kind == "fallback":
            return await self._asking.meaning(query, now) or answer
        return answer

    async def why(self, fields: Sequence[str] = ()) -> Answer:
        """Why the last run of this terminal or project failed, or the one of a terminal's record."""
        options = self.options
        project = scope_of(options.workspace or current_folder() or "/", options.workspace)
        # Another run of the same text may be on disk already, and this one's output would be taken for it.
        if self._has_runs:
            await self._engine.keep_ended()
        return await self._asking.why(fields, options.clock.now(), options.session, project)

    async def why_failed(self, task_id: str | None = None) -> Answer:
        """Why a kept task failed; without one why the last run of this workspace did (ANS-7).

        Raises InvalidRequest for a task that is not known or still runs.
        """
        if task_id is None:
            return await self.why()
        options = self.options
        project = scope_of(options.workspace or current_folder() or "/", options.workspace)
        if self._runs.has(task_id):
            # Its end may be known before its output is on disk, from where the answer comes.
            await self._engine.keep_ended()
        return await self._asking.why_task(task_id, options.clock.now(), project)

    async def record_agent_run(self, run: AgentRun) -> AgentRunNotes:
        """Remember what an agent ran in its own shell; gives what is news of it (HOOK-1).

        Raises InvalidRequest for what is no run.
        """
        from . import agent_runs  # noqa: PLC0415

        return await agent_runs.told(
            self._alan,
            run,
            workspace=self.options.workspace,
            now=self.options.clock.now(),
            is_trusted=self.settings.trusted,
        )

    async def _last_output(self) -> OutputPage | None:
        try:
            return await self.output(OutputRequest())
        except InvalidRequest:
            # No task of this workspace has ended, or its output is gone: the answer says so.
            return None

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of tasks that outlived their yield or asked for progress."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def open_document(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document. Nothing of it is executed."""
        self._parts.open(uri, text, language_id, version)

    def edit_document(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits in order, each against the text the one before left; insights of runs move along."""
        self._parts.edit(uri, edits, version)

    def close_document(self, uri: str) -> None:
        """Stop watching a document."""
        self._parts.close(uri)

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of an open document now."""
        try:
            return await self._parts.insights(uri)
        finally:
            self._is_in_use.set()

    async def hints_for(self, uri: str) -> list[LineHint]:
        """How runs of the lines of an open document ended (DOC-2, DOC-3), and what history knows (DOC-4)."""
        return await self._parts.hints(uri, self.settings)

    async def failures(self, uri: str) -> Failures:
        """What becomes of an open script when each of its commands fails (FATE-7)."""
        return await self._parts.failures(uri)

    async def startup(
        self,
        request: StartupRequest,
        tell: StartupProgress = _tell_nobody,
        is_enough: Callable[[], bool] = lambda: False,
    ) -> StartupReport:
        """Start the person's shell, several times, and say where the time goes (START); one at a time.

        Once `is_enough`, it ends and says what it knows.
        """
        from .startup import Starts, check, kind_of  # noqa: PLC0415  few ask for it

        self._check_trusted()
        check(request)
        given = request.environment or await self._environment.variables()
        environment = dict(os.environ if given is None else given)
        kind, path = kind_of(request.shell, environment, await self._shells.paths())
        async with self._starting:
            self._check_trusted()
            starts = Starts(request, kind, path, environment, tell, is_enough=is_enough)
            report = (await starts.measured()).report
        report = await self._since(report, starts, login=request.login)
        if self._has_parts:
            self._parts.started(report, login=request.login)
            self._scripts.started(starts.hints(report))
        return report

    async def _since(self, report: StartupReport, starts: Starts, *, login: bool) -> StartupReport:
        """The report with what is slower than in earlier starts; memory keeps this one (START-6)."""
        from zsh_ls.startup.since import slower_since  # noqa: PLC0415  as above

        if report.stuck is not None:
            return report
        shell = f"{report.shell} -l" if login else report.shell
        lines = starts.remembered(report, self.settings.redact)
        past = await self._alan.starts(shell)
        slower = slower_since(lines, past, self.options.clock.now())
        await self._alan.store_start(shell, lines)
        return attrs.evolve(report, since=slower or None)

    async def rehearse(
        self,
        uri: str,
        asked: RehearsalRequest,
        tell: Callable[[str], None] = lambda _: None,
    ) -> Rehearsal:
        """What an open script would do, as it stands now, its lines marked with it; one at a time (REH).

        `asked` needs neither `script`, `text` nor `cwd`. Cancelling ends the sandbox.
        """
        from .rehearsing import line_marks, rehearse_beside, request_for  # noqa: PLC0415  as above
        from .runs import launch  # noqa: PLC0415

        self._check_trusted()
        launch.check_place(uri)
        given = await self._environment.variables()
        environment = dict(os.environ if given is None else given)
        async with self._rehearsing:
            self._check_trusted()
            text = self._scripts.readings.document(uri).text
            folder = launch.folder_of(None, uri, self._folder, self.settings.run_cwd)
            request = request_for(asked, uri, text, folder, environment)
            rehearsal = await rehearse_beside(request, tell)
        self._scripts.rehearsed(uri, text, line_marks(rehearsal, folder))
        return rehearsal

    async def lenses_for(self, uri: str) -> list[Lens]:
        """What of an open document can be run where it stands, if trusted, and what fails unnoticed."""
        return await self._parts.lenses(
            uri, await self._environment.variables(), may_run=self.settings.trusted
        )

    async def hover(self, uri: str, offset: int) -> Hover | None:
        """What the command or the flag at a place does; nothing is started to find out."""
        return await self._parts.hover(self._asking, uri, offset, self.options.clock.now())

    async def actions_for(self, uri: str, span: Span) -> list[Action]:
        """What can be done about a place or a selection of an open document."""
        return await self._parts.actions(
            uri, span, await self._environment.variables(), may_run=self.settings.trusted
        )

    async def format_edits(self, uri: str, indent: int, within: Span | None = None) -> list[Edit]:
        """The edits by which shfmt formats a document, or its lines within a range (DOC-11)."""
        from .editor.formatting import format_edits  # noqa: PLC0415  few ask for it

        return await format_edits(self._scripts.readings, uri, indent, within)

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written at a place may go on; nothing is started to find out."""
        return await self._parts.completions(uri, offset)

    async def purpose(self, command: str) -> str:
        """What a command is for, in its manual page's words; `""` where nothing tells."""
        return await self._parts.completing.purpose(command)

    def on_insights_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        return self._scripts.on_changed(listener)

    @property
    def is_trusted(self) -> bool:
        """Whether anything may be executed."""
        return self.settings.trusted

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Unsubscribe:
        """Call `listener` whenever the workspace is trusted from now on, or no longer is."""
        self._trust_listeners.append(listener)
        return lambda: self._trust_listeners.remove(listener)

    async def close(self) -> None:
        """End all tasks with their descendants and close the memory; no part of it is waited for for ever."""
        if self._closed:
            return
        self._closed = True
        self._is_in_use.set()
        if self._has_parts:
            await _at_most(0.3, "what is done in documents", self._parts.stop)
        for run in self._all_runs():
            if not run.task.ended:
                run.note_kill()
        if self._has_runs:
            await _at_most(2.5, "the tasks", self._engine.close)
        await _at_most(
            1.0,
            "what the tasks leave to do",
            lambda: asyncio.gather(*self._jobs, return_exceptions=True),
        )
        if self._has_runs:
            await _at_most(0.3, "manual pages", self._runs.close)
        if self._next_look is not None:
            self._next_look.cancel()
        if self._sharing is not None:
            closing = partial(asyncio.to_thread, self._sharing.close)
            await _at_most(4.5, "sharing with the team", closing)
        await _at_most(1.0, "memory", self._alan.close)
        if "_sessions" in self.__dict__:
            closing = partial(asyncio.to_thread, self._sessions.close)
            await _at_most(0.3, "sessions", closing)

    async def _warm_up(self) -> None:
        """Load in a thread what would be waited for on the loop.

        An editor begins with a document: what its findings need comes first, and the rest behind them,
        for two threads that load take turns.
        """
        from .warm_up import warm_up_documents, warm_up_runs  # noqa: PLC0415

        await asyncio.to_thread(warm_up_documents)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_FINDINGS_S):
                await self._is_in_use.wait()
        if not self._closed:
            await asyncio.to_thread(warm_up_runs)

    async def _prepared(self, request: RunRequest) -> _Prepared:
        """All that is decided before a run; raises what refuses it."""
        from .runs import launch  # noqa: PLC0415

        self._check_trusted()
        self._is_in_use.set()
        launch.check(request)
        if request.document:
            launch.check_place(request.document.uri)
        named = await self._parts.shell_named_by(request.document) if request.document else None
        shell, notices = launch.shell_of(
            request.shell or self._sessions.shell_of(request.session),
            named,
            self.settings.shell,
            await self._shells.paths(),
        )
        if request.stands_in_for is not None:
            notices = (*notices, launch.stand_in_notice(request.stands_in_for, shell.kind))
        uri = request.document.uri if request.document else None
        cwd = launch.folder_of(request.cwd, uri, self._folder, self.settings.run_cwd)
        begun = None
        if self._is_of_block(request):
            request = self._sessions.of_block(request, shell)
        if (session := self._sessions.name_of(request, shell)) is not None:
            await self._runs.until_kept(session)
            begun = self._sessions.begin(session, shell, request, cwd if request.cwd else None)
            if request.cwd is None:
                cwd, gone = self._sessions.folder_of(begun, cwd)
                notices = (*notices, *gone)
        variables = await self._environment.variables()
        return _Prepared(shell, cwd, begun, variables, notices)

    def _is_of_block(self, request: RunRequest) -> bool:
        """Whether a run is of shell inside another file."""
        where = request.document
        return where is not None and self._has_parts and self._parts.blocks.has(where.uri)

    async def to_detach(self, request: RunRequest) -> ToDetach:
        """What a keeper is to run, as `run` would run it here (RUN-20); raises what refuses it."""
        from .detached.order import ToDetach  # noqa: PLC0415

        if request.document is not None and request.missing != "run":
            request, _, _ = await self._with_what_is_missing(request)
        prepared = await self._prepared(request)
        named = request.shell is None and request.document is not None
        alone = attrs.evolve(
            request,
            document=None,
            missing=None,
            cwd=prepared.cwd,
            shell=prepared.shell.path if named else request.shell,
        )
        return ToDetach(alone, prepared.variables)

    async def _start(
        self,
        request: RunRequest,
        begin: Callable[[Run], None],
        stdin_fd: int | None = None,
        streams: Streams | None = None,
        notices: tuple[Insight, ...] = (),
    ) -> Run:
        from .runs import launch  # noqa: PLC0415

        if request.detached and not self.options.keeps_detached:
            raise RequestRejected("detached: this process has nobody who keeps detached runs")
        prepared = await self._prepared(request)
        run = await self._runs.start(
            request,
            shell=prepared.shell,
            cwd=prepared.cwd,
            workspace=self.options.workspace,
            limit=launch.timeout_of(
                request.timeout, request.origin, self.settings, detached=request.detached
            ),
            notices=(*prepared.notices, *self._environment.notices(), *notices),
            base_env=prepared.variables,
            settings=self.settings,
            stdin_fd=stdin_fd,
            streams=streams,
            begun=prepared.begun,
            name=None if self._is_of_block(request) else launch.name_of(request),
        )
        run.colour, run.only_news = self.options.colour, self.options.only_news
        with run.attempting("What is said on its lines"):
            begin(run)
        self._follow_if_long(run)
        self._spawn(self._conclude(run)).add_done_callback(partial(self._see_concluded, run))
        return run

    def _follow_if_long(self, run: Run) -> None:
        """Send progress of a task that outlives its `yield_after`, or whose request asked for it."""

        def follow() -> None:
            if not run.concluded.is_set():
                self._spawn(self._follow(run)).add_done_callback(partial(self._see_followed, run))

        if run.request.progress:
            follow()
        else:
            loop = asyncio.get_running_loop()
            run.progress_timer = loop.call_later(run.request.yield_after, follow)

    async def _conclude(self, run: Run) -> None:
        """See a run to its end; whatever fails on the way, who waits for it is answered."""
        with run.attempting("What memory knows of it"):
            await self._runs.recall(run)
        with run.attempting("What its end means"):
            await self._runs.conclude(run)
        await self._runs.record_plainly(run)
        with run.attempting("What is said on its lines"):
            if self._has_parts:
                await self._parts.settle(run)
        run.settle()
        if run.progress_timer is not None:
            run.progress_timer.cancel()
            run.progress_timer = None
        if self._has_parts:
            self._changed({identify(run.request.command).template})

    def _see_concluded(self, run: Run, concluding: asyncio.Task[None]) -> None:
        """Conclude a run without what it means, where seeing it to its end has failed."""
        if concluding.cancelled():
            run.release()
        elif concluding.exception() is not None and not run.concluded.is_set():
            if run.completed is None:
                run.note_missing("What its end means", "internal error")
            self._spawn(self._runs.record_plainly(run)).add_done_callback(lambda _: run.release())

    def _changed(self, templates: Collection[str]) -> None:
        """Of these templates something is new: open documents with such lines are to say so."""
        if self._has_parts and not self._closed:
            self._scripts.learnt(templates)
            self._parts.blocks.scripts.learnt(templates)

    async def _follow(self, run: Run) -> None:
        from zsh_ls.sidecar.runs.progress import notify_all  # noqa: PLC0415

        from .runs import progress  # noqa: PLC0415

        async for news in progress.stream(run):
            notify_all(self._listeners, news)

    def _see_followed(self, run: Run, following: asyncio.Task[None]) -> None:
        """Tell the end of a run whose progress could not be followed to it."""
        if not following.cancelled() and following.exception() is not None:
            self._spawn(self._tell_end(run))

    async def _tell_end(self, run: Run) -> None:
        from zsh_ls.sidecar.runs.progress import notify_all  # noqa: PLC0415

        from .runs import result  # noqa: PLC0415

        await run.concluded.wait()
        notify_all(self._listeners, result.last_progress(run))

    def forget_caller(self, caller: Caller) -> None:
        """Drop what is kept for a caller that will not come back; its tasks go on."""
        for run in self._all_runs():
            run.forget(caller)

    def _check_trusted(self) -> None:
        if not self.settings.trusted:
            raise RequestRejected(NOT_TRUSTED)

    def _spawn(self, work: Coroutine[Any, Any, Made]) -> asyncio.Task[Made]:
        """A job that outlives the request that began it."""
        job = asyncio.get_running_loop().create_task(work)
        self._jobs.add(job)

        def done(job: asyncio.Task[Any]) -> None:
            self._jobs.discard(job)
            if not job.cancelled() and (fault := job.exception()) is not None:
                log.info("in the background: %s", type(fault).__name__, exc_info=fault)

        job.add_done_callback(done)
        return job


async def _at_most(limit_s: float, name: str, close: Callable[[], Awaitable[object]]) -> None:
    """Close a part; one that fails or hangs is left as it is, for the others are to be closed as well."""

    async def closed() -> None:
        await close()

    part = asyncio.ensure_future(closed())
    await asyncio.wait((part,), timeout=limit_s)
    if not part.done():
        log.error("closing %s takes too long and is given up", name)
        part.cancel()
    elif not part.cancelled() and (fault := part.exception()) is not None:
        log.error("closing %s failed", name, exc_info=fault)


def _begin_nowhere(run: Run) -> None:
    """A run of no document begins: nothing was said of it anywhere."""
