"""The fates of the commands of open documents, found out once for each version of a text.

That takes longer than anything else that is worked out from a text, so it never happens on the
event loop: a text of ordinary length is looked at in a thread, a long one in the process that finds
what the rules say of it, a huge one in a process of its own, which ends when the text is edited.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from zsh_ls.answers.failures import Failures, counts_of, failures_of
from zsh_ls.insights.script_model import LONGEST_ANALYSED
from zsh_ls.lazy import attrs
from zsh_ls.machine.limited_process import result_of
from zsh_ls.machine.side_process import WorkRefusedError
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.fates import Fate, FateKind, Rule
from zsh_ls.shell.syntax.parser import parse

from .beside import fates_beside
from .executor import HUGE_TEXT, let_go, run_in_thread
from .store import Readings

TOO_COSTLY = "This text of {length:,} characters costs too much to follow: no fates are told."
# Seconds of processor time, several times what scripts take on a slow machine.
ALLOWED_S = 20
ALLOWED_S_EACH_MB = 20


@attrs.frozen
class _Search:
    script: Script
    task: asyncio.Task[Failures]

    @property
    def found(self) -> Failures | None:
        """The fates, once they have been found out."""
        is_known = self.task.done() and not self.task.cancelled() and not self.task.exception()
        return self.task.result() if is_known else None


class FateMaps:
    """What becomes of open scripts when their commands fail; `changed` is told of what is known late."""

    def __init__(self, readings: Readings, changed: Callable[[str], None]) -> None:
        self._readings = readings
        self._changed = changed
        self._searches: dict[str, _Search] = {}

    async def of(self, uri: str) -> Failures:
        """The fates in a document as it stands now.

        Raises InvalidRequest where it is not open, RequestRejected where its text costs too much.
        """
        while True:
            search = await self._search(uri)
            # An edit ends the search, and the later text is looked at.
            await asyncio.wait([search.task])
            if not search.task.cancelled():
                return search.task.result()

    async def known(self, uri: str) -> Failures | None:
        """The same without waiting for a huge text; None until that is known, or where it costs too much."""
        try:
            search = await self._search(uri)
            if len(search.script.text) <= HUGE_TEXT:
                return await self.of(uri)
        except (InvalidRequest, RequestRejected):
            return None
        return search.found

    def close(self, uri: str) -> None:
        """A document is gone, or its text is another one."""
        search = self._searches.pop(uri, None)
        if search is not None:
            search.task.cancel()
            let_go(len(search.script.text), [search.found])

    async def stop(self) -> None:
        """End what is being found out."""
        tasks = [search.task for search in self._searches.values()]
        for uri in list(self._searches):
            self.close(uri)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _search(self, uri: str) -> _Search:
        """The search in the text of today, begun where it was not."""
        parsed = await self._readings.parsed(uri)
        if parsed is None:
            self._readings.document(uri)  # raises where it is not open
            raise InvalidRequest(f"textDocument.uri: expected an open document, got {uri!r}")
        if parsed.too_costly:
            raise RequestRejected(TOO_COSTLY.format(length=parsed.too_costly))
        script = parsed.script
        search = self._searches.get(uri)
        if search is None or search.script is not script:
            self.close(uri)
            finding = self._find(uri, script)
            search = _Search(script, asyncio.get_running_loop().create_task(finding))
            self._searches[uri] = search
            if len(script.text) > HUGE_TEXT:
                search.task.add_done_callback(partial(self._tell, uri))
        return search

    async def _find(self, uri: str, script: Script) -> Failures:
        text, dialect = script.text, script.dialect
        if HUGE_TEXT < len(text) <= LONGEST_ANALYSED:
            with suppress(WorkRefusedError):
                found = await self._readings.beside.call(
                    fates_beside, uri, text, dialect, allowed_s=ALLOWED_S
                )
                fates = tuple(it._replace(command=script.source(it.span)) for it in found)
                return Failures(fates, counts_of(fates))
        return await failures_beside_the_loop(script)

    def _tell(self, uri: str, task: asyncio.Task[Failures]) -> None:
        if not task.cancelled() and task.exception() is None:
            self._changed(uri)


async def failures_beside_the_loop(script: Script) -> Failures:
    """The fates of a script, found out in a thread or a process.

    Raises RequestRejected where that costs too much.
    """
    length = len(script.text)
    if length <= HUGE_TEXT:
        return await run_in_thread(partial(failures_of, script))
    allowed_s = ALLOWED_S + round(ALLOWED_S_EACH_MB * length / 1_000_000)
    function = f"{__name__}:{packed_fates.__name__}"
    try:
        printed = await result_of(
            function, script.text, [script.dialect.value], warm_up="a", allowed_s=allowed_s
        )
    except OSError:
        # No process can be had: a thread holds others up, but not for long at a time.
        return await run_in_thread(partial(failures_of, script))
    if printed is None:
        raise RequestRejected(TOO_COSTLY.format(length=length))
    return await run_in_thread(partial(_unpacked, script, printed))


def packed_fates(text: str, dialect: str) -> str:
    """The fates of a script as JSON, a line each; without `command`, which the text has."""
    found = failures_of(parse(text, Dialect(dialect))).commands
    return "\n".join(json.dumps(it._replace(command="")._asdict()) for it in found)


def _unpacked(script: Script, printed: bytes) -> Failures:
    # Line by line: no other thread runs while one text is decoded.
    found = tuple(_fate(script, json.loads(line)) for line in printed.splitlines())
    return Failures(found, counts_of(found))


def _fate(script: Script, fields: dict[str, Any]) -> Fate:
    span = Span(*fields["span"])
    others = tuple((FateKind(kind), count) for kind, count in fields["others"])
    rule = None if fields["rule"] is None else Rule(fields["rule"])
    known = {"span": span, "command": script.source(span), "others": others, "rule": rule}
    return Fate(**{**fields, **known, "fate": FateKind(fields["fate"])})
