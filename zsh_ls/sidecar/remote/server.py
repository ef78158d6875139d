"""A sidecar offered to other processes of its user: each is a caller of its own, and sees all tasks."""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from zsh_ls.ipc import Connection, Listener
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import Caller
from zsh_ls.model.results import Progress
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe
from zsh_ls.sidecar.runs.progress import ProgressBuffer

from . import rpc

log = logging.getLogger(__name__)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Sharing:
    """The sockets of one sidecar and who came through them; open within `async with`."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    @classmethod
    async def open(
        cls, sidecar: SidecarInterface, workspaces: Sequence[str], runtime: Path
    ) -> Sharing:
        """Offer `sidecar` for `workspaces`; raises OSError where no private socket can be had."""
        listener, numbers = Listener(), itertools.count(1)

        def welcome(connection: Connection) -> None:
            Guest(sidecar, workspaces[0], connection, f"link-{next(numbers)}")

        await listener.open(runtime, map(Path, workspaces), welcome)
        return cls(listener)

    async def __aenter__(self) -> Sharing:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Remove the sockets and send everybody away."""
        await self._listener.close()


class Guest:
    """One process that has joined. When it goes, its tasks stay."""

    def __init__(
        self, sidecar: SidecarInterface, workspace: str, connection: Connection, name: str
    ) -> None:
        self._sidecar = sidecar
        self._workspace = workspace
        self._connection = connection
        self._caller = Caller(name, colour=False)
        self._subscriptions: dict[str, Unsubscribe] = {}
        self._progress = ProgressBuffer(partial(self._tell, "on_progress"))
        self._is_known = False
        connection.handle = self._handle
        connection.on_notification = self._on_notification
        connection.on_drained = self._progress.release
        connection.on_closed = self._on_closed

    async def _handle(self, name: str, params: Mapping[str, Any]) -> Any:
        if name == rpc.HELLO:
            return self._greet(params)
        if not self._is_known:
            raise RequestRejected("Say hello first.")
        arguments = rpc.remote_method(name).unpacked(params)
        passed = {key: self._as_this_caller(value) for key, value in arguments.items()}
        if "caller" in rpc.remote_method(name).types:
            passed["caller"] = self._caller
        return rpc.packed(await getattr(self._sidecar, name)(**passed))

    def _greet(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        if params.get("speaks") != rpc.RPC_VERSION:
            raise RequestRejected(
                f"This server speaks {rpc.RPC_VERSION}; restart whichever is older."
            )
        if not self._is_known:
            # Asked for by nobody: whoever joins takes the trust of this sidecar for its own.
            tell = partial(self._tell, rpc.TRUST)
            self._subscriptions[rpc.TRUST] = self._sidecar.on_trust_changed(tell)
        self._is_known = True
        self._caller = attrs.evolve(self._caller, colour=params.get("colour") is True)
        return {"workspace": self._workspace, "trusted": self._sidecar.is_trusted}

    def _as_this_caller(self, value: Any) -> Any:
        """A request that names its caller and its tag names this one, and the tag as this one's."""
        if not attrs.has(type(value)):
            return value
        names = {field.name for field in attrs.fields(type(value))}
        changes: dict[str, Any] = {}
        if "caller" in names:
            changes["caller"] = self._caller
        if "tag" in names and value.tag is not None:
            changes["tag"] = f"{self._tags}{value.tag}"
        return attrs.evolve(value, **changes)

    def _on_notification(self, kind: str, params: Mapping[str, Any]) -> None:
        news = str(params.get("news"))
        if not self._is_known or news not in rpc.NEWS:
            log.info("%s asks for the news %s", self._caller.name, news)
        elif kind == rpc.SUBSCRIBE and news not in self._subscriptions:
            subscribe: Callable[..., Unsubscribe] = getattr(self._sidecar, news)
            is_progress = news == "on_progress"
            listener = self._on_progress if is_progress else partial(self._tell, news)
            self._subscriptions[news] = subscribe(listener)
        elif kind == rpc.UNSUBSCRIBE and news in self._subscriptions:
            self._subscriptions.pop(news)()

    def _on_progress(self, progress: Progress) -> None:
        self._progress.held = self._connection.is_slow
        self._progress.add(self._for_this_caller(progress))

    def _for_this_caller(self, progress: Progress) -> Progress:
        """Without a tag that is another's; without colours, where this one shows none."""
        tag, text = progress.tag, progress.formatted
        if tag is not None:
            tag = tag.removeprefix(self._tags) if tag.startswith(self._tags) else None
        if text is not None and not self._caller.colour:
            text = _COLOUR.sub("", text)  # the command's own output has none
        return attrs.evolve(progress, tag=tag, formatted=text)

    def _tell(self, news: str, value: object) -> None:
        self._connection.notify(news, {"value": rpc.packed(value)})

    def _on_closed(self) -> None:
        for unsubscribe in self._subscriptions.values():
            unsubscribe()
        self._sidecar.forget_caller(self._caller)

    @property
    def _tags(self) -> str:
        return f"{self._caller.name}:"
