"""Long texts must not hold up anybody: they are read in a thread.

There are two such threads at most: Python runs one at a time, and each more is one more that the
event loop stands in line with. With one alone, a second document would wait for all of the first.

Two things let no other thread run until they are done, whatever thread they happen in: the collector
of garbage, which looks at all that a new list or table of hundreds of thousands holds, and taking down
a tree of a million. So nothing is collected while such a thread works, whose structures have no cycles,
and large structures are taken down a piece at a time.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Generic, TypeVar

from zsh_ls.model.syntax import Script
from zsh_ls.system.taking_down import take_down

# Above this a text is read in a thread, so that no other request waits for it.
LONG_TEXT = 5_000
# Above this it may cost out of all proportion.
HUGE_TEXT = 20_000

Made = TypeVar("Made")

_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="reader")
_wreckers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wrecker")


async def run_maybe_in_thread(length: int, work: Callable[[], Made]) -> Made:
    """What `work` makes of a text of that length: on the spot, or in a thread where that takes long."""
    return work() if length <= LONG_TEXT else await run_in_thread(work)


async def run_in_thread(work: Callable[[], Made]) -> Made:
    """What `work` makes, in a thread while others are answered."""
    with _collections.put_off():
        return await asyncio.get_running_loop().run_in_executor(_readers, work)


class _Collections:
    """Whether the collector may look for garbage; used from the event loop."""

    # So many objects, or what was made in so long, are worth leaving out of later collections. The
    # collector's count alone says little: what an earlier version of the text had goes meanwhile.
    _WORTH_FREEZING = 50_000
    _WORTH_FREEZING_S = 0.2

    def __init__(self) -> None:
        self._working = 0
        self._began = 0.0

    def begin(self) -> None:
        """A thread begins to work."""
        if not self._working:
            self._began = time.monotonic()
        self._working += 1
        gc.disable()

    def end(self) -> None:
        """It has done its work; many things that it made are not looked through again."""
        self._working -= 1
        if not self._working:
            took_s = time.monotonic() - self._began
            if took_s > self._WORTH_FREEZING_S or gc.get_count()[0] > self._WORTH_FREEZING:
                gc.freeze()
            gc.enable()

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """None in this context."""
        self.begin()
        try:
            yield
        finally:
            self.end()


_collections = _Collections()


def let_go(length: int, things: list[object]) -> None:
    """Take down what was known of a text of that length, in a thread; empties `things`.

    What others still hold stays as it is.
    """
    if length <= HUGE_TEXT:
        things.clear()
    else:
        _wreckers.submit(take_down, things)


class Shared(Generic[Made]):
    """What is found out about the scripts of documents, once for all who ask while it is."""

    def __init__(self) -> None:
        self._going: dict[str, tuple[Script, asyncio.Future[Made]]] = {}

    async def run_maybe_in_thread(self, uri: str, script: Script, work: Callable[[], Made]) -> Made:
        """What `work` makes of the script that a document has now."""
        if len(script.text) <= LONG_TEXT:
            return work()
        going = self._going.get(uri)
        if going is None or going[0] is not script:
            loop = asyncio.get_running_loop()
            _collections.begin()
            going = script, loop.run_in_executor(_readers, work)
            self._going[uri] = going

            def done(found: asyncio.Future[Made]) -> None:
                _collections.end()
                if uri in self._going and self._going[uri][1] is found:  # no later text's
                    del self._going[uri]

            going[1].add_done_callback(done)
        return await asyncio.shield(going[1])
