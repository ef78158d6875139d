"""Whether a long text can be read at all: what looks strange is tried out in a process of its own.

Some texts cost out of all proportion: a construct over and over, nested or never closed.
"""

from __future__ import annotations

import asyncio
from functools import partial

from zsh_ls.insights import static_of
from zsh_ls.lazy import attrs
from zsh_ls.machine.limited_process import completes
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.ide.folding import folds
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.ide.semantic_tokens import Around, tokens
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import outline
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.strange import looks_strange

from .executor import HUGE_TEXT, run_in_thread

# Above this a text is not read at all: what is known of one takes some 250 times its size.
LONGEST_TEXT = 4_000_000
# An edit of so many characters may have made another text of it.
TRIED_AGAIN_AFTER = 20_000
# What an ordinary script takes on a slow machine, several times over; seconds of processor time.
ALLOWED_S = 5
ALLOWED_S_EACH_MB = 2


async def is_readable(text: str, dialect: Dialect) -> bool:
    """Whether `text` can be read at an ordinary cost; yes where that cannot be found out."""
    allowed_s = ALLOWED_S + round(ALLOWED_S_EACH_MB * len(text) / 1_000_000)
    function = f"{__name__}:{read_all.__name__}"
    return await completes(
        function, text, [dialect.value], warm_up="true | true", allowed_s=allowed_s
    )


def read_all(text: str, dialect: str) -> None:
    """All that editors ask of every open document."""
    script = parse(text, Dialect(dialect))
    names = names_of(script)
    static_of(script)
    list(runnable_lines(script))
    outline(names)
    list(tokens(names, Around(frozenset(), frozenset(), frozenset(), is_complete=False)))
    list(folds(script, LineIndex(text)))


@attrs.define
class _ParseProbe:
    verdict: asyncio.Task[bool]
    written_since: int = 0


class ParseProbes:
    """Which of the huge documents that are open can be read; each is tried out once."""

    def __init__(self) -> None:
        self._probes: dict[str, _ParseProbe] = {}

    def edited(self, uri: str, written: int) -> None:
        """So many characters were put into a document."""
        probe = self._probes.get(uri)
        if probe is not None:
            probe.written_since += written
            if probe.written_since > TRIED_AGAIN_AFTER:
                self.closed(uri)

    def closed(self, uri: str) -> None:
        """A document is gone, or another one."""
        probe = self._probes.pop(uri, None)
        if probe is not None:
            probe.verdict.cancel()

    async def stop(self) -> None:
        """End what is being tried."""
        verdicts = [probe.verdict for probe in self._probes.values()]
        for uri in list(self._probes):
            self.closed(uri)
        await asyncio.gather(*verdicts, return_exceptions=True)

    async def is_readable(self, uri: str, text: str, dialect: Dialect) -> bool:
        """Whether the text of a document may be read here; one that is gone need not be."""
        if len(text) <= HUGE_TEXT:
            return True
        if len(text) > LONGEST_TEXT:
            return False
        if uri not in self._probes:

            async def probe() -> bool:
                # A process takes longer than reading an ordinary text, so only strange ones get one.
                if not await run_in_thread(partial(looks_strange, text)):
                    return True
                return await is_readable(text, dialect)

            verdict = asyncio.get_running_loop().create_task(probe())
            self._probes[uri] = _ParseProbe(verdict)
        verdict = self._probes[uri].verdict
        await asyncio.wait([verdict])
        return not verdict.cancelled() and verdict.result()
