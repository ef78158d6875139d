"""The façade of a sidecar in another process, and the table of what can be asked of it.

A method is called by its name; its arguments and its result are converted by
the types that `SidecarInterface` declares, so that a new remote method is one
more name in the table. Errors are raised as they were raised there. When the
connection is lost, every waiting call and every later one raises ConnectionLost.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, cast, get_type_hints

import attrs
import cattrs

from zsh_ls import __version__
from zsh_ls.ipc import Connection, ConnectionLost, dial, servers_around
from zsh_ls.model.errors import InvalidRequest, RequestRejected, SidecarError
from zsh_ls.model.results import Progress
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe
from zsh_ls.sidecar.runs.progress import heard_by_all

# Documents, settings and the end of the sidecar belong to the frontend that opened it.
REMOTE_METHODS = frozenset(
    {
        "ask",
        "circuit",
        "command_stats",
        "explain",
        "health",
        "hints_for",
        "insights_for",
        "interrupt",
        "kill",
        "memory_stats",
        "output",
        "poll",
        "resize",
        "run",
        "run_script",
        "send",
        "tasks",
    }
)
# What can be subscribed to, and the value each piece of news carries.
TRUST = "on_trust_changed"
NEWS: Mapping[str, type] = {"on_progress": Progress, "on_insights_changed": str, TRUST: bool}

HELLO = "hello"
SUBSCRIBE = "subscribe"
UNSUBSCRIBE = "unsubscribe"
# Raised when messages change their meaning; another version's sidecar is not joined.
LINK_VERSION = 2
RPC_VERSION = f"{__version__}/{LINK_VERSION}"

_CONVERTER = cattrs.Converter()


@attrs.frozen
class Method:
    """One method of the façade: its signature and the types of its arguments and its result."""

    signature: inspect.Signature
    types: Mapping[str, Any]
    result: Any

    def packed(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call as JSON knows them."""
        given = self.signature.bind(None, *args, **kwargs).arguments
        return {name: _CONVERTER.unstructure(given[name]) for name in self.types if name in given}

    def unpacked(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call that came; raises InvalidRequest where they do not fit."""
        try:
            self.signature.bind(None, **params)
            return {
                name: _CONVERTER.structure(value, self.types[name])
                for name, value in params.items()
            }
        except (KeyError, ValueError, TypeError, cattrs.BaseValidationError) as wrong:
            raise InvalidRequest(f"params: {type(wrong).__name__}: {wrong}") from None


@cache
def remote_method(name: str) -> Method:
    """The method of that name; raises InvalidRequest for what does not cross."""
    if name not in REMOTE_METHODS:
        raise InvalidRequest(f"Unknown method: {name}")
    declared: Callable[..., Any] = getattr(SidecarInterface, name)
    types = get_type_hints(declared)
    result = types.pop("return")
    return Method(inspect.signature(declared), types, result)


def packed(value: object) -> Any:
    """A result or a piece of news as JSON knows it."""
    return _CONVERTER.unstructure(value)


def unpacked(value: Any, kind: Any) -> Any:
    """The value of `kind` that was packed at the other end."""
    return None if kind is type(None) else _CONVERTER.structure(value, kind)


# A server that is stopped or stuck is none; a busy one answers in milliseconds.
PATIENCE_S = 2.0

log = logging.getLogger(__name__)
Listener = Callable[[Any], None]


class RemoteSidecar:
    """Another process's sidecar. What is in `REMOTE_METHODS` can be called; made by `join`."""

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
        """Say who is there; raises RequestRejected where the other end speaks another version."""
        hello = {"speaks": RPC_VERSION, "colour": colour}
        answer = await self._connection.request(HELLO, hello)
        self.workspace = answer["workspace"]
        if self._is_trusted is None:  # else there was news of it since
            self._is_trusted = answer["trusted"] is True

    def __getattr__(self, name: str) -> Any:
        """A method of the façade, if it crosses."""
        if name not in REMOTE_METHODS:
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
        listeners = self._listeners.setdefault(TRUST, [])
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
        method = remote_method(name)
        answer = await self._connection.request(name, method.packed(args, kwargs))
        return unpacked(answer, method.result)

    def _subscribe(self, news: str, listener: Listener) -> Unsubscribe:
        listeners = self._listeners.setdefault(news, [])
        if not listeners:
            self._connection.tell(SUBSCRIBE, {"news": news})
        listeners.append(listener)
        return partial(self._unsubscribe, news, listener)

    def _unsubscribe(self, news: str, listener: Listener) -> None:
        self._listeners[news].remove(listener)
        if not self._listeners[news]:
            self._connection.tell(UNSUBSCRIBE, {"news": news})

    def _hear(self, news: str, params: Any) -> None:
        value = unpacked(params["value"], NEWS[news])
        if news == TRUST:
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
    """`remote`, typed as the façade: its methods are looked up by name, which no checker sees."""
    return cast(SidecarInterface, remote)


__all__ = ["ConnectionLost", "RemoteSidecar", "as_interface", "join"]
