"""The sidecar for a folder: that of the server which runs for its workspace, else one of this process.

    async with open_failover_client(options, folder) as sidecar:
        await sidecar.run(request)

When the server ends, its tasks end with it: each waiting call raises
`ConnectionLost`, and the next one finds another server or opens a sidecar here,
until there is a server to join again. The trust of the server that was joined
last stays in force: after an untrusted one nothing runs here either.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from zsh_ls.answers.failures import Failures
from zsh_ls.ipc import ConnectionLost
from zsh_ls.lazy import attrs
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
)
from zsh_ls.model.requests import (
    HERE,
    Caller,
    OutputRequest,
    PollRequest,
    RunRequest,
    ScriptRequest,
    SendRequest,
)
from zsh_ls.model.results import KillResult, OutputPage, Progress, Resized, Sent, TaskResult
from zsh_ls.model.syntax import Dialect
from zsh_ls.sidecar.config import HISTORY_LIMIT, THIS_PROJECT, SidecarOptions
from zsh_ls.sidecar.editor.types import DocumentInsight, LineHint
from zsh_ls.sidecar.interface import TaskService, Unsubscribe
from zsh_ls.sidecar.service import Sidecar
from zsh_ls.system import programs

from .client import RemoteSidecar, join
from .neighbours import SharedTasks, with_detached
from .relay import Relay

OfTask = TypeVar("OfTask", TaskResult, KillResult, OutputPage)


class FailoverClient:
    """A `TaskService`: a server's, or one of this process while no server runs.

    Each call looks for a server first where none is joined: an editor may start
    late. Tasks that were started here stay here, and are listed beside the
    server's.
    """

    def __init__(self, options: SidecarOptions, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._remote: RemoteSidecar | None = None
        self._own: Sidecar | None = None
        # Its tasks, and detached ones.
        self._own_tasks: SharedTasks | None = None
        self._shunned: set[Path] = set()
        # Tasks of the server there is, and of those that have gone.
        self._there: set[str | None] = set()
        self._gone: set[str | None] = set()
        self._finding = asyncio.Lock()
        self._progress = Relay[Progress](lambda sidecar, tell: sidecar.on_progress(tell))
        self._insights = Relay[str](lambda sidecar, tell: sidecar.on_insights_changed(tell))
        self._trust = Relay[bool](lambda sidecar, tell: sidecar.on_trust_changed(tell))

    @property
    def is_joined(self) -> bool:
        """Whether it is a running server's."""
        return self._remote is not None and not self._remote.is_lost

    @property
    def is_trusted(self) -> bool:
        """Whether anything may be executed, as the server that was joined last has said."""
        return self._options.settings.trusted

    async def run(self, request: RunRequest) -> TaskResult:
        """Start a command; answers at its end or after `yield_after`. Cancelling ends the waiting only."""
        sidecar = await self._tasks()
        return self._noted(sidecar, await sidecar.run(request))

    async def run_script(self, request: ScriptRequest) -> TaskResult:
        """Run the text of an open document, traced if asked for; answers as `run` does."""
        sidecar = await self.sidecar()
        return self._noted(sidecar, await sidecar.run_script(request))

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll."""
        sidecar = await self._sidecar_of(request.task_id)
        return self._noted(sidecar, await sidecar.poll(request))

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left."""
        sidecar = await self._sidecar_of(task_id)
        return self._noted(sidecar, await sidecar.kill(task_id, caller))

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        await (await self._sidecar_of(task_id)).interrupt(task_id)

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task."""
        return await (await self._sidecar_of(request.task_id)).send(request)

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        return await (await self._sidecar_of(task_id)).resize(task_id, cols, rows)

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks, here and there, with the kept ended ones if asked."""
        sidecar = await self._tasks()
        found = await sidecar.tasks(include_ended=include_ended)
        if self._own is None or sidecar is not self._remote:
            return found
        own = await self._own.tasks(include_ended=include_ended)
        return TaskList((*own.tasks, *found.tasks), own.count + found.count)

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range; that of a server that has gone may be on disk."""
        sidecar = await self._sidecar_of(request.task_id, may_be_gone=True)
        return self._noted(sidecar, await sidecar.output(request))

    async def command_stats(self, command: str, project: str | None = THIS_PROJECT) -> CommandStats:
        """What ALAN knows of one command."""
        return await (await self.sidecar()).command_stats(command, project)

    async def memory_stats(self, project: str | None = THIS_PROJECT) -> MemoryStats:
        """What ALAN knows in all."""
        return await (await self.sidecar()).memory_stats(project)

    async def history(
        self, query: str = "", project: str | None = THIS_PROJECT, limit: int = HISTORY_LIMIT
    ) -> HistoryPage:
        """The newest lines that hold all words of `query`."""
        return await (await self.sidecar()).history(query, project, limit)

    async def circuit(
        self,
        action: str = "status",
        command: str | None = None,
        project: str | None = THIS_PROJECT,
    ) -> CircuitList:
        """The circuits that are not closed; `reset` closes one, or all."""
        return await (await self.sidecar()).circuit(action, command, project)

    async def sessions(self, action: str = "list", session: str | None = None) -> SessionList:
        """The named sessions; `show` one and what it holds, or `reset` one, or all (SESS-4)."""
        return await (await self.sidecar()).sessions(action, session)

    async def health(self) -> Health:
        """Whether everything works."""
        return await (await self._tasks()).health()

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        """What a command does, what is known of it, what its exits mean. Nothing is started for it."""
        return await (await self.sidecar()).explain(command, dialect)

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback."""
        return await (await self._tasks()).ask(query)

    async def why_failed(self, task_id: str | None = None) -> Answer:
        """Why a kept task failed; without one why the last run of this workspace did (ANS-7)."""
        return await (await self._tasks()).why_failed(task_id)

    async def record_agent_run(self, run: AgentRun) -> AgentRunNotes:
        """Remember what an agent ran in its own shell; gives what is news of it (HOOK-1)."""
        return await (await self.sidecar()).record_agent_run(run)

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of an open document now."""
        return await (await self.sidecar()).insights_for(uri)

    async def hints_for(self, uri: str) -> list[LineHint]:
        """What history knows of the lines of an open document, in numbers (DOC-4)."""
        return await (await self.sidecar()).hints_for(uri)

    async def failures(self, uri: str) -> Failures:
        """What becomes of an open script when each of its commands fails (FATE-7)."""
        return await (await self.sidecar()).failures(uri)

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of tasks that outlived their yield or asked for progress."""
        return self._progress.add(listener, *self._open())

    def on_insights_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        return self._insights.add(listener, *self._open())

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Unsubscribe:
        """Call `listener` whenever the workspace is trusted from now on, or no longer is."""
        return self._trust.add(listener, *self._open())

    async def close(self) -> None:
        """Leave the server, whose tasks go on, and end the sidecar of this process."""
        if self._own_tasks is not None:
            await self._own_tasks.close()
        for sidecar in self._open():
            await sidecar.close()

    async def sidecar(self) -> RemoteSidecar | Sidecar:
        """The one to ask now: a server's, or that of this process, opened where there is none."""
        async with self._finding:
            if self._remote is not None and self._remote.is_lost:
                await self._remote.close()
                self._remote = None
                self._gone, self._there = self._gone | self._there, set()
            if self._remote is None:
                self._remote = await self._join()
            if self._remote is not None:
                return self._remote
            if self._own is None:
                self._own = await Sidecar.open(self._options)
                self._own_tasks = with_detached(self._own)
                self._own_tasks.on_detached_progress(self._progress.tell)
                self._listen_to(self._own)
            return self._own

    async def _tasks(self) -> RemoteSidecar | SharedTasks:
        """What to ask about tasks now: the server's, or those of this process."""
        sidecar = await self.sidecar()
        if sidecar is self._remote or self._own_tasks is None:
            assert self._remote is not None
            return self._remote
        return self._own_tasks

    async def _join(self) -> RemoteSidecar | None:
        options = self._options
        joined = await join(
            options.places.runtime,
            self._folder,
            colour=options.colour,
            only_news=options.only_news,
            shunned=self._shunned,
        )
        if joined is not None:
            folders = dict.fromkeys((*options.all_folders, joined.workspace))
            self._options = attrs.evolve(options, folders=tuple(folders))
            joined.on_trust_changed(self._take_trust)
            self._take_trust(joined.is_trusted)
            self._listen_to(joined)
        return joined

    def _take_trust(self, is_trusted: bool) -> None:
        """Take the trust of the server that was joined, also for when it has gone."""
        settings = attrs.evolve(self._options.settings, trusted=is_trusted)
        self._options = attrs.evolve(self._options, settings=settings)
        if self._own is not None:
            self._own.configure(attrs.evolve(self._own.settings, trusted=is_trusted))
        # What this process starts by itself, to check a script perhaps, it starts beside that server.
        programs.distrust(() if is_trusted else self._options.all_folders)

    async def _sidecar_of(
        self, task_id: str | None, *, may_be_gone: bool = False
    ) -> RemoteSidecar | SharedTasks:
        """The one that has the task; raises ConnectionLost where that has gone."""
        sidecar = await self._tasks()
        if self._own_tasks is not None and task_id is not None and self._own_has(task_id):
            return self._own_tasks
        if task_id in self._gone and not may_be_gone:
            # A detached run did not go with the server that told of it; of others there is but a record.
            known = (await sidecar.tasks(include_ended=True)).tasks
            if not any(it.task_id == task_id and it.detached for it in known):
                raise ConnectionLost
        return sidecar

    def _own_has(self, task_id: str) -> bool:
        return self._own is not None and self._own.has_task(task_id)

    def _noted(self, sidecar: TaskService | SharedTasks, result: OfTask) -> OfTask:
        """`result`; its task is remembered as the server's, if it came from there."""
        if sidecar is self._remote:
            self._there.add(result.task_id)
        return result

    def _open(self) -> list[RemoteSidecar | Sidecar]:
        return [sidecar for sidecar in (self._remote, self._own) if sidecar is not None]

    def _listen_to(self, sidecar: RemoteSidecar | Sidecar) -> None:
        for relay in (self._progress, self._insights, self._trust):
            relay.listen_to(sidecar)


@asynccontextmanager
async def open_failover_client(
    options: SidecarOptions, folder: Path | None = None
) -> AsyncIterator[FailoverClient]:
    """The sidecar for `folder` (this process's by default); `options` are for one opened here."""
    found = FailoverClient(options, folder or Path.cwd())
    await found.sidecar()
    try:
        yield found
    finally:
        await found.close()
