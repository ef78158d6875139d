"""The façade in this process: each method is one use of the packages below it."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from zsh_ls import __version__
from zsh_ls.alan import Alan
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
)
from zsh_ls.model.results import (
    CircuitList,
    CommandStats,
    Health,
    KillResult,
    MemoryStats,
    OutputPage,
    Progress,
    Resized,
    Sent,
    SessionList,
    TaskList,
    TaskResult,
)
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Status
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.runs.output import stored_output
from zsh_ls.sidecar.runs.progress import notify_all
from zsh_ls.sidecar.runs.run import Run
from zsh_ls.sidecar.runs.runs import Runs
from zsh_ls.sidecar.runs.session_run import Begun
from zsh_ls.system import programs
from zsh_ls.system.projects import scope_of
from zsh_ls.tasks import Engine, RawOutput
from zsh_ls.tasks.process.streams import Streams

from .config import NOT_TRUSTED, THIS_PROJECT, Settings, SidecarOptions
from .environment import CachedEnvironment, Shells
from .runs import launch, progress, result
from .sessions import Sessions

if TYPE_CHECKING:
    from zsh_ls.answers.failures import Failures
    from zsh_ls.model.answer import Answer
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
    )

    from .asking import Asking
    from .interface import Unsubscribe

LONGEST_LISTEN_S = 300.0
LAST_WRITTEN_BYTES = 1_000

Made = TypeVar("Made")
log = logging.getLogger(__name__)


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

    def __init__(self, options: SidecarOptions, engine: Engine, alan: Alan) -> None:
        self.options = options
        self.settings = options.settings
        self._engine = engine
        self._alan = alan
        self._sessions = Sessions(options)
        self._runs = Runs(engine, alan, options.session, self._sessions)
        self._shells = Shells()
        self._environment = CachedEnvironment()
        self._listeners: list[Callable[[Progress], None]] = []
        self._trust_listeners: list[Callable[[bool], None]] = []
        self._jobs: set[asyncio.Task[Any]] = set()
        self._closed = False

    @cached_property
    def _parts(self) -> EditorParts:
        from .editor.parts import EditorParts  # noqa: PLC0415  a mere run needs none of it

        parts = EditorParts.of(self._alan, self.options, self._environment)
        parts.configure(self.settings)
        return parts

    @property
    def _has_parts(self) -> bool:
        return "_parts" in self.__dict__

    @property
    def _scripts(self) -> Scripts:
        return self._parts.scripts

    @property
    def _asking(self) -> Asking:
        return self._parts.asking

    @property
    def navigation(self) -> Navigation:
        """Names and where they stand, in open documents."""
        return self._parts.navigation

    @classmethod
    async def open(cls, options: SidecarOptions) -> Sidecar:
        """A sidecar ready to run; a memory that cannot be opened is reported by `health`, never raised."""
        settings = options.settings
        alan = await Alan.open(
            Path(settings.database) if settings.database else options.places.database,
            clock=options.clock,
            session=options.session,
            half_life_h=settings.half_life_h,
            extra_redactions=settings.redact,
        )
        engine = Engine(clock=options.clock, spool_root=options.places.outputs)
        sidecar = cls(options, engine, alan)
        sidecar.configure(settings)
        if options.warms_up:
            sidecar._spawn(asyncio.to_thread(_warm_up))
        return sidecar

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
        begin = self._scripts.begin if request.document else _begin_nowhere
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
        from .missing import (  # noqa: PLC0415  only for documents
            MissingNames,
            Surroundings,
            missing_of,
            offered_text,
            warnings,
        )

        where = request.document
        prepared = await self._prepared(request)
        view = None if where is None else await self._parts.navigation.view(where.uri)
        if view is None or where is None:
            return request, None, ()
        begun = prepared.begun
        there = Surroundings(
            state=None if begun is None else begun.state,
            environment=os.environ if prepared.variables is None else prepared.variables,
            own_names=frozenset(name for name, it in request.env.items() if it is not None),
            folder=prepared.cwd,
            start=launch.folder_of(request.cwd, where.uri, self._folder),
        )
        found = missing_of(view.names, where.span, there)
        if not found.missing:
            return request, None, ()
        if request.missing == "ask" or (request.missing == "first" and found.without_offer):
            raise MissingNames(found.missing, found.offer)
        if request.missing is None:
            return request, None, warnings(found.missing)
        if begun is None:  # no session keeps what they give
            line = offered_text(view.names, found.offer, request.command)
            return attrs.evolve(request, command=line), None, ()
        return request, offered_text(view.names, found.offer), ()

    async def _run_first(
        self, request: RunRequest, offer: str, begin: Callable[[Run], None]
    ) -> TaskResult:
        """Run the commands a line needs, as one run, and the line after them; what is there by `yield_after`.

        Where one of them fails the line does not run, and theirs is the result.
        """
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
        self._check_trusted()
        launch.check_place(request.uri)
        document = self._scripts.readings.document(request.uri)
        begin = partial(self._scripts.begin_script, document)
        runnable = await self._parts.runnable(request, document)
        return await self._run(runnable, begin, stdin_fd, streams)

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll, after at most `listen` seconds (POLL-1)."""
        if not 0 <= request.listen <= LONGEST_LISTEN_S:
            raise InvalidRequest(
                f"listen: expected 0 to {LONGEST_LISTEN_S:g} seconds, got {request.listen:g}"
            )
        run = self._runs.get(request.task_id)
        if not run.concluded.is_set():
            await progress.within(progress.awaited(run, request), request.listen)
        return await result.poll_answer(run, request.caller, full_output=request.full_output)

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left (RUN-10)."""
        run = self._runs.get(task_id)
        judgement = await asyncio.shield(self._spawn(self._runs.kill(run)))
        return result.kill_answer(run, judgement, caller)

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
        runs = [run for run in self._runs.all() if include_ended or not run.task.ended]
        return TaskList(tuple(result.summary(run) for run in runs), len(runs))

    def has_task(self, task_id: str) -> bool:
        """Whether the task is one of this process, running or kept."""
        return self._runs.has(task_id)

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range, of this process's tasks or of another one's."""
        own = {run.task.task_id: run for run in self._runs.all()}
        return await stored_output(request, own, self.options)

    async def command_stats(self, command: str, project: str | None = THIS_PROJECT) -> CommandStats:
        """What ALAN knows of one command, in the project of a folder or, with None, everywhere."""
        return await self._alan.command_stats(command, self._scope_of(project))

    async def memory_stats(self, project: str | None = THIS_PROJECT) -> MemoryStats:
        """What ALAN knows in all, of the project of a folder or, with None, of everywhere."""
        return await self._alan.memory_stats(self._scope_of(project))

    async def circuit(
        self,
        action: str = "status",
        command: str | None = None,
        project: str | None = THIS_PROJECT,
    ) -> CircuitList:
        """The circuits of a project that are not closed; `reset` closes one, or all (RUN-14)."""
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
        folder = launch.path_of(project) if project else project
        if folder == THIS_PROJECT:
            folder = self.options.workspace
        return None if folder is None else scope_of(folder, self.options.workspace)

    async def sessions(self, action: str = "list", session: str | None = None) -> SessionList:
        """The named sessions; `show` one and what it holds, or `reset` one, or all (SESS-4)."""
        return self._sessions.listed(action, session, self.settings.redact)

    async def health(self) -> Health:
        """Whether everything works."""
        database = await self._alan.health()
        shells = await self._shells.versions()
        problem = self._engine.disk_problem
        well = database.status == "ok" and bool(shells) and problem is None
        return Health(
            status="healthy" if well else "degraded",
            version=__version__,
            shells=shells,
            database=database,
            active_tasks=sum(not run.task.ended for run in self._runs.all()),
            circuit=await self._alan.circuits(),
            problem=problem,
        )

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        """What a command does, what is known of it, what its exits mean. Nothing is started for it."""
        return await self._asking.explain(command, self.options.clock.now(), dialect=dialect)

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback."""
        understood = self._parts.understood(query)
        output = await self._last_output() if understood.needs_output else None
        running = await self.tasks()
        return await self._asking.ask(understood, self.options.clock.now(), running, output)

    async def why(self, fields: Sequence[str] = ()) -> Answer:
        """Why the last run of this terminal or project failed, or the one of a terminal's record."""
        options = self.options
        project = scope_of(options.workspace or str(Path.cwd()), options.workspace)
        return await self._asking.why(fields, options.clock.now(), options.session, project)

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
        self._scripts.open(uri, text, language_id, version)

    def edit_document(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits in order, each against the text the one before left; insights of runs move along."""
        self._scripts.edit(uri, edits, version)

    def close_document(self, uri: str) -> None:
        """Stop watching a document."""
        self._scripts.close(uri)

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of an open document now."""
        return await self._scripts.insights(uri)

    async def hints_for(self, uri: str) -> list[LineHint]:
        """What history knows of the lines of an open document, in numbers (DOC-4)."""
        history = await self._scripts.hints(uri) if self.settings.history_hints else []
        return [*history, *(self._scripts.traced_hints(uri) if self.settings.trace_hints else ())]

    async def failures(self, uri: str) -> Failures:
        """What becomes of an open script when each of its commands fails (FATE-7)."""
        return await self._scripts.fates.of(uri)

    async def lenses_for(self, uri: str) -> list[Lens]:
        """What of an open document can be run where it stands, if trusted, and what fails unnoticed."""
        return await self._parts.lenses(uri, may_run=self.settings.trusted)

    async def hover(self, uri: str, offset: int) -> Hover | None:
        """What the command or the flag at a place does; nothing is started to find out."""
        return await self._parts.hover(uri, offset, self.options.clock.now())

    async def actions_for(self, uri: str, span: Span) -> list[Action]:
        """What can be done about a place or a selection of an open document."""
        return await self._parts.actions(uri, span, may_run=self.settings.trusted)

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written at a place may go on; nothing is started to find out."""
        return await self._parts.completing.at(uri, offset)

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
        if self._has_parts:
            await _at_most(0.3, "what is done in documents", self._scripts.stop)
        for run in self._runs.all():
            if not run.task.ended:
                run.note_kill()
        await _at_most(2.5, "the tasks", self._engine.close)
        await _at_most(
            1.0,
            "what the tasks leave to do",
            lambda: asyncio.gather(*self._jobs, return_exceptions=True),
        )
        await _at_most(0.3, "manual pages", self._runs.close)
        await _at_most(1.0, "memory", self._alan.close)
        self._sessions.close()

    async def _prepared(self, request: RunRequest) -> _Prepared:
        """All that is decided before a run; raises what refuses it."""
        self._check_trusted()
        launch.check(request)
        if request.document:
            launch.check_place(request.document.uri)
        named = self._scripts.shell_named_by(request.document) if request.document else None
        shell, notices = launch.shell_of(
            request.shell or self._sessions.shell_of(request.session),
            named,
            self.settings.shell,
            await self._shells.paths(),
        )
        uri = request.document.uri if request.document else None
        cwd, begun = launch.folder_of(request.cwd, uri, self._folder), None
        if (session := self._sessions.name_of(request, shell)) is not None:
            begun = self._sessions.begin(session, shell, request, cwd if request.cwd else None)
            if request.cwd is None:
                cwd, gone = self._sessions.folder_of(begun, cwd)
                notices = (*notices, *gone)
        variables = await self._environment.variables()
        return _Prepared(shell, cwd, begun, variables, notices)

    async def _start(
        self,
        request: RunRequest,
        begin: Callable[[Run], None],
        stdin_fd: int | None = None,
        streams: Streams | None = None,
        notices: tuple[Insight, ...] = (),
    ) -> Run:
        prepared = await self._prepared(request)
        run = await self._runs.start(
            request,
            shell=prepared.shell,
            cwd=prepared.cwd,
            workspace=self.options.workspace,
            limit=launch.timeout_of(request.timeout, request.origin, self.settings),
            notices=(*prepared.notices, *self._environment.notices(), *notices),
            base_env=prepared.variables,
            settings=self.settings,
            stdin_fd=stdin_fd,
            streams=streams,
            begun=prepared.begun,
        )
        run.colour, run.only_news = self.options.colour, self.options.only_news
        with run.attempting("What is said on its lines"):
            begin(run)
        self._follow_if_long(run)
        self._spawn(self._conclude(run))
        return run

    def _follow_if_long(self, run: Run) -> None:
        """Send progress of a task that outlives its `yield_after`, or whose request asked for it."""
        if run.request.progress:
            self._spawn(self._follow(run))
        else:

            def follow() -> None:
                if not run.concluded.is_set():
                    self._spawn(self._follow(run))

            loop = asyncio.get_running_loop()
            run.progress_timer = loop.call_later(run.request.yield_after, follow)

    async def _conclude(self, run: Run) -> None:
        """See a run to its end; whatever fails on the way, who waits for it is answered."""
        try:
            await self._runs.recall(run)
            await self._runs.conclude(run)
            with run.attempting("What is said on its lines"):
                if self._has_parts:
                    await self._scripts.settle(run)
        finally:
            run.settle()
            if run.progress_timer is not None:
                run.progress_timer.cancel()
        if self._has_parts:
            self._scripts.remembered(run.request.command)

    async def _follow(self, run: Run) -> None:
        async for news in progress.stream(run):
            notify_all(self._listeners, news)

    def forget_caller(self, caller: Caller) -> None:
        """Drop what is kept for a caller that will not come back; its tasks go on."""
        for run in self._runs.all():
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


def _warm_up() -> None:
    from .warm_up import warm_up  # noqa: PLC0415  what it is for is not to load that here

    warm_up()
