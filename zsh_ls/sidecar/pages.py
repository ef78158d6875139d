"""Manual pages for hovers, completion and explanations: read from their files, without starting `man`.

A page read once is kept while its file is as it was. Where a page has no file
that can be found, the table that a failing command had read (MAN-2) serves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache

from zsh_ls.alan import Alan
from zsh_ls.machine.page_files import PageSource, find_first, source
from zsh_ls.shell.manual_page import Page, page_of, page_of_text

KEPT_PAGES = 64


class Pages:
    """The pages of this machine."""

    def __init__(self, alan: Alan) -> None:
        self._alan = alan

    async def first(self, names: Sequence[str]) -> Page | None:
        """The first of `names` that has a page, or a table from one; off the loop."""
        if not names:
            return None
        page = await asyncio.to_thread(_first, tuple(names))
        if page is not None:
            return page
        for name in names:
            table = await self._alan.manopt(name)
            if table:
                return page_of_text(name, f"OPTIONS\n{table}")
        return None


def _first(names: tuple[str, ...]) -> Page | None:
    found = find_first(names)
    return None if found is None else _page(found)


@lru_cache(maxsize=KEPT_PAGES)
def _page(found: PageSource) -> Page:
    return page_of(found.name, source(found))
