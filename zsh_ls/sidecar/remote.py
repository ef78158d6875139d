"""The façade of a sidecar that runs in another process: every call crosses the link and comes back.

Faults are raised as they were there. When the other end has gone, each waiting
call and every later one raises `link.LinkLost`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from zsh_ls.ipc import Connection, ConnectionLost, dial, servers_around
from zsh_ls.model.errors import RequestRejected, SidecarError

from . import rpc
from .interface import SidecarInterface, Unsubscribe
from .news import heard_by_all

# A server that is stopped or stuck is none; a busy one answers in milliseconds.
PATIENCE_S = 2.0

log = logging.getLogger(__name__)
Listener = Callable[[Any], None]


class RemoteSidecar:
    """Another process's sidecar. What is in `crossing.METHODS` can be called; made by `join`."""

    def __init__(self, connection: Connection) -> None:
        self.workspace = ""
        self._is_trusted: bool | None = None
        self._connection = connection
        self._listeners: dict[str, list[Listener]] = {}
        connection.hear = self._hear
        self._serving = asyncio.get_running_loop().create_task(connection.serve())

    @property
    def is_lost(self) -> bool:
        """Whether the other end has gone."""
        return self._connection.is_lost

    @property
    def is_trusted(self) -> bool:
        """Whether the other end executes anything, as far as it has said by now."""
        return self._is_trusted is True

    async def greet(self, *, colour: bool) -> None:
        """Say who is there; raises Refused where the other end speaks another version."""
        hello = {"speaks": rpc.RPC_VERSION, "colour": colour}
        answer = await self._connection.request(rpc.HELLO, hello)
        self.workspace = answer["workspace"]
        if self._is_trusted is None:  # else there was news of it since
            self._is_trusted = answer["trusted"] is True

    def __getattr__(self, name: str) -> Any:
        """A method of the façade, if it crosses."""
        if name not in rpc.REMOTE_METHODS:
            raise AttributeError(name)
        return partial(self._call, name)

    def on_progress(self, listener: Listener) -> Unsubscribe:
        """Call `listener` with news of tasks, whoever started them."""
        return self._subscribe("on_progress", listener)

    def on_insights_changed(self, listener: Listener) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        return self._subscribe("on_insights_changed", listener)

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Unsubscribe:
        """Call `listener` when the other end is trusted from now on, or no longer is."""
        listeners = self._listeners.setdefault(rpc.TRUST, [])
        listeners.append(listener)
        return partial(listeners.remove, listener)

    def configure(self, *_: object) -> None:
        """Refused: the settings are those of the server."""
        raise RequestRejected(
            "A joined sidecar has the settings of its server; they are set there."
        )

    open_document = edit_document = close_document = configure

    async def close(self) -> None:
        """Leave; the other sidecar and all its tasks go on."""
        self._connection.close()
        await self._serving

    async def _call(self, name: str, *args: object, **kwargs: object) -> Any:
        method = rpc.method(name)
        answer = await self._connection.request(name, method.packed(args, kwargs))
        return rpc.unpacked(answer, method.result)

    def _subscribe(self, news: str, listener: Listener) -> Unsubscribe:
        listeners = self._listeners.setdefault(news, [])
        if not listeners:
            self._connection.tell(rpc.SUBSCRIBE, {"news": news})
        listeners.append(listener)
        return partial(self._unsubscribe, news, listener)

    def _unsubscribe(self, news: str, listener: Listener) -> None:
        self._listeners[news].remove(listener)
        if not self._listeners[news]:
            self._connection.tell(rpc.UNSUBSCRIBE, {"news": news})

    def _hear(self, news: str, params: Any) -> None:
        value = rpc.unpacked(params["value"], rpc.NEWS[news])
        if news == rpc.TRUST:
            self._is_trusted = value
        heard_by_all(self._listeners.get(news, ()), value)


async def join(
    runtime: Path, place: Path, *, colour: bool = False, shunned: set[Path] | None = None
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
        remote = RemoteSidecar(connection)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await remote.greet(colour=colour)
        except (SidecarError, TimeoutError) as strange:
            log.warning("link: %s is not joined: %s", path, strange or "it does not answer")
            await remote.close()
            if shunned is not None:
                shunned.add(path)
        else:
            return remote
    return None


def as_interface(remote: object) -> SidecarInterface:
    """The same, as the doors know it: its methods are looked up by name, which no checker sees."""
    return cast(SidecarInterface, remote)


__all__ = ["ConnectionLost", "RemoteSidecar", "as_interface", "join"]
