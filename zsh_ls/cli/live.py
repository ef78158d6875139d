"""`zsh-ls run` as if the command had been typed: its streams, keys, size and job control pass through.

Where this process's streams are terminals the command has one, which takes part in the job control of
the person's own (`tasks/process/streams.py`): while the command is in the foreground, it gets the keys that
it reads. Where standard input or output leads elsewhere, others
may read the person's terminal (a pager behind a pipe), so that the command begins in the background of
its own: the kernel stops it when it asks for keys, and it gets them then. Signals and stops go
from one side to the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from zsh_ls.lazy import attrs, re
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar
from zsh_ls.tasks.process.streams import Job, Streams

from .run_end import exit_of, tell
from .signals import SignalHandlers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .foreground import Keyboard


_STANDARD = (0, 1, 2)
_PASSED_ON = (signal.SIGINT, signal.SIGQUIT)
_ENDING = (signal.SIGTERM, signal.SIGHUP)
# As long as a kill leaves a script that has a trap.
_HUNG_UP_GRACE_S = 2.0
_ASKS_FOR_TERMINAL = (signal.SIGTTIN, signal.SIGTTOU)
# A screen that is restored before a stop has been written, but perhaps not passed on.
_LAST_WORDS_S = 0.005
_LAST_WORDS_TRIES = 100
_OTHER_SCREEN = re.compile(rb"\x1b\[\?(?:1049|1047|47)l")
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78])")

Start = Callable[[Streams, Mapping[str, Any]], Awaitable[TaskResult]]


@attrs.frozen
class Ended:
    """The exit status for this process, and the signal that ended the shell, if one did."""

    status: int
    signal: int | None


async def run_live(sidecar: Sidecar, request: RunRequest) -> Ended:
    """Run one line between the streams of this process."""

    async def start(streams: Streams, options: Mapping[str, Any]) -> TaskResult:
        return await sidecar.run(attrs.evolve(request, **options), streams=streams)

    result, line_is_open = await between_streams(sidecar, start)
    tell(result, after_open_line=line_is_open)
    return Ended(exit_of(result), result.signal)


async def between_streams(sidecar: Sidecar, start: Start) -> tuple[TaskResult, bool]:
    """Start a task between the streams of this process and see it to its end.

    `start` gets the streams, and by their names the options of a request that say which terminal
    it has. Gives the result, and whether the task's last line on the terminal has no end.
    """
    front = _Front(sidecar)
    terminals = front.terminals
    options: dict[str, Any] = {"pty": bool(terminals)}
    if front.terminal is not None:
        with contextlib.suppress(OSError):
            size = os.get_terminal_size(front.terminal)
            options |= {"cols": size.columns or 80, "rows": size.lines or 24}
    lost: list[OSError] = []
    streams = Streams(
        terminals=terminals,
        terminal=front.terminal,
        in_foreground=front.is_eager(),
        on_start=front.on_start,
        on_stop=front.on_stop,
        on_lost=lost.append,
        before_output=front.before_output,
    )
    try:
        result = await start(streams, options)
    finally:
        await front.close()
    if lost and exit_of(result) == 0:
        # As a program does that cannot write: whoever goes by the exit would take it for whole.
        raise lost[0]
    if lost:
        print(f"zsh-ls: {lost[0].strerror}", file=sys.stderr)
    return result, bool(terminals & {1, 2}) and _leaves_line_open(sidecar, result)


def _leaves_line_open(sidecar: Sidecar, result: TaskResult) -> bool:
    """Whether the command's last line on the terminal has no end."""
    if result.status is Status.ERROR:
        return False
    # A full-screen program ends by going back to the screen before.
    last = _ESCAPES.sub(b"", _OTHER_SCREEN.split(sidecar.last_written(result.task_id))[-1])
    return last.rstrip(b"\r")[-1:] not in (b"", b"\n")


