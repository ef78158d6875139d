"""Manual pages for hovers, completion and explanations, and for commands that keep failing.

Pages are read from their files, without starting `man`, and kept while the file
is as it was. Where no file can be found, the option table that `man` gave for a
failing command serves (MAN-1, MAN-2).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from zsh_ls.alan import Alan
from zsh_ls.answers.builtins import BUILTINS
from zsh_ls.machine.page_files import PageSource, find_first, source
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.manpages.page import (
    ManualPage,
    builtin_pages,
    builtin_pages_as_json,
    page_as_json,
    page_from_json,
    page_names,
    page_of,
    page_of_text,
    without_options,
)
from zsh_ls.shell.template.identity import identify
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

from .config import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.completed_run import CompletedRun
    from zsh_ls.model.history import CommandHistory
    from zsh_ls.model.insight import Insight


log = logging.getLogger(__name__)

KEPT_PAGES = 64
# Reading a page of so many characters takes some 200 ms, and no step of it holds others up for more
# than 20 ms. The longest pages have 2,000,000.
LONG_CHARACTERS = 200_000
# Seconds of processor time for the longest page, several times over.
ALLOWED_S = 30
Made = TypeVar("Made")
_MANUALS = {Dialect.ZSH: "zshbuiltins", Dialect.BASH: "bash", Dialect.SH: "dash"}
# A page may take long to read; whoever needs another thread meanwhile finds one.
_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="pages")
KEPT_ERRORS = 256


class Pages:
    """The pages of this machine."""

    def __init__(self, alan: Alan) -> None:
        self._alan = alan
        # The latest read, and those being read: several requests ask for the same one at once.
        self._read: dict[object, asyncio.Task[Mapping[str, ManualPage]]] = {}

    async def first(
        self, names: Sequence[str], dialect: Dialect | None = None, *, with_options: bool = True
    ) -> ManualPage | None:
        """The first of `names` that has a page, or a table from one; off the loop.

        Without `with_options` a program's page may have none: most of reading it is for them.

        The last of them names the program: where it is a builtin of the shell
        `dialect`, what that shell's manual says of it goes before a page of its name.
        """
        if not names:
            return None
        if dialect is not None and names[-1] in SHELL_WORDS[dialect].builtins:
            builtin = await self._builtin(names[-1], dialect)
            if builtin is not None or names[-1] in BUILTINS:
                return builtin
        page = await self._first(tuple(names), with_options=with_options)
        if page is not None:
            return page
        for name in names:
            table = await self._alan.manopt(name)
            if table:
                return page_of_text(name, f"OPTIONS\n{table}")
        return None

    async def _builtin(self, name: str, dialect: Dialect) -> ManualPage | None:
        """A builtin by its shell's manual; its purpose in our words, else those of a program of its name."""
        manual = await _in_thread(partial(find_first, (_MANUALS[dialect],)))
        if manual is None:
            return None
        builtins = SHELL_WORDS[dialect].builtins
        pages = await self._once((manual, dialect), partial(_read, manual, builtins))
        if name not in pages:
            return None
        program = None if name in BUILTINS else await self._first((name,), with_options=False)
        purpose = BUILTINS.get(name) or (program.purpose if program else "")
        return pages[name]._replace(purpose=purpose)

    async def _first(self, names: tuple[str, ...], *, with_options: bool) -> ManualPage | None:
        found = await _in_thread(partial(find_first, names))
        if found is None:
            return None
        if with_options or found in self._read:
            return (await self._once(found, partial(_read, found)))[found.name]
        read = partial(_read_purpose, found)
        return (await self._once((found, "purpose"), read))[found.name]

    async def _once(
        self, key: object, read: Callable[[], Coroutine[Any, Any, Mapping[str, ManualPage]]]
    ) -> Mapping[str, ManualPage]:
        reading = self._read.pop(key, None)
        if reading is None or (reading.done() and (reading.cancelled() or reading.exception())):
            reading = asyncio.get_running_loop().create_task(read())
        self._read[key] = reading
        if len(self._read) > KEPT_PAGES:
            self._read.pop(next(iter(self._read)))
        return await asyncio.shield(reading)


async def _in_thread(work: Callable[[], Made]) -> Made:
    return await asyncio.get_running_loop().run_in_executor(_readers, work)


async def _read(
    found: PageSource, builtins: AbstractSet[str] | None = None
) -> Mapping[str, ManualPage]:
    """The page, or those of the builtins in it, by name."""
    text = await _in_thread(partial(source, found))
    if len(text) > LONG_CHARACTERS:
        try:
            return await _read_elsewhere(found.name, text, builtins)
        except OSError as error:  # out of processes or descriptors
            log.info("a long manual page is read in a thread: %s", error)
    if builtins is not None:
        return await _in_thread(partial(builtin_pages, text, builtins))
    return {found.name: await _in_thread(partial(page_of, found.name, text))}


