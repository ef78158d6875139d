"""The language server of one client, and the sidecar that its features call.

The sidecar is opened after `initialize`; requests wait until it is open. It is shared with other
processes of the user that work in the client's folders.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import pkgutil
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import ContextVar
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from zsh_ls import __version__
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.results import Progress
from zsh_ls.model.words import Origin
from zsh_ls.sidecar.config import NOT_TRUSTED, Places, Settings, SidecarOptions
from zsh_ls.sidecar.interface import SidecarInterface
from zsh_ls.sidecar.redact import redacted_beside_the_loop
from zsh_ls.sidecar.runs.progress import ProgressBuffer, notify_all
from zsh_ls.sidecar.to_json import to_json

from . import features
from .capabilities import initialize_result
from .client import SECTION, Client
from .configuration import Configuration, SettingsRequests
from .conversions import (
    json_rpc_error,
    lsp_params,
    request_of_command,
    strict_lsp_converter,
    zsh_params,
)
from .diagnostics import Diagnostics, Refresh
from .documents import Documents
from .protocol import JsonText, Protocol, ProtocolServer
from .sent_tokens import SentTokens
from .shown_messages import MessageFallback, Warnings
from .work_done import WorkDone

if TYPE_CHECKING:
    from zsh_ls.sidecar.remote.neighbours import SharedTasks

CLOSING_PATIENCE_S = 0.5

Opener = Callable[[Client, Settings], Awaitable[SidecarInterface]]
Handler = Callable[..., Awaitable[Any]]
log = logging.getLogger(__name__)


class ShellLanguageServer(ProtocolServer):
    """The LSP frontend."""

    protocol: Protocol

    def __init__(
        self,
        open_sidecar: Opener,
        settings: Settings,
        shells: Callable[[Client], dict[str, str]],
        problems: Sequence[str] = (),
    ) -> None:
        """`settings` come from environment variables, `problems` are what is wrong with them.

        `shells` gives the versions of shells for the result of `initialize`.
        """
        self._converter = strict_lsp_converter()
        super().__init__(
            "zsh-ls",
            __version__,
            protocol_cls=Protocol,
            converter_factory=lambda: self._converter,
        )
        self.client = Client()
        self.configuration = Configuration(settings, self._warn)
        self.warnings = Warnings(self.configuration.say)
        self._problems = problems
        self._open_sidecar = open_sidecar
        self._shells = shells
        self._sidecar: asyncio.Task[SidecarInterface] | None = None
        self._sharing: asyncio.Task[None] | None = None
        self._shared_tasks: SharedTasks | None = None
        self._questions = 0
        self._nobody_waits = asyncio.Event()
        self._nobody_waits.set()
        self._is_shared = asyncio.Event()
        self.settings_requests = SettingsRequests(
            self._ask_for_settings, self.settings_came, self.in_background
        )
        self._sends_zsh_progress = False
        # Of the request that is being answered: whether it came as a command.
        self.answers_command: ContextVar[bool] = ContextVar("answers_command", default=False)
        self._background: set[asyncio.Task[object]] = set()
        self._attach(Client())
        self._zsh_requests: dict[str, ModuleType] = {}
        for module in pkgutil.iter_modules(features.__path__):
            self._add(importlib.import_module(f"{features.__name__}.{module.name}"))
        # pygls cannot register bound methods: it sets attributes of what it registers.
        self.feature(types.WORKSPACE_EXECUTE_COMMAND)(partial(self._answer_command))

    # Requests

    @property
    def is_started(self) -> bool:
        """Whether the client's `initialize` has been answered."""
        return self._sidecar is not None

    def initialize(self, params: Any) -> dict[str, Any]:
        """Start for the client that sent these params; the result of `initialize`."""
        if type(params) is not dict or type(params.get("capabilities")) is not dict:
            wrong = JsonRpcInvalidParams("params.capabilities: expected an object")
            raise json_rpc_error(wrong, types.INITIALIZE)
        self.start(Client.of(params))
        return initialize_result(self.client, self._shells(self.client))

    def start(self, client: Client) -> None:
        """Serve `client`, whose `initialize` is answered; opens the sidecar."""
        self.client = client
        self._attach(client)
        self.configuration.started_with(client.options)
        self._sends_zsh_progress = client.speaks_zsh
        if not client.gives_configuration:
            self.settings_requests.are_known()
        self._sidecar = asyncio.get_running_loop().create_task(self._open())

    async def sidecar(self) -> SidecarInterface:
        """The sidecar, as soon as it is open; opened anew where it could not be before."""
        if self._sidecar is None:
            raise RequestRejected("The server is not initialized.")
        if self._sidecar.done() and self._sidecar.exception() is not None:
            self._sidecar = asyncio.get_running_loop().create_task(self._open())
        if self._sidecar.done():
            return self._sidecar.result()
        return await asyncio.shield(self._sidecar)

    async def tasks(self) -> SidecarInterface | SharedTasks:
        """Everybody's tasks: of this server and of the others of its workspace, once it is shared itself."""
        return self._shared_tasks or await self.sidecar()

    async def shared_tasks(self) -> SharedTasks:
        """Everybody's tasks, as soon as this server looks for the others'."""
        self._begin_sharing()
        assert self._sharing is not None
        is_shared = asyncio.ensure_future(self._is_shared.wait())
        try:
            await asyncio.wait((is_shared, self._sharing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_shared.cancel()
        if self._shared_tasks is None:
            raise RequestRejected("The server is ending.")
        return self._shared_tasks

    async def sidecar_that_runs(self) -> SidecarInterface:
        """The sidecar, to run something; raises RequestRejected if the workspace is not trusted."""
        if not await self.may_run():
            raise RequestRejected(NOT_TRUSTED)
        return await self.sidecar()

    async def may_run(self) -> bool:
        """Whether the workspace is trusted, by the client's settings so far."""
        await self.settings_requests.wait()
        return self.configuration.settings.trusted

    async def close(self) -> None:
        """Close the sidecar, which ends all tasks."""
        if self._sharing is not None:
            self._sharing.cancel()
            await asyncio.wait([self._sharing], timeout=CLOSING_PATIENCE_S)
        if self._sidecar is None:
            return
        await asyncio.wait([self._sidecar], timeout=CLOSING_PATIENCE_S)
        if self._sidecar.done() and not self._sidecar.cancelled() and not self._sidecar.exception():
            await self._sidecar.result().close()

    # Settings

    def initialized(self) -> None:
        """Show problems of the start, request settings, and share the sidecar."""
        for problem in self._problems:
            self.configuration.say(f"zsh-ls: {problem}")
        self.warnings.begin()
        if self.client.gives_configuration:
            self.settings_requests.renew()
        if self.client.registers_configuration:
            self.in_background(self._watch_settings())
        self._begin_sharing()

    def _begin_sharing(self) -> None:
        if self._sharing is None:
            self._sharing = asyncio.get_running_loop().create_task(self._share())
            self._sharing.add_done_callback(self._background_ended)

    async def _ask_for_settings(self) -> object:
        """The client's settings; raises what the client answers instead."""
        item = types.ConfigurationItem(section=SECTION)
        found = await self.workspace_configuration_async(types.ConfigurationParams([item]))
        return found[0] if found else None

    async def _watch_settings(self) -> None:
        """Register for notifications of changed settings."""
        watched = types.Registration(
            id=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            register_options=types.DidChangeConfigurationRegistrationOptions(SECTION),
        )
        await self.client_register_capability_async(types.RegistrationParams([watched]))

    def settings_came(self, given: object) -> None:
        """Apply settings that the client sent, requested or not."""
        was_trusted = self.configuration.settings.trusted
        self.configuration.came(given)
        if self.client.refreshes_lenses and was_trusted is not self.configuration.settings.trusted:
            self._lenses.wanted()
        if self._sidecar is not None and self._sidecar.done() and not self._sidecar.exception():
            self._sidecar.result().configure(self.configuration.settings)

    def hold(self, is_slow: bool) -> None:
        """Hold back progress and diagnostics while the client reads too slowly."""
        for held in (self.news, self.diagnostics):
            if is_slow:
                held.held = True
            elif held.held:
                held.release()

    def in_background(self, work: Coroutine[Any, Any, object]) -> None:
        """Run `work` as a task; its errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background_ended)

    # Setup

    def _attach(self, client: Client) -> None:
        pulls = client.pulls_diagnostics
        self.documents = Documents(client.position_encoding)
        self.sent_tokens = SentTokens()
        self.news = ProgressBuffer(self._send_progress)
        self.work_done = WorkDone(
            self.progress,
            self._create_token if client.shows_progress else None,
            self._kill,
            client.workspace or "",
        )
        self.message_fallback = MessageFallback(self.window_show_message)
        self.diagnostics = Diagnostics(
            self.documents,
            self.text_document_publish_diagnostics,
            partial(self.protocol.long_notification, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS),
            Refresh(partial(self.workspace_diagnostic_refresh_async, None)) if pulls else None,
            self._nobody_waits,
        )
        self._hints = Refresh(partial(self.workspace_inlay_hint_refresh_async, None))
        self._lenses = Refresh(partial(self.workspace_code_lens_refresh_async, None))

    def _add(self, module: ModuleType) -> None:
        """Register the feature of a module of `features`."""
        method: str = module.METHOD
        if hasattr(module, "Params"):
            self._zsh_requests[method] = module
            self.feature(method)(partial(self._answer_zsh, method))
        elif asyncio.iscoroutinefunction(module.handle):
            answer = partial(self._answer, method, module.handle)
            self.feature(method, getattr(module, "OPTIONS", None))(answer)
        else:
            self.feature(method)(partial(self._notified, method, module.handle))

    async def _answer(self, method: str, handle: Handler, raw: Any) -> JsonText:
        """Answer a request of LSP with the JSON text of its result."""
        self._questions += 1
        self._nobody_waits.clear()
        try:
            params = lsp_params(self._converter, method, raw)
            return await self.protocol.json_text([await handle(self, params)])
        except Exception as fault:
            raise json_rpc_error(fault, method) from fault
        finally:
            self._questions -= 1
            if not self._questions:
                self._nobody_waits.set()

    async def _answer_zsh(self, method: str, raw: Any, *, as_command: bool = False) -> JsonText:
        """Answer a `zsh/*` request; the result of a command is shown if the client does not."""
        self._sends_zsh_progress = True
        module = self._zsh_requests[method]
        self.answers_command.set(as_command)
        try:
            params = zsh_params(module.Params, raw)
            result = to_json(await module.handle(self, params))
            if getattr(params, "origin", None) is Origin.AGENT:
                result = await redacted_beside_the_loop(result)
            if as_command and not self.client.speaks_zsh:
                self.message_fallback.answered(method, result)
            held = [result]
            del result
            return await self.protocol.json_text(held)
        except Exception as fault:
            raise json_rpc_error(fault, method) from fault

    async def _answer_command(self, raw: Any) -> JsonText:
        """Answer `workspace/executeCommand`: every `zsh/*` request is a command as well (WIRE-3)."""
        try:
            method, params = request_of_command(raw, self._zsh_requests)
        except JsonRpcInvalidParams as wrong:
            raise json_rpc_error(wrong, types.WORKSPACE_EXECUTE_COMMAND) from None
        return await self._answer_zsh(method, params, as_command=True)

    def _notified(self, method: str, handle: Callable[..., None], raw: Any) -> None:
        """Handle a notification. Nobody can be sent an error, so one that fails is dropped."""
        try:
            handle(self, lsp_params(self._converter, method, raw))
        except JsonRpcInvalidParams as wrong:
            log.info("the notification %s was dropped: %s", method, wrong)
        except Exception:
            log.exception("the notification %s was dropped", method)

    async def _open(self) -> SidecarInterface:
        opened_with = self.configuration.settings
        sidecar = await self._open_sidecar(self.client, opened_with)
        if self.configuration.settings is not opened_with:
            sidecar.configure(self.configuration.settings)
        sidecar.on_progress(self.news.add)
        sidecar.on_insights_changed(self._insights_changed)
        self.documents.serve(sidecar)
        self.diagnostics.serve(sidecar)
        return sidecar

    async def _share(self) -> None:
        """Share the sidecar from when the settings are known until this is cancelled."""
        await self.settings_requests.wait()
        sidecar, folders = await self.sidecar(), self.client.folders
        # The import takes long enough to be done in a thread.
        remote = await asyncio.to_thread(importlib.import_module, "zsh_ls.sidecar.remote.server")
        runtime = Places.of_this_user().runtime
        views = {"colour": self.client.wants_colour, "only_news": self.client.wants_only_news}
        try:
            sharing = await remote.Sharing.open(sidecar, folders, runtime, **views)
        except OSError as refused:
            log.warning("nobody can join this server: %s", refused)
            sharing = await remote.Sharing.open(sidecar, (), runtime, **views)
        async with sharing:
            self._shared_tasks = sharing.tasks
            sharing.tasks.on_detached_progress(self.news.add)
            self._is_shared.set()
            await asyncio.Event().wait()

    def _background_ended(self, task: asyncio.Task[object]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.info("in the background: %s", fault)

    def _insights_changed(self, uri: str) -> None:
        self.diagnostics.insights_changed(uri)
        if self.client.refreshes_hints:
            self._hints.wanted()
        if self.client.refreshes_lenses:
            self._lenses.wanted()

    def _send_progress(self, progress: Progress) -> None:
        receivers = (
            self._send_zsh_progress,
            self.work_done.on_progress,
            self.message_fallback.on_progress,
        )
        notify_all(receivers, progress)

    def _send_zsh_progress(self, progress: Progress) -> None:
        if self._sends_zsh_progress:
            self.protocol.notify("zsh/progress", to_json(progress))

    def _warn(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    async def _create_token(self, token: int | str) -> None:
        await self.window_work_done_progress_create_async(types.WorkDoneProgressCreateParams(token))

    async def _kill(self, task_id: str) -> None:
        await (await self.tasks()).kill(task_id)


async def open_sidecar(client: Client, settings: Settings) -> SidecarInterface:
    """A new sidecar for this client; its session lasts as long as the server."""
    from zsh_ls.sidecar.service import Sidecar  # noqa: PLC0415  while the client is answered

    options = SidecarOptions(
        session=f"lsp-{secrets.token_hex(8)}",
        workspace=client.workspace,
        folders=client.folders,
        colour=client.wants_colour,
        only_news=client.wants_only_news,
        settings=settings,
    )
    return await Sidecar.open(options)
