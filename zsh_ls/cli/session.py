"""The sidecar of one command: its session is the terminal session, its workspace the project."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zsh_ls.model.errors import SidecarError
from zsh_ls.sidecar.config import Settings, SidecarOptions, workspace_of
from zsh_ls.sidecar.config_file import personal_settings
from zsh_ls.system.exiting import PATIENCE_S, flush, leave_within
from zsh_ls.system.terminals import terminal_session

from . import FAULT

if TYPE_CHECKING:
    from types import FrameType

    from zsh_ls.sidecar import Sidecar

# Each part of closing has a time limit; this one is for a part that is stuck nevertheless.
CLOSING_PATIENCE_S = 6.0


@asynccontextmanager
async def terminal_sidecar(*, only_news: bool = False) -> AsyncIterator[Sidecar]:
    """A sidecar for one command of the terminal; at the end it is closed and its tasks are ended."""
    from zsh_ls.sidecar.service import Sidecar

    sidecar = await Sidecar.open(options_here(only_news=only_news))
    try:
        yield sidecar
    finally:
        await sidecar.close()


def settings_here() -> Settings:
    """The person's settings, from `config.toml` and the environment; prints what is wrong with them."""
    personal = personal_settings(os.environ)
    for problem in personal.problems:
        from .screen import tell

        tell(f"zsh-ls: {problem}")
    return personal.settings


def options_here(*, only_news: bool = False) -> SidecarOptions:
    """The options of a sidecar for this terminal; `only_news` for a person at it (CLI-20)."""
    return SidecarOptions(
        session=terminal_session(),
        workspace=workspace_of(Path.cwd()),
        only_news=only_news,
        settings=settings_here(),
        warms_up=False,
        keeps_sessions=terminal_session().removeprefix("cli-"),
        folder=str(Path.cwd()),
    )


def with_sidecar(work: Callable[[Sidecar], Awaitable[int]], *, only_news: bool = False) -> int:
    """Run `work` with a sidecar (`options_here`); an error is printed as one line, and exits 125."""
    cancel_exit: list[Callable[[], None]] = []

    async def main() -> int:
        async with terminal_sidecar(only_news=only_news) as sidecar:
            status = await work(sidecar)
            flush()
            cancel_exit.append(leave_within(CLOSING_PATIENCE_S, status))
            return status

    try:
        return run_reporting_errors(main())
    finally:
        for cancel in cancel_exit:
            cancel()


class _CtrlC:
    """A handler of Ctrl-C: the first cancels the work, which cleans up; the next one ends this process."""

    def __init__(self) -> None:
        self.was_pressed = False
        self._cancel: Callable[[], object] | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if self.was_pressed or self._cancel is None:
            raise KeyboardInterrupt
        self.was_pressed = True
        self._cancel()

    def begin(self) -> None:
        """From now on there is work: that of the current task."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        self._cancel = partial(loop.call_soon_threadsafe, task.cancel)


def _run_until_ctrl_c(work: Coroutine[Any, Any, int]) -> int:
    """What `asyncio.run` does, with a handler of Ctrl-C that is short where it is shown.

    Whoever sets or asks for a handler makes Python show the one before, and `asyncio`'s own shows all of its
    task, for which the module is loaded that reads sources.
    """
    ctrl_c = _CtrlC()

    async def main() -> int:
        ctrl_c.begin()
        return await work

    takes_over = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if takes_over:
        signal.signal(signal.SIGINT, ctrl_c)
    try:
        return asyncio.run(main())
    except asyncio.CancelledError:
        if ctrl_c.was_pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        if takes_over and signal.getsignal(signal.SIGINT) is ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def run_reporting_errors(work: Coroutine[Any, Any, int]) -> int:
    """Do `work` to its end; a fault is one line on standard error and exit status 125."""
    cancel_exit: list[Callable[[], None]] = []

    async def done() -> int:
        status = FAULT
        try:
            status = await work
        except SidecarError as fault:
            from .screen import as_typed

            print(f"zsh-ls: {as_typed(fault)}", file=sys.stderr)
        # The loop waits for its threads, and one may be stuck.
        flush()
        cancel_exit.append(leave_within(PATIENCE_S, status))
        return status

    try:
        return _run_until_ctrl_c(done())
    finally:
        for cancel in cancel_exit:
            cancel()