class _Front:
    """The terminal and the signals of this process while a command runs between its streams."""

    def __init__(self, sidecar: Sidecar) -> None:
        self._sidecar = sidecar
        self._loop = asyncio.get_running_loop()
        self.terminals = frozenset(number for number in _STANDARD if os.isatty(number))
        self.terminal = min(self.terminals, default=None)
        self._job: Job | None = None
        self._keyboard: Keyboard | None = None
        self._held: contextlib.ExitStack | None = None
        self._had_keys = self.is_eager()
        self._work: set[asyncio.Task[None]] = set()
        self._handlers = SignalHandlers()
        self._early: list[int] = []
        # Before anything is started: the command may run for a while before this process hears of it,
        # and a Ctrl-C of that time is for the command, which may have a trap for it.
        for number in (*_PASSED_ON, *_ENDING):
            self._handle(number, self._on_signal, number)

    def is_eager(self) -> bool:
        """Whether the command gets the keys from the start: nobody else can want them."""
        return {0, 1} <= self.terminals and self._is_in_foreground()

    def on_start(self, job: Job) -> None:
        """The command has been started: connect it."""
        self._job = job
        if self._had_keys and self._is_in_foreground():
            self._take_terminal()
        self._handle(signal.SIGTSTP, self._on_stop_key)
        self._handle(signal.SIGCONT, self._on_continue)
        early, self._early = self._early, []
        for number in early:
            self._on_signal(number)

    def on_stop(self, number: int) -> None:
        """The command has been stopped by a signal: by a key, by itself, or as it asks for keys."""
        if number in _ASKS_FOR_TERMINAL:
            self._had_keys = True
            if self._is_in_foreground():
                self._take_terminal()
                self._go_on(in_foreground=True)
                return
        self._spawn(self._suspend(number))

    def before_output(self) -> None:
        """What is about to be shown may be a question: the terminal is as the command's is. In a thread."""
        if keyboard := self._keyboard:
            keyboard.follow()

    async def close(self) -> None:
        """The command is over: the terminal is as it was."""
        self._leave_terminal()
        self._handlers.close()
        for job in self._work:
            job.cancel()

    def _handle(self, number: int, call: Callable[..., None], *arguments: int) -> None:
        # What is ignored stays so: `nohup` ignores SIGHUP.
        if signal.getsignal(number) is not signal.SIG_IGN:
            self._handlers.handle(number, call, *arguments)

    def _on_signal(self, number: int) -> None:
        """A signal that the command gets, or that ends it; it waits until there is one."""
        if self._job is None:
            self._early.append(number)
        elif number in _PASSED_ON:
            if not self._is_a_key(number):
                self._job.signal(number)
        elif number == signal.SIGHUP:
            self._job.signal(number)
            self._spawn(self._hung_up(self._job.task_id))
        else:
            self._spawn(self._killed(self._job.task_id))

    async def _hung_up(self, task_id: str) -> None:
        """The terminal has gone: a trap of the command for that may clean up, and what is left is ended."""
        await asyncio.sleep(_HUNG_UP_GRACE_S)
        await self._killed(task_id)

    async def _killed(self, task_id: str) -> None:
        await self._sidecar.kill(task_id)

    def _on_stop_key(self) -> None:
        """SIGTSTP has reached this process: the terminal's own key, or somebody's `kill`."""
        assert self._job is not None
        if self._is_a_key(signal.SIGTSTP):
            return  # the command's terminal makes of it what its modes say
        if self._job.on_terminal:
            self._job.signal(signal.SIGTSTP)  # it may refuse; if it does not, `on_stop` is called
        else:
            self._job.signal(signal.SIGSTOP)
            self._spawn(self._suspend(signal.SIGTSTP))

    def _is_a_key(self, number: int) -> bool:
        return self._keyboard is not None and self._keyboard.press(number)

    def _on_continue(self) -> None:
        """Somebody has continued this process: `fg`, after `bg` too."""
        if self._had_keys and self._is_in_foreground():
            self._leave_terminal()  # the shell has set its modes anew
            self._take_terminal()
            self._go_on(in_foreground=True)

    async def _suspend(self, number: int) -> None:
        """Stop this process as the command has been stopped; go on with it afterwards."""
        assert self._job is not None
        for _ in range(_LAST_WORDS_TRIES):
            if not self._job.is_writing():
                break
            await asyncio.sleep(_LAST_WORDS_S)
        self._leave_terminal()
        _stop_here(number)
        # From here on somebody has continued it, or it could not be stopped: there is no shell to do so.
        can_have_keys = self._had_keys and self._is_in_foreground()
        if can_have_keys:
            self._take_terminal()
        self._go_on(in_foreground=can_have_keys or number in _ASKS_FOR_TERMINAL)

    def _go_on(self, *, in_foreground: bool) -> None:
        assert self._job is not None
        self._job.go_on(in_foreground)

    def _is_in_foreground(self) -> bool:
        """Whether this process may use its terminal; one that controls no session lets anybody."""
        try:
            return self.terminal is None or os.tcgetpgrp(self.terminal) == os.getpgrp()
        except OSError:
            return True

    def _take_terminal(self) -> None:
        from .foreground import Keyboard, size_passed_on

        if self._held is not None or self.terminal is None or self._job is None:
            return
        with contextlib.ExitStack() as held:
            self._keyboard = Keyboard(self._sidecar, self._job, self.terminal)
            held.callback(self._keyboard.close)
            held.enter_context(
                size_passed_on(self._sidecar, self._job.task_id, self.terminal, self._handlers)
            )
            self._held = held.pop_all()

    def _leave_terminal(self) -> None:
        held, self._held, self._keyboard = self._held, None, None
        if held is not None:
            held.close()

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        job = self._loop.create_task(work)
        self._work.add(job)
        job.add_done_callback(self._work.discard)


def _stop_here(number: int) -> None:
    """Stop this process, and with a stop of the terminal its whole job (a pipeline is one)."""
    if number == signal.SIGSTOP:
        os.kill(os.getpid(), signal.SIGSTOP)
        return
    before = signal.signal(number, signal.SIG_IGN)
    os.killpg(0, number)
    signal.signal(number, signal.SIG_DFL)
    # To this thread alone: it is stopped before the call returns, and not a little later.
    signal.pthread_kill(threading.get_ident(), number)
    signal.signal(number, before)
