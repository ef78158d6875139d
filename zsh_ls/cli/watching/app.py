"""The task viewer: gets tasks from the server, draws them, and handles keys."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from zsh_ls.cli.one_line import one_line
from zsh_ls.cli.session import options_here
from zsh_ls.cli.task_list import NO_SERVER
from zsh_ls.ipc import ConnectionLost
from zsh_ls.model.errors import SidecarError
from zsh_ls.model.requests import OutputRequest, PollRequest, SendRequest
from zsh_ls.model.results import OutputPage, Progress
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.remote.client import join

from . import keys
from .board import Board, TaskRow
from .terminal import Terminal
from .view import Looking, frame, rows_for_output

REFRESH_S = 0.5
NO_TERMINAL = (
    "zsh-ls: --watch needs a terminal that can move its cursor; see `zsh-ls tasks --json`."
)
USAGE, LOST = 2, 1
QUIT = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


async def watch() -> int:
    """Show the tasks until the user quits; returns the exit status."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        print(NO_TERMINAL, file=sys.stderr)
        return USAGE
    remote = await join(options_here().places.runtime, Path.cwd())
    if remote is None:
        print(NO_SERVER, file=sys.stderr)
        return LOST
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno())
    try:
        status = await App(remote, terminal, remote.workspace).run()
    finally:
        terminal.give_back()
        await remote.close()
    if status == LOST:
        print("zsh-ls: the server has gone, and its tasks with it.", file=sys.stderr)
    return status


