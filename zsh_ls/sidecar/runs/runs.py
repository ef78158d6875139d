"""The runs of this sidecar, from their start until their end is remembered and its insights are known.

A command that timed out three times in an hour has to wait first (NEVERHANG,
RUN-14). One that fails again in this session shows all of its output.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Mapping, Set
from functools import cached_property, partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from zsh_ls.alan import Alan
from zsh_ls.insights import after_run, before_run, still_news
from zsh_ls.insights.news import after_an_edit, asks_for_another_approach
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.results import KillInsight
from zsh_ls.model.words import Level, Outcome, Status
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.sessions import Sessions
from zsh_ls.system.projects import project_of, top_of
from zsh_ls.tasks import Engine, StartRequest
from zsh_ls.tasks.process.streams import Streams

from .launch import Shell, Timeout
from .off_the_loop import off_the_loop
from .run import Run, completed_run, plainly_completed

if TYPE_CHECKING:
    from zsh_ls.model.reports import Circuit
    from zsh_ls.sidecar.manpages import Manual

    from .session_run import Begun

MOST_COMMANDS = 1_000
TRIAL = Insight(
    Level.WARNING,
    "NEVERHANG: Circuit HALF-OPEN: this command timed out before, this run is a trial. "
    "Success closes the circuit, a timeout opens it again.",
    "circuit-half-open",
)
# What another process shows of a command.
LONGEST_LABEL = 4_096
# Memory answers in milliseconds; no run waits for one that does not, the next ones least of all.
MEMORY_PATIENCE_S = 3.0
SILENT_MEMORY_PATIENCE_S = 0.1
STATE_PATIENCE_S = 5.0
SILENT_MEMORY_S = 30.0
# What is written so soon after a run, or before it, was written by it: the time that a file gets is up
# to a tick of the kernel's clock early.
AT_ONCE_S = 0.05
log = logging.getLogger(__name__)


class FailureCounts:
    """Counts for the commands that failed last; texts may be long, so that only digests are kept."""

    def __init__(self) -> None:
        self._counts: dict[bytes, int] = {}

    def of(self, command: str, folder: str) -> int:
        """How often `command` failed in `folder`."""
        return self._counts.get(_key(command, folder), 0)

    def another(self, command: str, folder: str) -> None:
        """It failed once more."""
        key = _key(command, folder)
        self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > MOST_COMMANDS:
            del self._counts[next(iter(self._counts))]


SEARCHED_FROM_BYTES = 4 << 20
"""A longer output than one message carries is searched while it is written."""


def _key(command: str, folder: str) -> bytes:
    text = f"{folder}\0{command}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=16).digest()


async def gate(
    alan: Alan, command: str, scope: str, circuit: Circuit | None
) -> tuple[Insight, ...]:
    """The insights to show before `command` runs; raises RequestRejected while its `circuit` is open.

    Of several runs that ask a half-open circuit at once, in whatever server,
    one is the trial; the others are refused.
    """
    if circuit is None:
        return ()
    if circuit.state != "open" and await alan.trial(command, scope):
        return (TRIAL,)
    reset = "Reset it with zsh/circuit (action reset) or `zsh-ls circuit reset`."
    if circuit.state == "half-open":
        raise RequestRejected(
            f"NEVERHANG: Circuit OPEN until the trial that is running has ended. {reset}"
        )
    raise RequestRejected(
        f"NEVERHANG: Circuit OPEN for this command after {circuit.timeouts} timeouts within an hour. "
        f"It may be tried again in {circuit.retry_in_s:.0f}s. {reset}"
    )


class Runs:
    """Starts tasks, waits for their ends, remembers them and finds out what they meant."""

    def __init__(
        self,
        engine: Engine,
        alan: Alan,
        session: str,
        sessions: Sessions,
        own_folders: Set[str] = frozenset(),
        *,
        reads_ahead: bool = True,
    ) -> None:
        """`own_folders` are those this program writes to itself: a change there is nobody's edit.

        `reads_ahead`: a later run of this process may want what is read in the background.
        """
        self._own_folders = own_folders
        self._reads_ahead = reads_ahead
        self._engine = engine
        self._alan = alan
        self._session = session
        self._sessions = sessions
        self._runs: dict[str, Run] = {}
        self._latest: dict[tuple[str, str], Run] = {}
        engine.on_forgotten = self._forget
        self._failures = FailureCounts()
        self._silent_until = 0.0

    @cached_property
    def _manual(self) -> Manual:
        from zsh_ls.sidecar.manpages import Manual  # noqa: PLC0415  only failures need it

        return Manual(self._alan)

    async def start(
        self,
        request: RunRequest,
        *,
        shell: Shell,
        cwd: str,
        workspace: str | None,
        limit: Timeout,
        notices: tuple[Insight, ...],
        base_env: Mapping[str, str] | None,
        settings: Settings,
        stdin_fd: int | None = None,
        streams: Streams | None = None,
        begun: Begun | None = None,
        name: str | None = None,
    ) -> Run:
        """A task that runs; raises RequestRejected where its circuit is open (RUN-14).

        `recall` and `conclude` have to follow.
        """
        project = project_of(cwd, workspace)
        trial = await self._let_through(request.command, cwd if project is None else project)
        task = await self._engine.start(
            StartRequest(
                command=request.command,
                args=request.args,
                name=name,
                shell=shell.kind,
                shell_path=shell.path,
                cwd=cwd,
                env=request.env,
                base_env=base_env,
                timeout_s=limit.seconds,
                pty=request.pty,
                cols=request.cols,
                rows=request.rows,
                interactive=request.interactive,
                stdin=request.stdin,
                origin=request.origin,
                label=lambda: shown_command(request.command, settings.redact)[:LONGEST_LABEL],
                workspace=workspace or "",
                script=request.script,
                stdin_fd=stdin_fd,
                streams=streams,
                session=None if begun is None else begun.restore,
            )
        )
        run = Run(
            task,
            request,
            settings,
            workspace,
            notices=(*limit.notices, *notices, *trial),
            failures_before=self._failures.of(request.command, cwd),
            failed_tests_before=self._failed_tests_before(request.command, cwd),
            project=project,
            begun=begun,
        )
        if task.trace is not None:
            with run.attempting("What its lines did"):
                from .tracing import TraceOfRun  # noqa: PLC0415  few runs are traced

                run.trace = TraceOfRun.of(task)
        if task.not_traced is not None:
            run.request = attrs.evolve(request, not_traced=task.not_traced)
        self._runs[task.task_id] = self._latest[request.command, cwd] = run
        return run

    async def _let_through(self, command: str, scope: str) -> tuple[Insight, ...]:
        """The insights to show before it runs; raises RequestRejected if its circuit is open."""
        try:
            if self._alan.is_known_closed(command, scope):
                return ()
            async with self._memory_in_time():
                circuit = await self._alan.circuit_state(command, scope)
                return await gate(self._alan, command, scope, circuit)
        except RequestRejected:
            raise
        except Exception as fault:  # a run never fails because of memory
            log.error("whether the circuit is open is not known", exc_info=fault)
            return ()

    @contextlib.asynccontextmanager
    async def _memory_in_time(self) -> AsyncIterator[None]:
        """Around a question to memory: raises TimeoutError where it is not answered."""
        loop = asyncio.get_running_loop()
        is_silent = loop.time() < self._silent_until
        try:
            async with asyncio.timeout(
                SILENT_MEMORY_PATIENCE_S if is_silent else MEMORY_PATIENCE_S
            ):
                yield
        except TimeoutError:
            if not is_silent:
                self._silent_until = loop.time() + SILENT_MEMORY_S
            raise

    async def recall(self, run: Run) -> None:
        """Find out what memory knew of the command, while it runs; its own end comes later."""
        command, settings = run.request.command, run.settings
        try:
            await self._recall_history(run, command, settings)
        finally:
            run.history_known.set()
        if run.task.request.streams is None and not run.task.ended:
            with run.attempting("What kind of command it is"):
                from zsh_ls.verbosity.operation import (  # noqa: PLC0415  what passes through needs none
                    read_command,
                )

                # Its end will ask for this: now, while the command works, nobody waits for it.
                read_command(run.request.command)

    async def _recall_history(self, run: Run, command: str, settings: Settings) -> None:
        with run.attempting("What memory knows of it"):
            async with self._memory_in_time():
                run.history = await self._alan.past(command, run.scope)
                options: tuple[Insight, ...] = ()
                if run.history.failures_in_row:
                    options = await self._manual.options_for(command, run.history, settings)
            run.estimate = run.history.estimate
            run.before = (*before_run(run.history, rerun=run.request.rerun), *options)
            if asks_for_another_approach(run.before) and await self._was_edited(run):
                run.before = tuple(after_an_edit(run.before))

    async def record_plainly(self, run: Run) -> None:
        """Record how the run ended, if concluding it has not: without its output and meaning at the worst."""
        await run.task.wait_end()
        if not run.is_recorded and run.task.status is not Status.ERROR:
            with run.attempting("The record of this run"):
                if run.completed is None:
                    run.completed = plainly_completed(run, self._session)
                self._record(run, run.completed)

    def _record(self, run: Run, completed: CompletedRun) -> None:
        self._alan.remember(completed)
        run.is_recorded = True

    async def _was_edited(self, run: Run) -> bool:
        """Whether files of its repository were changed between its last failure and this run."""
        since = run.history.last_retry_at + AT_ONCE_S
        until = run.task.started_at - AT_ONCE_S
        cwd, own_folders = run.task.request.cwd, self._own_folders

        def looked_at() -> bool:
            from zsh_ls.machine.changes import was_changed  # noqa: PLC0415  few runs are retries

            top = top_of(os.path.realpath(cwd))
            return top is not None and was_changed(top, since, until, own_folders)

        return await asyncio.to_thread(looked_at)

    async def until_kept(self, session: str) -> None:
        """Wait until the runs of a session that have ended have left it their state (SESS-1).

        The task of a run is told to have ended before its output has been read through.
        """
        for run in self.all():
            if run.begun is not None and run.begun.session == session and run.task.ended:
                with contextlib.suppress(TimeoutError):  # whatever holds it up, the next one runs
                    async with asyncio.timeout(STATE_PATIENCE_S):
                        await run.concluded.wait()

    def get(self, task_id: str) -> Run:
        """The task of that id; raises InvalidRequest where nobody knows it."""
        if not self.has(task_id):
            raise InvalidRequest(f"Unknown task: {task_id}")
        return self._runs[task_id]

    def has(self, task_id: str) -> bool:
        """Whether the task runs or is kept."""
        return task_id in self._runs and self._engine.get(task_id) is not None

    def all(self) -> list[Run]:
        """The tasks that run and the ended ones that are kept, oldest first."""
        return list(self._runs.values())

    async def conclude(self, run: Run) -> None:
        """Wait for the end, remember it, find out what it meant; where no shell started, nothing ran.

        A step that fails is said among the insights, and the others are done.
        """
        from zsh_ls.tasks import Dumps  # noqa: PLC0415

        if run.trace is not None:
            with run.attempting("What its lines did"):
                await run.trace.follow()
            if run.trace.is_cut:
                run.note_missing("Some of what its lines did", "there was no room to write it down")
        with run.attempting("The telling lines of a huge output"):
            await _follow_if_huge(run)
        await run.task.wait_end()
        if run.task.status is Status.ERROR:
            return
        with run.attempting("The places in its output"):
            await run.places.finish()
        run.notices += tuple(map(_ended_waiting, run.task.ended_waiting))
        kept: tuple[Insight, ...] = ()
        if run.begun is not None and run.task.status is Status.COMPLETED:
            with run.attempting("What the session keeps"):
                dumps = run.task.dumps or Dumps()
                kept = await self._sessions.end(
                    run.begun, dumps, run.request.command, succeeded=run.task.exit == 0
                )
        if run.task.problem is not None:
            run.note_missing("The exit of each segment", run.task.problem)
        completed = await off_the_loop(
            run.task.output.size_bytes, partial(completed_run, run, self._session)
        )
        flaky: list[Insight] = []
        with run.attempting("What is known of its tests"):
            completed, flaky = await self._with_tests(run, completed)
        run.completed = completed
        try:
            self._record(run, completed)
        except Exception as fault:  # `record_plainly` tries it again
            log.error("%s: not recorded", run.task.task_id, exc_info=fault)
        if run.task.status is Status.COMPLETED:
            with run.attempting("What its exit means"):
                run.after = tuple(after_run(completed))
                run.before = tuple(still_news(run.before, completed))
        run.after = (*run.after, *flaky, *kept)
        with run.attempting("What its failure teaches"):
            if completed.outcome in (Outcome.FAILURE, Outcome.TIMEOUT):
                self._failures.another(completed.command, completed.cwd)
            if completed.outcome is Outcome.FAILURE and self._reads_ahead:
                self._manual.learn(completed, run.history, run.settings)

    def _failed_tests_before(self, command: str, cwd: str) -> tuple[str, ...] | None:
        """The tests that failed in the last run of `command` in `cwd`, None if that is not known."""
        run = self._latest.get((command, cwd))
        return None if run is None else run.failed_tests

    async def _with_tests(
        self, run: Run, completed: CompletedRun
    ) -> tuple[CompletedRun, list[Insight]]:
        """The run with how its tests went, and what is said of those that fail now and then (PLACE-3)."""
        tests = run.places.tests
        if not completed.ended_by_itself or not (tests or run.history.has_tests):
            return completed, []
        from zsh_ls.insights.flaky_tests import (  # noqa: PLC0415  few runs are of tests
            flaky_tests,
            with_inferred,
        )
        from zsh_ls.machine.changes import is_unchanged  # noqa: PLC0415  as above

        async with self._memory_in_time():
            names = [it.name for it in tests]
            known = await self._alan.tests(completed.command, names, completed.scope)
        succeeded = completed.outcome is Outcome.SUCCESS
        tests = with_inferred(tests, known, completed.command, succeeded=succeeded)
        passing = {it.name for it in tests if it.passed}
        red = [it for it in known if it.name in passing and it.failed[:1] == (True,)]
        if red:
            since = max(it.failed_at or 0.0 for it in red)
            if await asyncio.to_thread(is_unchanged, completed.scope, since, completed.started_at):
                again = {it.name for it in red}
                tests = tuple(
                    attrs.evolve(it, unchanged=True) if it.name in again else it for it in tests
                )
        return attrs.evolve(completed, tests=tests), flaky_tests(tests, known)

    async def kill(self, run: Run) -> KillInsight | None:
        """End the task with all its descendants; how the kill is judged, None for mere left-overs."""
        from zsh_ls.insights.kills import judge_kill  # noqa: PLC0415

        task = run.task
        if task.ended:
            if not await task.kill():
                raise RequestRejected(
                    f"Task {task.task_id} has already ended and left nothing running."
                )
            return None
        run.note_kill()
        await task.kill()
        await run.concluded.wait()
        if task.status is not Status.KILLED or run.kill_elapsed_s is None:
            return None
        with run.attempting("The judgement of the kill"):
            async with self._memory_in_time():
                earlier = await self._alan.kills(run.request.command, run.scope)
            from zsh_ls.verbosity.operation import read_command  # noqa: PLC0415  few runs are killed

            return judge_kill(
                earlier,
                run.estimate,
                run.kill_elapsed_s,
                run.kill_idle_s,
                is_server=read_command(run.request.command).operation == "dev_server",
            )
        return None

    async def close(self) -> None:
        """Stop what goes on in the background."""
        if "_manual" in self.__dict__:
            await self._manual.close()

    def _forget(self, task_id: str) -> None:
        """The engine keeps it no longer."""
        run = self._runs.pop(task_id, None)
        if run is not None and self._latest.get(here := _place_of(run)) is run:
            del self._latest[here]


def _place_of(run: Run) -> tuple[str, str]:
    """By what the run before it is found."""
    return run.request.command, run.task.request.cwd


async def _follow_if_huge(run: Run) -> None:
    """Wait for the end of a task, and search what it writes meanwhile where no answer carries it whole."""
    if run.task.request.streams is not None:
        return
    await run.task.wait_bytes(SEARCHED_FROM_BYTES)
    if not run.task.ended:
        from .middle import OutputMiddle  # noqa: PLC0415  few outputs are huge

        run.middle = OutputMiddle(run.task.output)
        await asyncio.gather(run.places.follow_beginning(), run.middle.follow(run.task))


def _ended_waiting(program: str) -> Insight:
    text = (
        f"{program} was ended: it waited for keys, and this run has no terminal. Run it with `pty`."
    )
    return Insight(Level.WARNING, text)
