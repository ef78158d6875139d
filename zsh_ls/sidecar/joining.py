"""The sidecar for a folder: that of the server which runs for its workspace, else one of our own.

    async with joined_or_own(options, folder) as sidecar:
        await sidecar.run(request)

A server that goes takes its tasks along: each call that waits for it raises
`LinkLost`, and the next one finds another server or stands alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

from . import crossing
from .interface import SidecarInterface, Unsubscribe
from .options import SidecarOptions
from .remote import RemoteSidecar, join
from .sidecar import Sidecar


class Companion(SidecarInterface, Protocol):
    """A sidecar that is a server's, or our own where none runs.

    Of the façade, the methods of `crossing.METHODS` can be called, and what
    `crossing.NEWS` names can be subscribed to.
    """

    @property
    def is_joined(self) -> bool:
        """Whether it is a running server's."""
        ...


class JoinedOrOwn:
    """A Companion. It looks for a server at the beginning, and again when that server has gone."""

    def __init__(self, options: SidecarOptions, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._found: RemoteSidecar | Sidecar | None = None
        self._finding = asyncio.Lock()
        self._listeners: dict[str, list[Callable[[Any], None]]] = {n: [] for n in crossing.NEWS}

    @property
    def is_joined(self) -> bool:
        """Whether it is a running server's."""
        return isinstance(self._found, RemoteSidecar) and not self._found.is_lost

    def __getattr__(self, name: str) -> Any:
        """A method of the façade, or a subscription, if it can cross."""
        if name in crossing.METHODS:
            return partial(self._ask, name)
        if name in crossing.NEWS:
            return partial(self._subscribe, name)
        raise AttributeError(name)

    async def close(self) -> None:
        """Leave the server, whose tasks go on, or end our own."""
        if self._found is not None:
            await self._found.close()

    async def sidecar(self) -> RemoteSidecar | Sidecar:
        """The one to ask now: that of a server, or our own, opened where there is none."""
        async with self._finding:
            if isinstance(self._found, RemoteSidecar) and self._found.is_lost:
                await self._found.close()
                self._found = None
            if self._found is None:
                self._found = await self._find()
            return self._found

    async def _ask(self, name: str, *args: object, **kwargs: object) -> Any:
        return await getattr(await self.sidecar(), name)(*args, **kwargs)

    async def _find(self) -> RemoteSidecar | Sidecar:
        options = self._options
        joined = await join(options.places.runtime, self._folder, colour=options.colour)
        found = joined or await Sidecar.open(options)
        for news, listeners in self._listeners.items():
            if listeners:
                getattr(found, news)(partial(self._heard, news))
        return found

    def _subscribe(self, news: str, listener: Callable[[Any], None]) -> Unsubscribe:
        if self._found is not None and not self._listeners[news]:
            getattr(self._found, news)(partial(self._heard, news))
        self._listeners[news].append(listener)
        return partial(self._listeners[news].remove, listener)

    def _heard(self, news: str, value: object) -> None:
        for listener in tuple(self._listeners[news]):
            listener(value)


@asynccontextmanager
async def joined_or_own(
    options: SidecarOptions, folder: Path | None = None
) -> AsyncIterator[Companion]:
    """The sidecar for `folder` (that of this process by default); `options` are for one of our own."""
    found = JoinedOrOwn(options, folder or Path.cwd())
    await found.sidecar()
    try:
        # Its methods are looked up by name, which no checker sees.
        yield cast(Companion, found)
    finally:
        await found.close()
