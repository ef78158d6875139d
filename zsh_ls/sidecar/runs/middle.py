"""The telling lines of a huge output, looked for while it is written, so that no answer waits (VERB-8)."""

from __future__ import annotations

import asyncio
import threading

from zsh_ls.tasks import Output, Task
from zsh_ls.verbosity.middle import TellingLine, TellingLines, TellingSearch

PIECE_BYTES = 1 << 20
# How much is read in one go, and how much more there has to be before a thread is woken again.
AT_ONCE_BYTES = 32 << 20
WORTH_WAKING_BYTES = 8 << 20


class OutputMiddle:
    """How far the output of one task has been searched, and after the search what it found."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._cursor = 0
        self._reading = threading.Lock()
        self._search: TellingSearch | None = TellingSearch()
        self._found: TellingLines | None = None

    async def follow(self, task: Task) -> None:
        """Read what the task writes until it ends."""
        while not task.ended:
            await asyncio.to_thread(self._read, AT_ONCE_BYTES)
            await task.wait_bytes(self._cursor + WORTH_WAKING_BYTES)

    def telling(self, wanted: range) -> list[TellingLine]:
        """The telling lines among those `wanted` of the ended task; reads what is left, and blocks."""
        if self._found is None:
            self._read(self._output.size_bytes)
            with self._reading:
                if self._search is not None:
                    self._found, self._search = self._search.found(), None
        return [] if self._found is None else self._found.within(wanted)

    def _read(self, most_bytes: int) -> None:
        with self._reading:
            stop = self._cursor + most_bytes
            while self._search is not None and self._cursor < stop:
                piece = self._output.raw(self._cursor, PIECE_BYTES)
                used = self._search.feed(piece.data)
                if not used:
                    return
                self._cursor = piece.next_byte - len(piece.data) + used
