"""The other servers of this user in the same workspace: their tasks are listed and reached from here.

Each server owns the tasks of its own clients, and they end with it. One that does
not answer is left out of the list until it does. Detached runs (RUN-20) have a keeper
each, which is asked like a server; those of other workspaces are reached too, and
listed for who asks for all.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from zsh_ls.ipc import KEEPER_SUFFIX, ConnectionLost, OthersSockets
from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import RequestRejected, SidecarError
from zsh_ls.model.reports import DetachedTask, Health, TaskList, TaskSummary
from zsh_ls.model.requests import (
    HERE,
    Caller,
    OutputRequest,
    PollRequest,
    RunRequest,
    SendRequest,
)
from zsh_ls.model.results import KillResult, OutputPage, Progress, Resized, Sent, TaskResult
from zsh_ls.sidecar.config import NOT_TRUSTED
from zsh_ls.sidecar.detached import start
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe
from zsh_ls.sidecar.runs.progress import notify_all

from .client import RemoteSidecar, join_server
from .past import PastTasks
from .relay import Relay

# A busy server lists its tasks in milliseconds; a new task is to show within a second.
ANSWER_S = 0.4
# When a keeper is killed, its supervisor ends the task and then writes down how it ended.
END_IS_WRITTEN_WITHIN_S = 10.0
_LOOKS_FOR_END_EVERY_S = 0.05
# Of how many tasks it is remembered which server has or had them.
MOST_REMEMBERED = 10_000


class Neighbours:
    """The other servers of `workspaces`, linked to when somebody asks for their tasks."""

    def __init__(
        self,
        runtime: Path,
        workspaces: Sequence[str],
        *,
        colour: bool,
        only_news: bool = False,
        keepers_only: bool = False,
    ) -> None:
        """`keepers_only` is for who is no server: it sees detached runs, and no server's tasks."""
        self._workspaces = tuple(map(Path, workspaces))
        self._colour, self._only_news = colour, only_news
        self._sockets = OthersSockets(runtime, () if keepers_only else self._workspaces)
        self._own: frozenset[Path] | None = None
        self._links: dict[Path, asyncio.Task[RemoteSidecar | None]] = {}
        self._silent: set[asyncio.Task[TaskList]] = set()
        self._holders: dict[str, RemoteSidecar] = {}
        self._kept: set[str] = set()
        # Keepers that this process has started belong here wherever their runs are.
        self._started: set[Path] = set()
        self._progress = Relay[Progress](lambda sidecar, tell: sidecar.on_progress(tell))

    def leave_out(self, own: Iterable[Path]) -> None:
        """Look for others from now on: all servers but those that listen at these sockets."""
        self._own = frozenset(own)

    async def tasks(
        self, *, include_ended: bool, elsewhere: bool = False
    ) -> tuple[TaskSummary, ...]:
        """The tasks of all others that answer in time, with `elsewhere` detached ones of other workspaces."""
        busy = {it.get_name() for it in self._silent}
        asked = {
            asyncio.create_task(link.tasks(include_ended=include_ended), name=str(path)): link
            for path, link in await self._linked()
            if str(path) not in busy and (elsewhere or self._is_here(path, link))
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
            await self.tasks(include_ended=True, elsewhere=True)
        holder = self._holders.get(task_id)
        if holder is not None and holder.is_lost:
            raise ConnectionLost
        return holder

    async def keeper(
        self, launch: Callable[[], Awaitable[Path]], listener: Callable[[Progress], None]
    ) -> RemoteSidecar:
        """A link to a new keeper, whose progress `listener` is told; raises RequestRejected without one."""
        path = await launch()
        self._started.add(path)
        self._links[path] = linking = asyncio.create_task(self._link(path))
        link = await asyncio.shield(linking)
        if link is None:
            raise RequestRejected(f"{start.NO_KEEPER}: nobody answers at {path}")
        link.on_progress(listener)
        return link

    def started_by(self, keeper: RemoteSidecar, task_id: str) -> None:
        """The task is that keeper's."""
        self._holders[task_id] = keeper
        self._kept.add(task_id)

    def is_kept(self, task_id: str) -> bool:
        """Whether the task is known to have, or to have had, a keeper."""
        return task_id in self._kept

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of the others' tasks."""
        links = [
            link
            for path, it in self._links.items()
            if it.done() and not it.cancelled() and (link := it.result()) is not None
            if self._is_here(path, link)
        ]
        return self._progress.add(listener, *links)

    def _is_here(self, path: Path, link: RemoteSidecar) -> bool:
        """Whether it is a server of this workspace, or keeps a run of it."""
        if path.suffix != KEEPER_SUFFIX or path in self._started:
            return True
        place = Path(link.workspace)
        return any(
            place.is_relative_to(it) or it.is_relative_to(place)
            for it in self._workspaces
            if it != it.parent and place != place.parent
        )

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
        there = self._sockets.found() - self._own
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
        if link is not None and self._is_here(path, link):
            self._progress.listen_to(link)
        return link

    def _remember(self, holder: RemoteSidecar, tasks: Iterable[TaskSummary]) -> None:
        for task in tasks:
            self._holders[task.task_id] = holder
            if task.detached:
                self._kept.add(task.task_id)
        while len(self._holders) > MOST_REMEMBERED:
            oldest = next(iter(self._holders))
            del self._holders[oldest]
            self._kept.discard(oldest)

    def _has_answered(self, task: asyncio.Task[TaskList]) -> None:
        self._silent.discard(task)
        if not task.cancelled():
            task.exception()  # it is looked at, so that nothing reports it as forgotten


_Got = TypeVar("_Got")
TaskHolder = SidecarInterface | RemoteSidecar | PastTasks


class SharedTasks:
    """The tasks of a server and of its neighbours: each is asked for where it is."""

    def __init__(self, own: SidecarInterface, neighbours: Neighbours) -> None:
        self._own = own
        self._neighbours = neighbours
        self._past = PastTasks(own)
        self._detached_listeners: list[Callable[[Progress], None]] = []

    async def run(self, request: RunRequest) -> TaskResult:
        """Start a command; one that is to outlive everybody is given to a keeper (RUN-20)."""
        if not request.detached:
            return await self._own.run(request)
        found = await self._own.to_detach(request)
        keeper = await self._neighbours.keeper(
            partial(start.keeper_started, self._own.options, found.variables),
            partial(notify_all, self._detached_listeners),
        )
        result = await keeper.run(found.request)
        self._neighbours.started_by(keeper, result.task_id)
        return result

    def on_detached_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of the detached runs that were asked for here."""
        self._detached_listeners.append(listener)
        return lambda: self._detached_listeners.remove(listener)

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks of all; with the kept ended ones, and detached ones of other workspaces, if asked."""
        own = await self._own.tasks(include_ended=include_ended)
        others = await self._neighbours.tasks(include_ended=include_ended, elsewhere=include_ended)
        found = {it.task_id: it for it in (*own.tasks, *others)}
        if include_ended:
            past = await self._past.tasks()
            found = {it.task_id: it for it in past if it.task_id not in found} | found
        return TaskList(tuple(found.values()), len(found))

    async def health(self) -> Health:
        """Whether everything works, with everybody's tasks of this workspace and all detached ones."""
        own = await self._own.health()
        here = await self.tasks()
        others = await self._neighbours.tasks(include_ended=False, elsewhere=True)
        detached = tuple(DetachedTask(it.task_id, it.command) for it in others if it.detached)
        return attrs.evolve(own, active_tasks=here.count, detached=detached)

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback; what runs are everybody's tasks."""
        return await self._own.ask_knowing(query, await self.tasks())

    async def why_failed(self, task_id: str | None = None) -> Answer:
        """Why a kept task failed; without one why the last run of this workspace did (ANS-7)."""
        return await self._own.why_failed(task_id)

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll."""
        return await self._asked(request.task_id, lambda holder: holder.poll(request))

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left."""
        return await self._asked(task_id, lambda holder: holder.kill(task_id, caller))

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        await self._asked(task_id, lambda holder: holder.interrupt(task_id))

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task, if this server's own client trusts the workspace."""
        if not self._own.is_trusted:
            raise RequestRejected(NOT_TRUSTED)
        return await self._asked(request.task_id, lambda holder: holder.send(request))

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        return await self._asked(task_id, lambda holder: holder.resize(task_id, cols, rows))

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range; that of a server that has gone may be on disk."""
        if request.task_id is None:
            return await self._own.output(request)
        holder: TaskHolder = self._own
        with contextlib.suppress(SidecarError):
            holder = await self._holder_of(request.task_id)
        return await holder.output(request)

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of everybody's tasks that outlived their yield or asked for progress."""
        stops = (self._own.on_progress(listener), self._neighbours.on_progress(listener))

        def stop() -> None:
            for unsubscribe in stops:
                unsubscribe()

        return stop

    async def _asked(self, task_id: str, call: Callable[[TaskHolder], Awaitable[_Got]]) -> _Got:
        """The answer of who has the task, or of what is written of its end if a keeper goes meanwhile."""
        holder = await self._holder_of(task_id)
        try:
            return await call(holder)
        except ConnectionLost:
            return await call(await self._holder_of(task_id))

    async def _holder_of(self, task_id: str) -> TaskHolder:
        if self._own.has_task(task_id):
            return self._own
        try:
            holder = await self._neighbours.holder_of(task_id)
        except ConnectionLost:
            past = self._past
            if await self._end_is_written(task_id) or await past.ended_before_its_server(task_id):
                return past
            raise
        if holder is None and await self._past.has(task_id):
            return self._past
        return holder or self._own

    async def _end_is_written(self, task_id: str) -> bool:
        """Whether it is known how a task ended whose server or keeper has gone."""
        until = time.monotonic() + END_IS_WRITTEN_WITHIN_S
        while not (found := self._past.has_detached(task_id)) and self._neighbours.is_kept(task_id):
            if time.monotonic() > until:
                break
            await asyncio.sleep(_LOOKS_FOR_END_EVERY_S)
        return found

    async def close(self) -> None:
        """Leave the others, whose tasks go on."""
        await self._neighbours.close()


def with_detached(own: SidecarInterface) -> SharedTasks:
    """The tasks of a sidecar that is no server's, and detached ones; to be closed before the sidecar."""
    options = own.options
    neighbours = Neighbours(
        options.places.runtime,
        options.all_folders,
        colour=options.colour,
        only_news=options.only_news,
        keepers_only=True,
    )
    neighbours.leave_out(())
    return SharedTasks(own, neighbours)


SHARED = frozenset(name for name in vars(SharedTasks) if not name.startswith("_")) - {
    "close",
    "on_detached_progress",
}
"""The names of what is asked of everybody's tasks rather than of one server's."""
