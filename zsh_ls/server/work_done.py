"""`$/progress` of tasks, with a token of the client or one created there; cancelling kills the task.

The percentage is the estimated completion probability, if there is one. A token
begins with the first progress of its task, and ends with the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from zsh_ls.insights.suggestions import told_to_people
from zsh_ls.model.results import Progress
from zsh_ls.model.shown_command import shown_command
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar.runs.progress import last_line

LONGEST_TITLE = 80
# Tasks of these origins are not started by the editor, so their title names the origin.
ELSEWHERE = (Origin.AGENT, Origin.CLI)

Token = int | str
Create = Callable[[Token], Awaitable[object]]
log = logging.getLogger(__name__)


@attrs.define
class ShownTask:
    """The progress of one task; without a `token` the client does not show it."""

    task_id: str
    latest: Progress
    token: Token | None = None
    is_creating_token: bool = False
    begun: bool = False


class Work:
    """The progress of something that is no task, told in percent."""

    def __init__(self, notify: Callable[[types.ProgressParams], None], token: Token | None) -> None:
        self._notify = notify
        self._token = token
        self._end = ""
        self.cancel: Callable[[], object] = lambda: None

    def begin(self, title: str) -> None:
        """Begin to show it."""
        self._send(types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def tell(self, message: str, percent: int) -> None:
        """Say what is done now."""
        self._send(
            types.WorkDoneProgressReport(cancellable=True, message=message, percentage=percent)
        )

    def on_cancel(self, cancel: Callable[[], object]) -> None:
        """What is to happen when the user cancels it."""
        self.cancel = cancel

    def ends_with(self, message: str) -> None:
        """What its end says."""
        self._end = message

    def end(self) -> None:
        """Show it no longer."""
        self._send(types.WorkDoneProgressEnd(message=self._end or None))

    def _send(self, value: object) -> None:
        if self._token is not None:
            self._notify(types.ProgressParams(self._token, value))


class WorkDone:
    """The progress of all tasks that the client shows."""

    def __init__(
        self,
        notify: Callable[[types.ProgressParams], None],
        create: Create | None,
        kill: Callable[[str], Awaitable[object]],
        folder: str = "",
    ) -> None:
        """`create` creates a token at the client; None if it only supports tokens of its own.

        Paths in titles are as seen from `folder`, that of the workspace.
        """
        self._notify = notify
        self._shown_command = partial(shown_command, folder=folder, home=os.path.expanduser("~"))
        self._create = create
        self._kill = kill
        self._given: dict[str, Token] = {}
        self._shown: dict[str, ShownTask] = {}
        self._cancelled: set[Token] = set()
        self._background: set[asyncio.Future[Any]] = set()
        self._tags = 0
        self._works: dict[Token, Work] = {}

    @contextlib.asynccontextmanager
    async def work(self, title: str, token: Token | None) -> AsyncIterator[Work]:
        """Show the progress of what is done within, with the client's token or one created there."""
        if token is None and self._create is not None:
            token = f"zsh-ls-{secrets.token_hex(4)}"
            try:
                await self._create(token)
            except JsonRpcException as refused:
                log.info("the client shows no progress: %s", refused)
                token = None
        work = Work(self._notify, token)
        work.begin(title)
        if token is not None:
            self._works[token] = work
        try:
            yield work
        finally:
            if token is not None:
                self._works.pop(token, None)
            work.end()

    def tag_for(self, token: Token | None) -> str | None:
        """A tag for a RunRequest that connects its progress with `token`."""
        if token is None:
            return None
        self._tags += 1
        tag = str(self._tags)
        self._given[tag] = token
        return tag

    def forget(self, tag: str | None) -> None:
        """Forget a tag whose run has failed to start."""
        if tag is not None:
            self._cancelled.discard(self._given.pop(tag, ""))

    def on_progress(self, progress: Progress) -> None:
        """Begin, report or end the progress of a task."""
        shown = self._shown.get(progress.task_id)
        if shown is None:
            shown = self._shown[progress.task_id] = self._new(progress)
        shown.latest = progress
        self._update(shown)

    def cancelled(self, token: Token) -> None:
        """Kill the task of a token that the user has cancelled, as soon as it is known."""
        if token in self._works:
            self._works[token].cancel()
            return
        for shown in self._shown.values():
            if shown.token == token:
                self._in_background(self._kill(shown.task_id))
                return
        if token in self._given.values():
            self._cancelled.add(token)

    def _new(self, progress: Progress) -> ShownTask:
        shown = ShownTask(progress.task_id, progress)
        if progress.tag is not None:
            shown.token = self._given.pop(progress.tag, None)
        if shown.token is None and self._create is not None and not _is_end(progress):
            shown.is_creating_token = True
            token = f"zsh-ls-{shown.task_id}"
            self._in_background(self._create_token(self._create, shown, token))
        return shown

    async def _create_token(self, create: Create, shown: ShownTask, token: Token) -> None:
        try:
            await create(token)
            shown.token = token
        except JsonRpcException as refused:
            log.info("the client shows no progress: %s", refused)
        shown.is_creating_token = False
        self._update(shown)

    def _update(self, shown: ShownTask) -> None:
        if shown.token is not None:
            self._send(shown, shown.token)
        if _is_end(shown.latest) and not shown.is_creating_token:
            self._shown.pop(shown.task_id, None)

    def _send(self, shown: ShownTask, token: Token) -> None:
        progress = shown.latest
        if token in self._cancelled:
            self._cancelled.discard(token)
            self._in_background(self._kill(shown.task_id))
        if not shown.begun:
            shown.begun = True
            whose = f"{progress.origin.value}: " if progress.origin in ELSEWHERE else ""
            begin = types.WorkDoneProgressBegin(
                whose + self._shown_command(progress.command, LONGEST_TITLE - len(whose)),
                cancellable=True,
                message=_message(progress),
                percentage=_percentage(progress),
            )
            self._notify(types.ProgressParams(token, begin))
        elif not _is_end(progress):
            report = types.WorkDoneProgressReport(
                cancellable=True, message=_message(progress), percentage=_percentage(progress)
            )
            self._notify(types.ProgressParams(token, report))
        if _is_end(progress):
            outcome = "" if progress.exit is None else f", exit {progress.exit}"
            end = f"{progress.status.value} after {progress.elapsed_seconds:.1f}s{outcome}"
            self._notify(types.ProgressParams(token, types.WorkDoneProgressEnd(message=end)))

    def _in_background(self, work: Awaitable[object]) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Future[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.info("progress: %s", fault)


def _is_end(progress: Progress) -> bool:
    return progress.status is not Status.RUNNING


def _message(progress: Progress) -> str:
    said = last_line(progress.output) or told_to_people(progress.poll_meta)
    return said or f"{progress.elapsed_seconds:.0f}s"


def _percentage(progress: Progress) -> int | None:
    meta = progress.poll_meta
    if meta is None or meta.alan_estimate is None:
        return None
    return min(100, round(100 * meta.alan_estimate.completion_probability))
