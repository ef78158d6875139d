"""The sidecar of another process as JSON: for commands that ask it one thing, and for hooks.

    server = join(runtime, folder)
    answer = server.call("tasks", include_ended=True)

The methods are those of `TaskService`, and so are the names of their arguments; requests and
results are dictionaries with the names of the wire (`docs/protocol.md`). Nothing is loaded here but
what Python brings: neither an event loop nor the classes of requests and results, which together take ten
times as long as the question.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from zsh_ls.ipc import servers_around
from zsh_ls.ipc.blocking import BlockingConnection, dial_blocking
from zsh_ls.ipc.errors import ConnectionLost
from zsh_ls.model.errors import SidecarError

from .greeting import HELLO, PATIENCE_S, SHOWN, SUBSCRIBE, hello

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Listener = Callable[[Mapping[str, Any]], None]


class ThinClient:
    """A server that was joined; made by `join`."""

    def __init__(self, connection: BlockingConnection) -> None:
        self._connection = connection
        self._listeners: dict[str, Listener] = {}
        connection.on_notification = self._on_notification

    def call(self, method: str, **params: Any) -> Any:
        """The result of a method of `TaskService`; raises the SidecarError that was raised there."""
        return self._connection.request(method, params)

    def post(self, method: str, **params: Any) -> None:
        """Call a method whose result nobody waits for."""
        self._connection.post(method, params)

    def shown(self, commands: Sequence[str]) -> list[str]:
        """Commands as they may be shown, without their secrets (ALAN-7)."""
        found: list[str] = self._connection.request(SHOWN, {"commands": commands})
        return found

    def subscribe(self, news: str, listener: Listener) -> None:
        """Have `listener` called with each piece of news that comes while an answer is waited for."""
        self._listeners[news] = listener
        self._connection.notify(SUBSCRIBE, {"news": news})

    def watch(self, descriptor: int, when_readable: Callable[[], None]) -> None:
        """Have the function called when a descriptor can be read while an answer is waited for."""
        self._connection.watched[descriptor] = when_readable

    def unwatch(self, descriptor: int) -> None:
        """Watch a descriptor no longer."""
        del self._connection.watched[descriptor]

    def close(self) -> None:
        """Leave; the server and all its tasks go on."""
        self._connection.close()

    def _on_notification(self, news: str, params: Mapping[str, Any]) -> None:
        if news in self._listeners:
            self._listeners[news](params["value"])


def join(
    runtime: Path, place: Path, *, colour: bool = False, only_news: bool = False
) -> ThinClient | None:
    """The server whose workspace contains `place`, as `client.join` finds it; None where there is none."""
    for path in servers_around(runtime, place):
        connection = dial_blocking(path)
        if connection is None:
            continue
        try:
            greeting = hello(colour=colour, only_news=only_news)
            connection.request(HELLO, greeting, PATIENCE_S)
        except ConnectionLost:
            connection.close()  # it ends just now: no news for anybody
        except (SidecarError, TimeoutError) as strange:
            connection.close()
            _warn(path, strange)
        else:
            return ThinClient(connection)
    return None


def _warn(path: str | os.PathLike[str], strange: Exception) -> None:
    import logging  # noqa: PLC0415  takes as long to load as the question, and is rarely used

    log = logging.getLogger(__name__)
    log.warning("%s is not joined: %s", path, str(strange) or "it does not answer")