class App:
    """The viewer of the tasks of `sidecar`; `run` ends when the user quits or the server ends."""

    def __init__(self, sidecar: TaskService, terminal: Terminal, title: str) -> None:
        self._sidecar = sidecar
        self._terminal = terminal
        self._title = title
        self._board = Board()
        self._keys = keys.Keys()
        self._page: OutputPage | None = None
        self._top: int | None = None  # the first line shown; None follows the end
        self._message = ""
        self._question: YesNoQuestion | Typing | None = None
        self._over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._jobs: set[asyncio.Task[None]] = set()

    async def run(self) -> int:
        """Draw and handle keys; returns the exit status, that of a signal if one ended it."""
        loop = asyncio.get_running_loop()
        for number in QUIT:
            loop.add_signal_handler(number, self._leave, 128 + number)
        loop.add_signal_handler(signal.SIGTSTP, self._step_back)
        loop.add_signal_handler(signal.SIGCONT, self._come_forward)
        loop.add_signal_handler(signal.SIGWINCH, self._draw)
        loop.add_reader(self._terminal.incoming, self._pressed)
        self._terminal.take()
        self._sidecar.on_progress(self._heard)
        refreshing = loop.create_task(self._refresh())
        try:
            return await self._over
        finally:
            refreshing.cancel()
            loop.remove_reader(self._terminal.incoming)

    # Messages of the server

    async def _refresh(self) -> None:
        while not self._over.done():
            try:
                await self._look()
            except ConnectionLost:
                self._leave(LOST)
            except SidecarError as fault:
                self._message = str(fault)
            self._draw()
            await asyncio.sleep(REFRESH_S)

    async def _look(self) -> None:
        tasks = (await self._sidecar.tasks()).tasks
        for task_id in self._board.listed(tasks, asyncio.get_running_loop().time()):
            self._board.answered(await self._sidecar.poll(PollRequest(task_id, listen=0)))
        if self._page is not None:
            await self._turn(0)

    def _heard(self, progress: Progress) -> None:
        self._board.heard(progress)

    async def _turn(self, by: int) -> None:
        """Scroll the output of the selected task down by `by` lines."""
        task_id = self._board.selected
        room = rows_for_output(self._terminal.size)
        total = (await self._sidecar.output(OutputRequest(task_id, 1, 1))).total_lines
        last_top = max(1, total - room + 1)
        top = max(1, (last_top if self._top is None else self._top) + by)
        self._top = None if top >= last_top else top
        first = min(top, last_top)
        self._page = await self._sidecar.output(OutputRequest(task_id, first, first + room - 1))

    # Keys

    def _pressed(self) -> None:
        try:
            data = os.read(self._terminal.incoming, 4096)
        except OSError:
            data = b""
        if not data:  # the terminal has been closed
            self._leave(128 + signal.SIGHUP)
        for key in self._keys.of(data):
            self._obey(key)
        self._draw()

    def _obey(self, key: str) -> None:
        self._message = ""
        if self._question is not None:
            self._question = self._question.obey(key)
        elif self._page is not None:
            self._obey_in_output(key)
        else:
            self._obey_in_list(key)

    def _obey_in_list(self, key: str) -> None:
        row = self._board.current
        if key in ("q", keys.ESCAPE):
            self._leave(0)
        elif key in (keys.UP, keys.DOWN):
            self._board.move(-1 if key == keys.UP else 1)
        elif row is not None and key == keys.ENTER:
            self._top = None
            self._do(self._turn(0))
        elif row is not None:
            self._ask(key, row)

    def _obey_in_output(self, key: str) -> None:
        page = rows_for_output(self._terminal.size)
        steps = {keys.UP: -1, keys.DOWN: 1, keys.PAGE_UP: -page, keys.PAGE_DOWN: page}
        if key in ("q", keys.ESCAPE):
            self._page = None
        elif key in steps:
            self._do(self._turn(steps[key]))
        elif key in (keys.HOME, keys.END):
            self._top = 1 if key == keys.HOME else None
            self._do(self._turn(0))
        elif (row := self._board.current) is not None:
            self._ask(key, row)

    def _ask(self, key: str, row: TaskRow) -> None:
        task = row.task
        if key == "k":
            asked = f"Stop {task.task_id} `{one_line(task.command)}`? y/n"
            self._question = YesNoQuestion(asked, lambda: self._do(self._stop(task.task_id)))
        elif key == "i":
            self._question = Typing(task.task_id, partial(self._type, task.task_id))

    async def _stop(self, task_id: str) -> None:
        self._message = (await self._sidecar.kill(task_id)).message

    def _type(self, task_id: str, text: str, eof: bool) -> None:
        self._do(self._send(SendRequest(task_id, text, newline=not eof, eof=eof)))

    async def _send(self, request: SendRequest) -> None:
        self._message = (await self._sidecar.send(request)).message

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        job = asyncio.get_running_loop().create_task(self._done(work))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _done(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ConnectionLost:
            self._leave(LOST)
        except SidecarError as fault:
            self._message = str(fault)
        self._draw()

    # The terminal

    def _draw(self) -> None:
        if self._terminal.is_ours:
            prompt = self._question.text if self._question is not None else ""
            looking = Looking(prompt, self._message, self._page)
            self._terminal.draw(frame(self._board, looking, self._title, self._terminal.size))

    def _step_back(self) -> None:
        """Give the terminal back to the shell and stop this process (Ctrl-Z)."""
        self._terminal.give_back()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _come_forward(self) -> None:
        """Continue after `fg` or `bg`; only a foreground job may use the terminal."""
        if self._terminal.is_in_front:
            self._terminal.take()
            self._draw()

    def _leave(self, status: int) -> None:
        if not self._over.done():
            self._over.set_result(status)


class YesNoQuestion:
    """A question that `y` answers with yes and any other key with no."""

    def __init__(self, text: str, yes: Callable[[], None]) -> None:
        self.text = text
        self._yes = yes

    def obey(self, key: str) -> None:
        """Handle the key that answers it."""
        if key == "y":
            self._yes()


class Typing:
    """A line being typed for a task: enter sends it, Ctrl-D ends the input, escape cancels."""

    def __init__(self, task_id: str, send: Callable[[str, bool], None]) -> None:
        self._task_id = task_id
        self._send = send
        self._typed = ""

    @property
    def text(self) -> str:
        """The line as shown."""
        return f"To {self._task_id}: {self._typed}▏"

    def obey(self, key: str) -> Typing | None:
        """Handle a key; returns what handles the next one, None at the end."""
        if key in (keys.ENTER, keys.END_OF_FILE):
            self._send(self._typed, key == keys.END_OF_FILE)
            return None
        if key == keys.ESCAPE:
            return None
        if key == keys.BACKSPACE:
            self._typed = self._typed[:-1]
        elif len(key) == 1:
            self._typed += key
        return self
