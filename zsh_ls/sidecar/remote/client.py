"""The sidecar of another process: its methods call those of that one.

Errors are raised as they were raised there. When the connection is lost, every
waiting call and every later one raises ConnectionLost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from zsh_ls.answers.failures import Failures
from zsh_ls.ipc import Connection, ConnectionLost, dial, servers_around
from zsh_ls.model.agent_run import AgentRun, AgentRunNotes
from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import SidecarError
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
from zsh_ls.sidecar.config import HISTORY_LIMIT, THIS_PROJECT
from zsh_ls.sidecar.editor.types import DocumentInsight, LineHint
from zsh_ls.sidecar.interface import TaskService, Unsubscribe
from zsh_ls.sidecar.runs.progress import notify_all

from .greeting import HELLO, PATIENCE_S, SUBSCRIBE, TRUST, UNSUBSCRIBE, hello
from .rpc import NEWS, remote_method, unpacked

P = ParamSpec("P")
R = TypeVar("R")
Listener = Callable[[Any], None]
log = logging.getLogger(__name__)


class RemoteSidecar:
    """A `TaskService` in another process; made by `join`."""

    def __init__(self, connection: Connection) -> None:
        self.workspace = ""
        self._is_trusted: bool | None = None
        self._connection = connection
        self._listeners: dict[str, list[Listener]] = {}
        connection.on_notification = self._on_notification
        self._serving = asyncio.get_running_loop().create_task(connection.serve())

    @property
    def is_lost(self) -> bool:
        """Whether the other end has gone."""
        return self._connection.is_lost

    @property
    def is_trusted(self) -> bool:
        """Whether the other end executes anything, as far as it has said by now."""
        return self._is_trusted is True

    async def greet(
        self, *, colour: bool, only_news: bool = False, is_server: bool = False
    ) -> None:
        """Say who is there; raises RequestRejected where the other end speaks another version.

        `is_server`: for a server that asks for the other's own tasks, on behalf of its clients.
        """
        greeting = hello(colour=colour, only_news=only_news, is_server=is_server)
        answer = await self._connection.request(HELLO, greeting)
        self.workspace = answer["workspace"]
        if self._is_trusted is None:  # else there was news of it since
            self._is_trusted = answer["trusted"] is True

    async def run(self, request: RunRequest) -> TaskResult:
        """Start a command; answers at its end or after `yield_after`. Cancelling ends the waiting only."""
        return await self._call(TaskService.run, request)

    async def run_script(self, request: ScriptRequest) -> TaskResult:
        """Run the text of an open document, traced if asked for; answers as `run` does."""
        return await self._call(TaskService.run_script, request)

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll."""
        return await self._call(TaskService.poll, request)

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left."""
        return await self._call(TaskService.kill, task_id, caller)

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        await self._call(TaskService.interrupt, task_id)

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task."""
        return await self._call(TaskService.send, request)

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        return await self._call(TaskService.resize, task_id, cols, rows)

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks, with the kept ended ones if asked."""
        return await self._call(TaskService.tasks, include_ended=include_ended)

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range."""
        return await self._call(TaskService.output, request)

    async def command_stats(self, command: str, project: str | None = THIS_PROJECT) -> CommandStats:
        """What ALAN knows of one command."""
        return await self._call(TaskService.command_stats, command, project)

    async def memory_stats(self, project: str | None = THIS_PROJECT) -> MemoryStats:
        """What ALAN knows in all."""
        return await self._call(TaskService.memory_stats, project)

    async def history(
        self, query: str = "", project: str | None = THIS_PROJECT, limit: int = HISTORY_LIMIT
    ) -> HistoryPage:
        """The newest lines that hold all words of `query`."""
        return await self._call(TaskService.history, query, project, limit)

    async def circuit(
        self,
        action: str = "status",
        command: str | None = None,
        project: str | None = THIS_PROJECT,
    ) -> CircuitList:
        """The circuits that are not closed; `reset` closes one, or all."""
        return await self._call(TaskService.circuit, action, command, project)

    async def sessions(self, action: str = "list", session: str | None = None) -> SessionList:
        """The named sessions; `show` one and what it holds, or `reset` one, or all (SESS-4)."""
        return await self._call(TaskService.sessions, action, session)

    async def health(self) -> Health:
        """Whether everything works."""
        return await self._call(TaskService.health)

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        """What a command does, what is known of it, what its exits mean. Nothing is started for it."""
        return await self._call(TaskService.explain, command, dialect)

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback."""
        return await self._call(TaskService.ask, query)

    async def why_failed(self, task_id: str | None = None) -> Answer:
        """Why a kept task failed; without one why the last run of this workspace did (ANS-7)."""
        return await self._call(TaskService.why_failed, task_id)

    async def record_agent_run(self, run: AgentRun) -> AgentRunNotes:
        """Remember what an agent ran in its own shell; gives what is news of it (HOOK-1)."""
        return await self._call(TaskService.record_agent_run, run)

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of an open document now."""
        return await self._call(TaskService.insights_for, uri)

    async def hints_for(self, uri: str) -> list[LineHint]:
        """What history knows of the lines of an open document, in numbers (DOC-4)."""
        return await self._call(TaskService.hints_for, uri)

    async def failures(self, uri: str) -> Failures:
        """What becomes of an open script when each of its commands fails (FATE-7)."""
        return await self._call(TaskService.failures, uri)

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of tasks, whoever started them."""
        return self._subscribe("on_progress", listener)

    def on_insights_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        return self._subscribe("on_insights_changed", listener)

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Unsubscribe:
        """Call `listener` when the other end is trusted from now on, or no longer is."""
        # The other end tells it to everybody who joined: there is nothing to subscribe to.
        listeners = self._listeners.setdefault(TRUST, [])
        listeners.append(listener)
        return partial(listeners.remove, listener)

    async def close(self) -> None:
        """Leave; the other sidecar and all its tasks go on."""
        self._connection.close()
        await self._serving

    async def _call(
        self,
        method: Callable[Concatenate[TaskService, P], Coroutine[Any, Any, R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """The result of that method there; the types are those `TaskService` declares."""
        name = method.__name__
        remote = remote_method(name)
        answer = await self._connection.request(name, remote.packed(args, kwargs))
        result: R = unpacked(answer, remote.result)
        return result

    def _subscribe(self, news: str, listener: Listener) -> Unsubscribe:
        listeners = self._listeners.setdefault(news, [])
        if not listeners:
            self._connection.notify(SUBSCRIBE, {"news": news})
        listeners.append(listener)

        def unsubscribe() -> None:
            listeners.remove(listener)
            if not listeners:
                self._connection.notify(UNSUBSCRIBE, {"news": news})

        return unsubscribe

    def _on_notification(self, news: str, params: Any) -> None:
        value = unpacked(params["value"], NEWS[news])
        if news == TRUST:
            self._is_trusted = value
        notify_all(self._listeners.get(news, ()), value)


async def join(
    runtime: Path,
    place: Path,
    *,
    colour: bool = False,
    only_news: bool = False,
    shunned: set[Path] | None = None,
) -> RemoteSidecar | None:
    """The sidecar of the server whose workspace contains `place`; None where there is none to join.

    One that speaks another version or does not answer is passed over, and put
    among those that are `shunned`.
    """
    for path in servers_around(runtime, place):
        if shunned is not None and path in shunned:
            continue
        connection = await dial(path)
        if connection is None:
            continue
        remote = await _greeted(connection, path, colour=colour, only_news=only_news)
        if remote is not None:
            return remote
        if shunned is not None:
            shunned.add(path)
    return None


async def join_server(
    path: Path, *, colour: bool = False, only_news: bool = False, is_server: bool = False
) -> RemoteSidecar | None:
    """The sidecar behind one socket; None where it is not there, silent or of another version."""
    connection = await dial(path)
    if connection is None:
        return None
    return await _greeted(connection, path, colour=colour, only_news=only_news, is_server=is_server)


async def _greeted(
    connection: Connection,
    path: Path,
    *,
    colour: bool,
    only_news: bool = False,
    is_server: bool = False,
) -> RemoteSidecar | None:
    remote = RemoteSidecar(connection)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await remote.greet(colour=colour, only_news=only_news, is_server=is_server)
    except (SidecarError, TimeoutError) as strange:
        # A server that ends while it is greeted is like one that had ended before: no news for anybody.
        level = logging.INFO if isinstance(strange, ConnectionLost) else logging.WARNING
        log.log(level, "%s is not joined: %s", path, str(strange) or "it does not answer")
        await remote.close()
        return None
    return remote
