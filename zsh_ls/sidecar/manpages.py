"""Manual pages for hovers, completion and explanations, and for commands that keep failing.

Pages are read from their files, without starting `man`, and kept while the file
is as it was. Where no file can be found, the option table that `man` gave for a
failing command serves (MAN-1, MAN-2).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import TypeVar

import attrs

from zsh_ls.alan import Alan
from zsh_ls.answers.builtins import BUILTINS
from zsh_ls.insights import options_insight
from zsh_ls.machine.manpages import find_page, read_page
from zsh_ls.machine.page_files import PageSource, find_first, source
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Outcome
from zsh_ls.shell.manpages.option_table import nearest, options_table
from zsh_ls.shell.manpages.page import ManualPage, builtin_pages, page_names, page_of, page_of_text
from zsh_ls.shell.status.exit_codes import is_normal_exit
from zsh_ls.shell.template.identity import identify
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

from .config import Settings

KEPT_PAGES = 64
Made = TypeVar("Made")
_MANUALS = {Dialect.ZSH: "zshbuiltins", Dialect.BASH: "bash", Dialect.SH: "dash"}
# A page may take long to read; whoever needs another thread meanwhile finds one.
_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")


class Pages:
    """The pages of this machine."""

    def __init__(self, alan: Alan) -> None:
        self._alan = alan

    async def first(
        self, names: Sequence[str], dialect: Dialect | None = None
    ) -> ManualPage | None:
        """The first of `names` that has a page, or a table from one; off the loop.

        The last of them names the program: where it is a builtin of the shell
        `dialect`, what that shell's manual says of it goes before a page of its name.
        """
        if not names:
            return None
        if dialect is not None and names[-1] in SHELL_WORDS[dialect].builtins:
            builtin = await _in_thread(partial(_builtin, names[-1], dialect))
            if builtin is not None or names[-1] in BUILTINS:
                return builtin
        page = await _in_thread(partial(_first, tuple(names)))
        if page is not None:
            return page
        for name in names:
            table = await self._alan.manopt(name)
            if table:
                return page_of_text(name, f"OPTIONS\n{table}")
        return None


async def _in_thread(work: Callable[[], Made]) -> Made:
    return await asyncio.get_running_loop().run_in_executor(_readers, work)


def _first(names: tuple[str, ...]) -> ManualPage | None:
    found = find_first(names)
    return None if found is None else _page(found)


def _builtin(name: str, dialect: Dialect) -> ManualPage | None:
    """A builtin by its shell's manual; its purpose in our words, else those of the program it replaces."""
    manual = find_first((_MANUALS[dialect],))
    page = None if manual is None else _of_builtins(manual, dialect).get(name)
    if page is None:
        return None
    program = None if name in BUILTINS else _first((name,))
    return attrs.evolve(page, purpose=BUILTINS.get(name) or (program.purpose if program else ""))


@lru_cache(maxsize=len(Dialect))
def _of_builtins(found: PageSource, dialect: Dialect) -> Mapping[str, ManualPage]:
    return builtin_pages(source(found), SHELL_WORDS[dialect].builtins)


@lru_cache(maxsize=KEPT_PAGES)
def _page(found: PageSource) -> ManualPage:
    return page_of(found.name, source(found))


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

    def learn(self, run: CompletedRun, past: CommandHistory, settings: Settings) -> None:
        """Begin to read the page after the second FAILURE in a row; a known normal exit is none."""
        if not settings.manopt_enabled or not _is_failure(run):
            return
        self._errors[past.template] = run.output_end
        if len(self._errors) > KEPT_ERRORS:
            self._errors.pop(next(iter(self._errors)))
        if past.failures_in_row + 1 >= settings.manopt_fail_trigger:
            self._read_in_background(run.command, settings.manopt_timeout_s)

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


def _is_failure(run: CompletedRun) -> bool:
    if run.outcome is not Outcome.FAILURE or run.exit is None:
        return False
    return not is_normal_exit(identify(run.command).command, run.exit)
