"""The sidecar of one command: its session is the terminal session, its workspace the project."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zsh_ls.model.errors import SidecarError
from zsh_ls.sidecar.config import Settings, SidecarOptions, workspace_of
from zsh_ls.sidecar.config_file import personal_settings
from zsh_ls.system.exiting import PATIENCE_S, flush, leave_within
from zsh_ls.system.terminals import terminal_session

from .servers import FAULT

if TYPE_CHECKING:
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
        print(f"zsh-ls: {problem}", file=sys.stderr)
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


def run_reporting_errors(work: Coroutine[Any, Any, int]) -> int:
    """Do `work` to its end; a fault is one line on standard error and exit status 125."""
    cancel_exit: list[Callable[[], None]] = []

    async def done() -> int:
        status = FAULT
        try:
            status = await work
        except SidecarError as fault:
            print(f"zsh-ls: {fault}", file=sys.stderr)
        # The loop waits for its threads, and one may be stuck.
        flush()
        cancel_exit.append(leave_within(PATIENCE_S, status))
        return status

    try:
        return asyncio.run(done())
    finally:
        for cancel in cancel_exit:
            cancel()
