"""The other servers of this user in the same workspace: their tasks are listed and reached from here.

Each server owns the tasks of its own clients, and they end with it. One that does
not answer is left out of the list until it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from zsh_ls.ipc import ConnectionLost, servers_of
from zsh_ls.model.errors import RequestRejected, SidecarError
from zsh_ls.model.requests import HERE, Caller, OutputRequest, PollRequest, SendRequest
from zsh_ls.model.results import (
    KillResult,
    OutputPage,
    Progress,
    Resized,
    Sent,
    TaskList,
    TaskResult,
    TaskSummary,
)
from zsh_ls.sidecar.config import NOT_TRUSTED
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe

from .client import RemoteSidecar, join_server
from .relay import Relay

# A busy server lists its tasks in milliseconds; a new task is to show within a second.
ANSWER_S = 0.4
# Of how many tasks it is remembered which server has or had them.
MOST_REMEMBERED = 10_000


class Neighbours:
    """The other servers of `workspaces`, linked to when somebody asks for their tasks."""

    def __init__(
        self, runtime: Path, workspaces: Sequence[str], *, colour: bool, only_news: bool = False
    ) -> None:
        self._runtime = runtime
        self._workspaces = tuple(map(Path, workspaces))
        self._colour, self._only_news = colour, only_news
        self._own: frozenset[Path] | None = None
        self._links: dict[Path, asyncio.Task[RemoteSidecar | None]] = {}
        self._silent: set[asyncio.Task[TaskList]] = set()
        self._holders: dict[str, RemoteSidecar] = {}
        self._progress = Relay[Progress](lambda sidecar, tell: sidecar.on_progress(tell))

    def leave_out(self, own: Iterable[Path]) -> None:
        """Look for others from now on: all servers but those that listen at these sockets."""
        self._own = frozenset(own)

    async def tasks(self, *, include_ended: bool) -> tuple[TaskSummary, ...]:
        """The tasks of all others that answer in time."""
        busy = {it.get_name() for it in self._silent}
        asked = {
            asyncio.create_task(link.tasks(include_ended=include_ended), name=str(path)): link
            for path, link in await self._linked()
            if str(path) not in busy
        }
        found: list[TaskSummary] = []
        answered, late = await asyncio.wait(asked, timeout=ANSWER_S) if asked else ((), ())
        for task in answered:
            if task.exception() is None:
                tasks = task.result().tasks
                found += tasks
                self._remember(asked[task], tasks)
        for task in late:
            self._silent.add(task)
            task.add_done_callback(self._has_answered)
        return tuple(found)

    async def holder_of(self, task_id: str) -> RemoteSidecar | None:
        """The server that has the task, None where nobody knows it; raises ConnectionLost if it has gone."""
        if task_id not in self._holders:
            await self.tasks(include_ended=True)
        holder = self._holders.get(task_id)
        if holder is not None and holder.is_lost:
            raise ConnectionLost
        return holder

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of the others' tasks."""
        links = (it.result() for it in self._links.values() if it.done() and not it.cancelled())
        return self._progress.add(listener, *filter(None, links))

    async def close(self) -> None:
        """Leave all others, whose tasks go on."""
        links, self._links = self._links, {}
        for linking in links.values():
            linking.cancel()
            if linking.done() and not linking.cancelled() and (link := linking.result()):
                await link.close()

    async def _linked(self) -> list[tuple[Path, RemoteSidecar]]:
        """The links there are, to servers that have come since too."""
        if self._own is None:
            return []
        there = set(servers_of(self._runtime, self._workspaces)) - self._own
        for path in self._links.keys() - there:
            gone = self._links[path]
            if gone.done() and ((link := gone.result()) is None or link.is_lost):
                del self._links[path]
        for path in there - self._links.keys():
            self._links[path] = asyncio.create_task(self._link(path))
        making = [it for it in self._links.values() if not it.done()]
        if making:
            await asyncio.wait(making, timeout=ANSWER_S)
        made = ((path, it.result()) for path, it in self._links.items() if it.done())
        return [(path, link) for path, link in made if link is not None and not link.is_lost]

    async def _link(self, path: Path) -> RemoteSidecar | None:
        link = await join_server(
            path, colour=self._colour, only_news=self._only_news, is_server=True
        )
        if link is not None:
            self._progress.listen_to(link)
        return link

    def _remember(self, holder: RemoteSidecar, tasks: Iterable[TaskSummary]) -> None:
        for task in tasks:
            self._holders[task.task_id] = holder
        while len(self._holders) > MOST_REMEMBERED:
            del self._holders[next(iter(self._holders))]

    def _has_answered(self, task: asyncio.Task[TaskList]) -> None:
        self._silent.discard(task)
        if not task.cancelled():
            task.exception()  # it is looked at, so that nothing reports it as forgotten


class SharedTasks:
    """The tasks of a server and of its neighbours: each is asked for where it is."""

    def __init__(self, own: SidecarInterface, neighbours: Neighbours) -> None:
        self._own = own
        self._neighbours = neighbours

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks of all, with the kept ended ones if asked."""
        own = await self._own.tasks(include_ended=include_ended)
        others = await self._neighbours.tasks(include_ended=include_ended)
        return TaskList((*own.tasks, *others), own.count + len(others))

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll."""
        return await (await self._holder_of(request.task_id)).poll(request)

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left."""
        return await (await self._holder_of(task_id)).kill(task_id, caller)

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        await (await self._holder_of(task_id)).interrupt(task_id)

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task, if this server's own client trusts the workspace."""
        if not self._own.is_trusted:
            raise RequestRejected(NOT_TRUSTED)
        return await (await self._holder_of(request.task_id)).send(request)

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        return await (await self._holder_of(task_id)).resize(task_id, cols, rows)

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range; that of a server that has gone may be on disk."""
        if request.task_id is None:
            return await self._own.output(request)
        try:
            holder = await self._holder_of(request.task_id)
        except SidecarError:
            holder = self._own
        return await holder.output(request)

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of everybody's tasks that outlived their yield or asked for progress."""
        stops = (self._own.on_progress(listener), self._neighbours.on_progress(listener))

        def stop() -> None:
            for unsubscribe in stops:
                unsubscribe()

        return stop

    async def _holder_of(self, task_id: str) -> SidecarInterface | RemoteSidecar:
        if self._own.has_task(task_id):
            return self._own
        return await self._neighbours.holder_of(task_id) or self._own


SHARED = frozenset(name for name in vars(SharedTasks) if not name.startswith("_"))
"""The names of what is asked of everybody's tasks rather than of one server's."""
