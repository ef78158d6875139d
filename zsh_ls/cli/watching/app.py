"""The task viewer: gets tasks from the server, shows them, and handles keys and signals."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key, Paste
from textual.geometry import Region
from textual.widgets import Static

from zsh_ls.cli.one_line import named_line
from zsh_ls.cli.servers import NO_SERVER
from zsh_ls.cli.session import options_here
from zsh_ls.ipc import ConnectionLost
from zsh_ls.model.errors import SidecarError
from zsh_ls.model.requests import OutputRequest, PollRequest, SendRequest
from zsh_ls.model.words import Status
from zsh_ls.sidecar.remote.client import RemoteSidecar, join
from zsh_ls.system.exiting import PATIENCE_S, leave_within

from . import view
from .board import Board, TaskRow
from .driver import LenientDriver

REFRESH_S = 0.5
LONGEST_COMMAND = 60
STILL_RUNS = "Task {task_id} still runs: why it failed is known once it has."
NO_TERMINAL = (
    "zsh-ls: --watch needs a terminal that can move its cursor; see `zsh-ls tasks --json`."
)
GONE = "The server has gone, and its tasks with it. Waiting for the next one."
USAGE, LOST = 2, 1
# Terminals differ in what these keys send.
ENTER = ("enter", "ctrl+j")
BACKSPACE = ("backspace", "ctrl+h")
QUIT = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


async def watch() -> int:
    """Show the tasks until the user quits; returns the exit status, that of a signal if one ended it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        print(NO_TERMINAL, file=sys.stderr)
        return USAGE
    remote = await join(options_here().places.runtime, Path.cwd())
    if remote is None:
        print(NO_SERVER, file=sys.stderr)
        return LOST
    # Where they are exported textual takes them for the size, whatever the terminal's is by now.
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    viewer = TaskViewer(remote)
    try:
        with _drawing_on_standard_output():
            await viewer.run_async(mouse=False)  # the mouse stays the terminal's, to select text
    finally:
        await viewer.server.close()
    return viewer.return_code or 0


