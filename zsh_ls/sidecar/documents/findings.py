"""What the static rules say of open documents, found out once for each version of a text.

While somebody types into a long text that goes on in a process of its own, so that no answer waits for
it, and it stops when the text changes again. A text that was just opened is read here: the process takes
longer to start than that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Set
from functools import partial

from zsh_ls.insights import static_of
from zsh_ls.lazy import attrs
from zsh_ls.machine.side_process import SideProcess, WorkRefusedError
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Script

from .beside import ALLOWED_S, findings_beside
from .executor import HUGE_TEXT, run_maybe_in_thread


@attrs.define
class _Search:
    script: Script
    task: asyncio.Task[tuple[Insight, ...]]


class Findings:
    """The insights of static rules on documents."""

    def __init__(self, beside: SideProcess) -> None:
        self._searches: dict[str, _Search] = {}
        self._was_edited: set[str] = set()
        self._beside = beside

    async def of(self, uri: str, script: Script, rules_on: Set[str]) -> tuple[Insight, ...] | None:
        """What is said of the script that a document has now; None where it was edited meanwhile."""
        search = self._searches.get(uri)
        if search is None or search.script is not script:
            self._forget(uri)
            loop = asyncio.get_running_loop()
            search = _Search(script, loop.create_task(self._find(uri, script, rules_on)))
            self._searches[uri] = search
        await asyncio.wait([search.task])
        return None if search.task.cancelled() else search.task.result()

    def edited(self, uri: str) -> None:
        """What is being found out about a document is no longer wanted."""
        self._was_edited.add(uri)
        self._forget(uri)

    def closed(self, uri: str) -> None:
        """A document is gone."""
        self._was_edited.discard(uri)
        self._forget(uri)

    async def stop(self) -> None:
        """End what is being found out."""
        tasks = [search.task for search in self._searches.values()]
        for uri in list(self._searches):
            self.closed(uri)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, uri: str) -> None:
        search = self._searches.pop(uri, None)
        if search is not None:
            search.task.cancel()

    async def _find(self, uri: str, script: Script, rules_on: Set[str]) -> tuple[Insight, ...]:
        length = len(script.text)
        if length > HUGE_TEXT and uri in self._was_edited:
            try:
                found = await self._beside.call(
                    findings_beside,
                    uri,
                    script.text,
                    script.dialect,
                    frozenset(rules_on),
                    allowed_s=ALLOWED_S,
                )
                return tuple(found)
            except WorkRefusedError:
                pass  # A thread holds others up, but not for long at a time.
        found = await run_maybe_in_thread(length, partial(static_of, script, None, rules_on))
        return tuple(found)
