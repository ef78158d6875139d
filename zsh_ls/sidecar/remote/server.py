"""A sidecar offered to other processes of its user: each is a caller of its own, and sees all tasks."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from zsh_ls.ipc import Connection, Listener
from zsh_ls.lazy import re
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import HERE, Caller
from zsh_ls.model.results import Progress
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.interface import SidecarInterface, Unsubscribe
from zsh_ls.sidecar.runs.progress import ProgressBuffer

from . import greeting, rpc
from .neighbours import SHARED, Neighbours, SharedTasks

log = logging.getLogger(__name__)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Sharing:
    """The sockets of one sidecar and who came through them; open within `async with`."""

    def __init__(self, listener: Listener, neighbours: Neighbours, tasks: SharedTasks) -> None:
        self.tasks = tasks
        self._listener = listener
        self._neighbours = neighbours

    @classmethod
    async def open(
        cls,
        sidecar: SidecarInterface,
        workspaces: Sequence[str],
        runtime: Path,
        *,
        colour: bool = False,
        only_news: bool = False,
    ) -> Sharing:
        """Offer `sidecar` for `workspaces`; raises OSError where no private socket can be had.

        `colour`, `only_news`: what this server's own client wants (`SidecarOptions`).
        """
        neighbours = Neighbours(runtime, workspaces, colour=colour, only_news=only_news)
        tasks = SharedTasks(sidecar, neighbours)
        listener, numbers = Listener(), itertools.count(1)

        def welcome(connection: Connection) -> None:
            Guest(sidecar, tasks, workspaces[0], connection, f"link-{next(numbers)}")

        await listener.open(runtime, map(Path, workspaces), welcome)
        neighbours.leave_out(listener.paths)
        return cls(listener, neighbours, tasks)

    async def __aenter__(self) -> Sharing:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Remove the sockets, send everybody away and leave the neighbours."""
        await self._neighbours.close()
        await self._listener.close()


class Guest:
    """One process that has joined. When it goes, its tasks stay.

    It sees the tasks of the neighbours too, unless it is a neighbour itself: that asks on behalf of
    its own clients, each of which is a caller here. A keeper is asked by servers alone.
    """

    def __init__(
        self,
        sidecar: SidecarInterface,
        tasks: SharedTasks | SidecarInterface,
        workspace: str,
        connection: Connection,
        name: str,
        *,
        is_keeper: bool = False,
    ) -> None:
        self._sidecar = sidecar
        self._tasks = tasks
        self._workspace = workspace
        self._connection = connection
        self._caller = Caller(name, colour=False, only_news=False)
        self._callers = {self._caller}
        self._is_server = False
        self._is_keeper = is_keeper
        self._subscriptions: dict[str, Unsubscribe] = {}
        self._progress = ProgressBuffer(partial(self._tell, "on_progress"))
        self._is_known = False
        connection.handle = self._handle
        connection.on_notification = self._on_notification
        connection.on_drained = self._progress.release
        connection.on_closed = self._on_closed

    async def _handle(self, name: str, params: Mapping[str, Any]) -> Any:
        if name == greeting.HELLO:
            return self._greet(params)
        if not self._is_known:
            raise RequestRejected("Say hello first.")
        if name == greeting.SHOWN:
            return [shown_command(it) for it in params.get("commands", ()) if isinstance(it, str)]
        arguments = rpc.remote_method(name).unpacked(params)
        passed = {key: self._as_this_caller(value) for key, value in arguments.items()}
        if "caller" in rpc.remote_method(name).types:
            passed["caller"] = self._caller_of(arguments.get("caller", HERE))
        return rpc.packed(await self._asked(name)(**passed))

    def _asked(self, name: str) -> Callable[..., Any]:
        is_shared = name in SHARED and not self._is_server
        found: Callable[..., Any] = getattr(self._tasks if is_shared else self._sidecar, name)
        return found

    def _caller_of(self, named: Caller) -> Caller:
        """Who asks: this process, or whom a neighbour asks for."""
        if not self._is_server:
            return self._caller
        colour = self._caller.colour if named.colour is None else named.colour
        only_news = self._caller.only_news if named.only_news is None else named.only_news
        caller = Caller(f"{self._caller.name}:{named.name}", colour, only_news)
        self._callers.add(caller)
        return caller

    def _greet(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        speaks = params.get("speaks")
        is_understood = self._is_keeper and greeting.is_understood_by_keeper(speaks)
        if speaks != greeting.RPC_VERSION and not is_understood:
            raise RequestRejected(
                f"This server speaks {greeting.RPC_VERSION}; restart whichever is older."
            )
        if not self._is_known:
            # Asked for by nobody: whoever joins takes the trust of this sidecar for its own.
            tell = partial(self._tell, greeting.TRUST)
            self._subscriptions[greeting.TRUST] = self._sidecar.on_trust_changed(tell)
        self._is_known = True
        self._is_server = params.get("server") is True
        self._caller = attrs.evolve(
            self._caller,
            colour=params.get("colour") is True,
            only_news=params.get("only_news") is True,
        )
        return {"workspace": self._workspace, "trusted": self._sidecar.is_trusted}

    def _as_this_caller(self, value: Any) -> Any:
        """A request that names its caller and its tag names this one, and the tag as this one's."""
        if not attrs.has(type(value)):
            return value
        names = {field.name for field in attrs.fields(type(value))}
        changes: dict[str, Any] = {}
        if "caller" in names:
            changes["caller"] = self._caller_of(value.caller)
        if "tag" in names and value.tag is not None:
            changes["tag"] = f"{self._tags}{value.tag}"
        return attrs.evolve(value, **changes)

    def _on_notification(self, kind: str, params: Mapping[str, Any]) -> None:
        news = str(params.get("news"))
        if not self._is_known or news not in rpc.NEWS:
            log.info("%s asks for the news %s", self._caller.name, news)
        elif kind == greeting.SUBSCRIBE and news not in self._subscriptions:
            subscribe: Callable[..., Unsubscribe] = self._asked(news)
            is_progress = news == "on_progress"
            listener = self._on_progress if is_progress else partial(self._tell, news)
            self._subscriptions[news] = subscribe(listener)
        elif kind == greeting.UNSUBSCRIBE and news in self._subscriptions:
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
        for caller in (*self._callers, self._caller):
            self._sidecar.forget_caller(caller)

    @property
    def _tags(self) -> str:
        return f"{self._caller.name}:"
