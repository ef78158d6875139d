"""Manual pages for hovers, completion and explanations: read from their files, without starting `man`.

A page read once is kept while its file is as it was. Where a page has no file
that can be found, the table that a failing command had read (MAN-2) serves.
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
from zsh_ls.machine.page_files import PageSource, find_first, source
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.manpages.page import ManualPage, builtin_pages, page_of, page_of_text
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

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
