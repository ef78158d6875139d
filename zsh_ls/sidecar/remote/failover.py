"""The sidecar for a folder: that of the server which runs for its workspace, else one of our own.

    async with open_failover_client(options, folder) as sidecar:
        await sidecar.run(request)

A server that goes takes its tasks along: each call that waits for it raises
`ConnectionLost`, and the next one finds another server or stands alone, until there
is one to join again. The trust of the server that was joined last stays in force:
who joined one that runs nothing does not begin to run when it goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import attrs

from zsh_ls.ipc import ConnectionLost
from zsh_ls.model.results import TaskList
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe
from zsh_ls.sidecar.runs.progress import heard_by_all
from zsh_ls.sidecar.service import Sidecar
from zsh_ls.system import programs

from . import client
from .client import RemoteSidecar, as_interface, join


class SidecarClient(SidecarInterface, Protocol):
    """A sidecar that is a server's, or our own where none runs.

    Of the façade, the methods of `REMOTE_METHODS` can be called, and what
    `crossing.NEWS` names can be subscribed to.
    """

    @property
    def is_joined(self) -> bool:
        """Whether it is a running server's."""
        ...


class FailoverClient:
    """A SidecarClient. Whenever it stands alone it looks for a server first: an editor may start late.

    What was started here stays here: such a task is asked for where it is, and
    stands in the list beside the server's.
    """

    def __init__(self, options: SidecarOptions, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._remote: RemoteSidecar | None = None
        self._own: Sidecar | None = None
        self._shunned: set[Path] = set()
        # Tasks of the server there is, and of those that have gone.
        self._there: set[str | None] = set()
        self._gone: set[str | None] = set()
        self._finding = asyncio.Lock()
        self._listeners: dict[str, list[Callable[[Any], None]]] = {}

    @property
    def is_joined(self) -> bool:
        """Whether it is a running server's."""
        return self._remote is not None and not self._remote.is_lost

    def __getattr__(self, name: str) -> Any:
        """A method of the façade, or a subscription, if it can cross."""
        if name == "tasks":
            return self._tasks
        if name in client.REMOTE_METHODS:
            return partial(self._ask, name)
        if name in client.NEWS:
            return partial(self._subscribe, name)
        raise AttributeError(name)

    async def close(self) -> None:
        """Leave the server, whose tasks go on, and end our own."""
        for found in (self._remote, self._own):
            if found is not None:
                await found.close()

    async def sidecar(self) -> RemoteSidecar | Sidecar:
        """The one to ask now: that of a server, or our own, opened where there is none."""
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
                self._listen_to(self._own)
            return self._own

    async def _join(self) -> RemoteSidecar | None:
        options = self._options
        joined = await join(
            options.places.runtime, self._folder, colour=options.colour, shunned=self._shunned
        )
        if joined is not None:
            folders = dict.fromkeys((*options.all_folders, joined.workspace))
            self._options = attrs.evolve(options, folders=tuple(folders))
            joined.on_trust_changed(self._trust)
            self._trust(joined.is_trusted)
            self._listen_to(joined)
        return joined

    def _trust(self, is_trusted: bool) -> None:
        """Take the trust of the server that was joined, also for when it has gone."""
        settings = attrs.evolve(self._options.settings, trusted=is_trusted)
        self._options = attrs.evolve(self._options, settings=settings)
        if self._own is not None:
            self._own.configure(attrs.evolve(self._own.settings, trusted=is_trusted))
        # What this process starts by itself, to check a script perhaps, it starts beside that server.
        programs.distrust(() if is_trusted else self._options.all_folders)

    async def _ask(self, name: str, *args: object, **kwargs: object) -> Any:
        asked = await self.sidecar()
        tasks = {_task_of(value) for value in (*args, *kwargs.values())} - {None}
        if tasks & self._gone and name != "output":  # what it printed may be on disk
            raise ConnectionLost
        if self._own is not None and asked is not self._own:
            own = await self._own.tasks(include_ended=True)
            if tasks & {task.task_id for task in own.tasks}:
                asked = self._own
        result = await getattr(asked, name)(*args, **kwargs)
        if asked is self._remote:
            self._there |= {_task_of(result)}
        return result

    async def _tasks(self, *, include_ended: bool = False) -> TaskList:
        asked = await self.sidecar()
        found = await as_interface(asked).tasks(include_ended=include_ended)
        if self._own is None or asked is self._own:
            return found
        own = await self._own.tasks(include_ended=include_ended)
        return TaskList((*own.tasks, *found.tasks), own.count + found.count)

    def _listen_to(self, found: RemoteSidecar | Sidecar) -> None:
        for news in self._listeners:
            getattr(found, news)(partial(self._heard, news))

    def _subscribe(self, news: str, listener: Callable[[Any], None]) -> Unsubscribe:
        if news not in self._listeners:
            self._listeners[news] = []
            for found in filter(None, (self._remote, self._own)):
                getattr(found, news)(partial(self._heard, news))
        self._listeners[news].append(listener)
        return partial(self._listeners[news].remove, listener)

    def _heard(self, news: str, value: object) -> None:
        heard_by_all(self._listeners[news], value)


def _task_of(value: object) -> str | None:
    """The task that an argument or a result names; a text may be the name itself."""
    return value if isinstance(value, str) else getattr(value, "task_id", None)


@asynccontextmanager
async def open_failover_client(
    options: SidecarOptions, folder: Path | None = None
) -> AsyncIterator[SidecarClient]:
    """The sidecar for `folder` (that of this process by default); `options` are for one of our own."""
    found = FailoverClient(options, folder or Path.cwd())
    await found.sidecar()
    try:
        # Its methods are looked up by name, which no checker sees.
        yield cast(SidecarClient, found)
    finally:
        await found.close()