async def _read_purpose(found: PageSource) -> Mapping[str, ManualPage]:
    text = await _in_thread(partial(source, found))
    page = await _in_thread(partial(without_options, found.name, text))
    return await _read(found) if page is None else {found.name: page}


async def _read_elsewhere(
    name: str, text: str, builtins: AbstractSet[str] | None
) -> Mapping[str, ManualPage]:
    """The same by another process: one pattern may have to see all of a long text at once.

    Of a page that takes too much to read only the name is known. Raises OSError where no process can be had.
    """
    from zsh_ls.machine.limited_process import result_of  # noqa: PLC0415

    function = page_as_json if builtins is None else builtin_pages_as_json
    read = await result_of(
        f"{function.__module__}:{function.__name__}",
        text,
        [] if builtins is None else [" ".join(builtins)],
        warm_up=".TH A 1\n",
        allowed_s=ALLOWED_S,
    )
    if builtins is None:
        page = ManualPage(name)
        if read is not None:
            page = (await _in_thread(lambda: page_from_json(json.loads(read))))._replace(name=name)
        return {name: page}
    pages = await _in_thread(lambda: [page_from_json(each) for each in json.loads(read or b"[]")])
    return {page.name: page for page in pages}


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
        self, command: str, history: CommandHistory, settings: Settings
    ) -> tuple[Insight, ...]:
        """The option table of a command whose template failed twice in a row, once it is there."""
        from zsh_ls.insights import options_insight  # noqa: PLC0415
        from zsh_ls.shell.manpages.option_table import nearest  # noqa: PLC0415

        present_from = settings.manopt_fail_present - 1
        if not settings.manopt_enabled or history.failures_in_row < present_from:
            return ()
        names = page_names(command)
        kept = [(name, await self._alan.manopt(name)) for name in names]
        page, table = next(filter(lambda it: it[1], kept), ("", None))
        if not table and names and names[0] not in self._reading:
            # On the command line reading ended with the process of the second failure.
            page, table = await _in_thread(partial(_short_table, names))
        if not table:
            return ()
        nearest_first = nearest(table, self._errors.get(identify(command).template, ""))
        # `git-push` is of `git push`; the page of a part of the command is named itself.
        is_whole = history.base.replace(" ", "-") == page
        return (options_insight(history.base if is_whole else page, nearest_first),)

    def learn(self, run: CompletedRun, history: CommandHistory, settings: Settings) -> None:
        """Begin to read the page after the second failure of usage in a row."""
        if not settings.manopt_enabled or not run.is_usage_failure:
            return
        self._errors[identify(run.command).template] = run.output_end
        if len(self._errors) > KEPT_ERRORS:
            self._errors.pop(next(iter(self._errors)))
        names = page_names(run.command)
        is_due = history.failures_in_row + 1 >= settings.manopt_fail_trigger
        if is_due and names and names[0] not in self._reading:
            read = self._read(names, settings.manopt_timeout_s)
            job = asyncio.get_running_loop().create_task(read)
            self._reading[names[0]] = job
            job.add_done_callback(lambda _: self._reading.pop(names[0], None))

    async def close(self) -> None:
        """Stop reading."""
        reading = list(self._reading.values())
        for job in reading:
            job.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    async def _read(self, names: tuple[str, ...], timeout_s: float) -> None:
        """Keep the table of the first page that is there, unless it is kept as of the file's time."""
        from zsh_ls.machine.manpages import find_page, read_page  # noqa: PLC0415

        for name in names:
            file = await find_page(name, timeout_s)
            if file is None:
                continue
            if await self._alan.manopt(name, file.mtime) is None:
                page = await read_page(name, timeout_s)
                table = await _options_table(page.text) if page else None
                if page is not None and table:
                    await self._alan.store_manopt(name, table, page.mtime)
            return


def _short_table(names: Sequence[str]) -> tuple[str, str]:
    """The first of `names` that has a page, and its table; `""` for a page that takes long to read."""
    from zsh_ls.shell.manpages.option_table import table_of  # noqa: PLC0415

    found = find_first(names)
    text = "" if found is None else source(found)
    if found is None or len(text) > LONG_CHARACTERS:
        return "", ""
    return found.name, table_of(page_of(found.name, text).options)


async def _options_table(text: str) -> str:
    """The table of a page as `man` shows it; `""` where a long one takes too much."""
    from zsh_ls.machine.limited_process import result_of  # noqa: PLC0415
    from zsh_ls.shell.manpages.option_table import options_table  # noqa: PLC0415

    if len(text) > LONG_CHARACTERS:
        function = f"{options_table.__module__}:{options_table.__name__}"
        with contextlib.suppress(OSError):  # no process can be had
            made = await result_of(function, text, warm_up="OPTIONS\n", allowed_s=ALLOWED_S)
            return "" if made is None else made.decode()
    return await asyncio.to_thread(options_table, text)