@contextlib.contextmanager
def _drawing_on_standard_output() -> Iterator[None]:
    """Let standard error be what standard output is: textual draws on standard error, a file or not."""
    saved = os.dup(2)
    os.dup2(1, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


class TaskViewer(App[None], inherit_bindings=False):
    """The viewer of the tasks of `server`, and of the next one when that ends, until the user quits."""

    CSS = """
    Static { width: 100%; height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    #head, #foot { height: 1; }
    #body { height: 1fr; scrollbar-size: 0 0; }
    """
    ENABLE_COMMAND_PALETTE = False
    # Signals go to all processes of the job, as the terminal would send them: a script around the viewer gets
    # them too. They are keys, since textual switches them off, and with the kitty protocol none would come.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "signal('SIGINT')", priority=True),
        Binding("ctrl+backslash", "signal('SIGQUIT')", priority=True),
        Binding("ctrl+z", "signal('SIGTSTP')", priority=True),
    ]

    def __init__(self, server: RemoteSidecar) -> None:
        super().__init__(driver_class=LenientDriver, ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours, on its own background
        self.server = server
        self._board = Board()
        self._reading: TaskRow | None = None  # the task whose output is shown instead of the list
        self._output = Text()
        self._top: int | None = None  # the first line of output shown; None follows the end
        self._answer: tuple[TaskRow, Text] | None = None  # why it failed, shown instead of all else
        self._message = ""
        self._question: YesNoQuestion | Typing | None = None

    def compose(self) -> ComposeResult:
        """From top to bottom: a title, the tasks or the output of one, a message or the keys."""
        yield Static(id="head")
        yield VerticalScroll(Static(id="lines"), id="body", can_focus=False)
        yield Static(id="foot")

    def on_mount(self) -> None:
        """Start to listen to the server and to signals."""
        loop = asyncio.get_running_loop()
        for number in QUIT:
            loop.add_signal_handler(number, self._leave, 128 + number)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        loop.add_signal_handler(signal.SIGTSTP, self._step_back)
        # At a SIGCONT without a stop, textual would set the terminal up again and forget how it was before.
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        self.server.on_progress(self._board.update_from_progress)
        self.run_worker(self._refresh_forever())

    # Messages of the server

    async def _refresh_forever(self) -> None:
        async def fetch() -> None:
            tasks = (await self.server.tasks()).tasks
            now_s = asyncio.get_running_loop().time()
            for task_id in self._board.update_from_list(tasks, now_s):
                poll = PollRequest(task_id, listen=0)
                try:
                    self._board.update_from_poll(await self.server.poll(poll))
                except ConnectionLost:
                    raise
                except SidecarError:  # it was another server's, which has gone
                    self._board.lose((task_id,), now_s)
            if self._reading is not None:
                await self._scroll_output(self._reading, 0)

        while True:
            if not os.isatty(0):
                # Closed, and no SIGHUP has come: it was not the controlling terminal.
                self._hang_up()
            if self.server.is_lost:
                await self._find_server()
            else:
                await self._reporting(fetch())
            await asyncio.sleep(REFRESH_S)

    async def _find_server(self) -> None:
        """Look for the server that comes after the one that has gone, and its tasks with it."""
        self._message, self._reading, self._question, self._answer = GONE, None, None, None
        self._board.lose(list(self._board.rows), asyncio.get_running_loop().time())
        found = await join(options_here().places.runtime, Path.cwd())
        if found is not None:
            await self.server.close()
            self.server, self._message = found, ""
            found.on_progress(self._board.update_from_progress)
        self._draw()

    async def _scroll_output(self, row: TaskRow, by: int) -> None:
        """Fetch the page of output `by` lines further down: all of it may be too much."""
        task_id, room = row.task.task_id, self._page_height
        total = (await self.server.output(OutputRequest(task_id, 1, 1))).total_lines
        last_top = max(1, total - room + 1)
        top = max(1, (last_top if self._top is None else self._top) + by)
        self._top = None if top >= last_top else top
        first = min(top, last_top)
        page = await self.server.output(OutputRequest(task_id, first, first + room - 1))
        if self._reading is not None:  # not left meanwhile
            self._output, self._reading = view.output(page), self._board.rows.get(task_id, row)

    @property
    def _page_height(self) -> int:
        return max(1, self.size.height - 2)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self.run_worker(self._reporting(work))

    async def _reporting(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ConnectionLost:
            return  # the next refresh looks for another server
        except SidecarError as fault:
            self._message = str(fault)
        self._draw()

    # Keys. They come in one queue, and each is handled before the next. If a question were a screen, and the
    # line textual's `Input`, keys typed ahead could reach the list before it is there: `k`, `y` stop a task.

    def on_key(self, event: Key) -> None:
        """Handle any key but those of signals."""
        self._message = ""
        if self._question is not None:
            self._question = self._question.obey(event)
        elif self._answer is not None:
            self._obey_in_answer(event.key)
        elif self._reading is not None:
            self._obey_in_output(event.key, self._reading)
        else:
            self._obey_in_list(event.key)
        self._draw()

    def on_paste(self, event: Paste) -> None:
        """Take the first line pasted into a line that is being typed."""
        if isinstance(self._question, Typing):
            self._question.typed += "".join(event.text.splitlines()[:1])
            self._draw()

    def _obey_in_list(self, key: str) -> None:
        row = self._board.current
        if key in ("q", "escape"):
            self._leave(0)
        elif key in ("up", "down"):
            self._board.move(-1 if key == "up" else 1)
        elif row is not None and key in ENTER:
            self._reading, self._output, self._top = row, Text(), None
            self._do(self._scroll_output(row, 0))
        elif row is not None:
            self._ask(key, row)

    def _obey_in_output(self, key: str, row: TaskRow) -> None:
        page = self._page_height
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page}
        if key in ("q", "escape"):
            self._reading = None
        elif key in steps:
            self._do(self._scroll_output(row, steps[key]))
        elif key in ("home", "end"):
            self._top = 1 if key == "home" else None
            self._do(self._scroll_output(row, 0))
        else:
            self._ask(key, row)

    def _obey_in_answer(self, key: str) -> None:
        body = self.query_one("#body")
        page = self._page_height
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page}
        if key in ("q", "escape"):
            self._answer = None
        elif key in steps:
            body.scroll_relative(y=steps[key], animate=False)

    def _ask(self, key: str, row: TaskRow) -> None:
        task = row.task

        async def kill() -> None:
            self._message = (await self.server.kill(task.task_id)).message

        async def send(text: str, eof: bool) -> None:
            request = SendRequest(task.task_id, text, newline=not eof, eof=eof)
            self._message = (await self.server.send(request)).message

        async def tell_why() -> None:
            told = view.answer(await self.server.why_failed(task.task_id))
            self._answer = (row, told)

        if key == "w" and task.status is Status.RUNNING:
            self._message = STILL_RUNS.format(task_id=task.task_id)
        elif key == "w":
            self._do(tell_why())
        elif key == "k":
            text = f"Stop {task.task_id} `{named_line(task.command, LONGEST_COMMAND)}`? y/n"
            self._question = YesNoQuestion(text, lambda: self._do(kill()))
        elif key == "i":
            self._question = Typing(task.task_id, lambda text, eof: self._do(send(text, eof)))

    # The terminal

    def _draw(self) -> None:
        prompt = self._question.text if self._question is not None else ""
        keys = view.LIST_KEYS if self._reading is None else view.OUTPUT_KEYS
        if self._answer is not None:
            keys = view.ANSWER_KEYS
        self._show("foot", view.foot(prompt, self._message, keys))
        # The sentences of an answer are wrapped; a line of the list or of output is one line.
        self.query_one("#lines").styles.text_wrap = "nowrap" if self._answer is None else "wrap"
        if self._answer is not None:
            row, told = self._answer
            self._show("head", view.heading(row))
            self._show("lines", told)
            return
        if self._reading is not None:
            self._show("head", view.heading(self._reading))
            self._show("lines", self._output)
            in_sight = Region(0, 0, 1, 1)
        else:
            self._show("head", view.title(self._board, self.server.workspace))
            lines, first, count = view.task_list(self._board)
            self._show("lines", lines)
            in_sight = Region(0, first, 1, count)
        # New lines have no place before the next layout.
        body = self.query_one("#body")
        self.call_after_refresh(body.scroll_to_region, in_sight, animate=False)

    def _show(self, name: str, text: Text) -> None:
        part = self.query_one(f"#{name}", Static)
        if part.content != text:  # an update sends all of it, changed or not
            part.update(text)

    def action_signal(self, name: str) -> None:
        """Send a signal to all processes of this job."""
        os.killpg(0, signal.Signals[name])

    def _step_back(self) -> None:
        """Give the terminal back to the shell and stop this process (Ctrl-Z)."""
        with self.suspend():
            os.kill(os.getpid(), signal.SIGSTOP)
            # Continued by `bg`: the terminal is still another's.
            while os.tcgetpgrp(0) != os.getpgrp():
                os.kill(os.getpid(), signal.SIGSTOP)

    def _hang_up(self) -> None:
        # Writing to a terminal that is closed may block for good.
        leave_within(PATIENCE_S, 128 + signal.SIGHUP)
        self._leave(128 + signal.SIGHUP)

    def _leave(self, status: int) -> None:
        self.exit(return_code=status)


class YesNoQuestion:
    """A question that `y` answers with yes and any other key with no."""

    def __init__(self, text: str, yes: Callable[[], None]) -> None:
        self.text = text
        self._yes = yes

    def obey(self, event: Key) -> None:
        """Handle the key that answers it."""
        if event.key == "y":
            self._yes()


class Typing:
    """A line being typed for a task: enter sends it, Ctrl-D ends the input, escape cancels."""

    def __init__(self, task_id: str, send: Callable[[str, bool], None]) -> None:
        self._task_id = task_id
        self._send = send
        self.typed = ""

    @property
    def text(self) -> str:
        """The line as shown."""
        return f"To {self._task_id}: {self.typed}▏"

    def obey(self, event: Key) -> Typing | None:
        """Handle a key; returns what handles the next one, None at the end."""
        if event.key in ENTER or event.key == "ctrl+d":
            self._send(self.typed, event.key == "ctrl+d")
            return None
        if event.key == "escape":
            return None
        if event.key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif event.is_printable and event.character is not None:
            self.typed += event.character
        return self
