"""Options from the manual page when a command keeps failing (MAN-1, MAN-2). Nobody waits for it."""

from __future__ import annotations

import asyncio

from zsh_ls.alan import Alan
from zsh_ls.insights import options_insight
from zsh_ls.machine.manpages import find_page, read_page
from zsh_ls.model.execution import Execution
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Outcome
from zsh_ls.shell.manpages.option_table import nearest, options_table
from zsh_ls.shell.manpages.page import page_names
from zsh_ls.shell.status.exit_codes import is_normal_exit
from zsh_ls.shell.template.identity import identify

from .options import Settings

KEPT_ERRORS = 256


class Manual:
    """Reads pages in the background and offers their tables from the third try on.

    The end of what a failed template printed is kept in memory, so that the
    options nearest to a flag it refused come first; it is never stored.
    """

    def __init__(self, alan: Alan) -> None:
        self._alan = alan
        self._errors: dict[str, str] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}

    async def options_for(
        self, command: str, past: CommandHistory, settings: Settings
    ) -> tuple[Insight, ...]:
        """The option table of a command whose template failed twice in a row, once it is there."""
        if not settings.manopt_enabled or past.failures_in_row < settings.manopt_fail_present - 1:
            return ()
        for name in page_names(command):
            table = await self._alan.manopt(name)
            if table:
                nearest_first = nearest(table, self._errors.get(past.template, ""))
                return (options_insight(_said(name, past.base), nearest_first),)
        return ()

    def learn(
        self, execution: Execution, past: CommandHistory, error: str, settings: Settings
    ) -> None:
        """Begin to read the page after the second FAILURE in a row; a known normal exit is none."""
        if not settings.manopt_enabled or not _is_failure(execution):
            return
        self._errors[past.template] = error
        if len(self._errors) > KEPT_ERRORS:
            self._errors.pop(next(iter(self._errors)))
        if past.failures_in_row + 1 >= settings.manopt_fail_trigger:
            self._read_in_background(execution.command, settings.manopt_timeout_s)

    async def close(self) -> None:
        """Stop reading."""
        reading = list(self._reading.values())
        for job in reading:
            job.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    def _read_in_background(self, command: str, timeout_s: float) -> None:
        names = page_names(command)
        if names and names[0] not in self._reading:
            job = asyncio.get_running_loop().create_task(self._read(names, timeout_s))
            self._reading[names[0]] = job
            job.add_done_callback(lambda _: self._reading.pop(names[0], None))

    async def _read(self, names: tuple[str, ...], timeout_s: float) -> None:
        """Keep the table of the first page that is there, unless it is kept as of the file's time."""
        for name in names:
            file = await find_page(name, timeout_s)
            if file is None:
                continue
            if await self._alan.manopt(name, file.mtime) is None:
                page = await read_page(name, timeout_s)
                table = await asyncio.to_thread(options_table, page.text) if page else None
                if page is not None and table:
                    await self._alan.store_manopt(name, table, page.mtime)
            return


def _said(page: str, base: str) -> str:
    """The command the page is of: the base command in its own words, or, of a part of it, the page."""
    return base if base.replace(" ", "-") == page else page


def _is_failure(execution: Execution) -> bool:
    if execution.outcome is not Outcome.FAILURE or execution.exit is None:
        return False
    return not is_normal_exit(identify(execution.command).command, execution.exit)
