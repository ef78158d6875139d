"""Long texts must not hold up anybody: they are read in a thread, and the longest after a trial.

There are two such threads at most: Python runs one at a time, and each more is one more that the
event loop stands in line with. With one alone, a second document would wait for all of the first.

Two things let no other thread run until they are done, whatever thread they happen in: the collector
of garbage where it looks through all objects, and taking down a tree of a million. So full
collections wait while such a thread works, and large structures are taken down a piece at a time.
"""

from __future__ import annotations

import asyncio
import gc
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeVar

import attrs

from zsh_ls.model.syntax import Dialect, Script

from .parse_probe import is_readable

# Above this a text is read in a thread, so that no other request waits for it.
LONG_TEXT = 5_000
# Above this it may cost out of all proportion.
HUGE_TEXT = 20_000
# Above this it is not read at all: what is known of a text takes some 250 times its size.
LONGEST_TEXT = 4_000_000
# Scripts shrink to a fifth of their size, and to no less than a twentieth; what costs out of
# proportion is one construct over and over, or one line without end.
LEAST_SHRUNK = 1 / 20
LONGEST_LINE = 5_000
# An edit of so many characters may have made another text of it.
TRIED_AGAIN_AFTER = 20_000

Made = TypeVar("Made")

# So many objects are taken down at once; of fewer, all at once costs a few milliseconds.
PIECE = 1_000
MANY_OBJECTS = 10_000
# So deep under what is known of a text stand the lists of its parts.
DEEPEST = 8

_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="reader")
_wreckers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wrecker")


async def run_maybe_in_thread(length: int, work: Callable[[], Made]) -> Made:
    """What `work` makes of a text of that length: on the spot, or in a thread where that takes long."""
    return work() if length <= LONG_TEXT else await run_in_thread(work)


async def run_in_thread(work: Callable[[], Made]) -> Made:
    """What `work` makes, in a thread while others are answered."""
    with _full_collections.put_off():
        return await asyncio.get_running_loop().run_in_executor(_readers, work)


class _FullCollections:
    """Whether the collector may look through all objects; used from the event loop."""

    # The young often, so that they are few whenever nobody else may run; the oldest never.
    _MEANWHILE = (5_000, 5, 1 << 30)
    # So many collections of the middle ones have made what is worth leaving out of later ones:
    # 5,000 objects that stayed, and that six times, for each.
    _WORTH_FREEZING = 10

    def __init__(self) -> None:
        self._working = 0
        self._before = 0
        self._usual = gc.get_threshold()

    def begin(self) -> None:
        """A thread begins to work."""
        if not self._working:
            self._before = gc.get_count()[2]
            self._usual = gc.get_threshold()
            gc.set_threshold(*self._MEANWHILE)
        self._working += 1

    def end(self) -> None:
        """It has done its work; many things that it made are not looked through again."""
        self._working -= 1
        if not self._working:
            if gc.get_count()[2] - self._before > self._WORTH_FREEZING:
                gc.freeze()
            gc.set_threshold(*self._usual)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """None in this context."""
        self.begin()
        try:
            yield
        finally:
            self.end()


_full_collections = _FullCollections()


def let_go(length: int, things: list[object]) -> None:
    """Take down what was known of a text of that length, in a thread; empties `things`.

    What others still hold stays as it is.
    """
    if length <= HUGE_TEXT:
        things.clear()
    else:
        _wreckers.submit(take_down, things)


def take_down(things: list[object]) -> None:
    """Empty `things` so that not too many objects go at once: parts are held until their whole has gone."""
    held: list[object] = []
    level = list(things)
    things.clear()
    for _ in range(DEEPEST):
        held += level
        if len(level) >= MANY_OBJECTS:
            break
        level = [part for whole in level for part in gc.get_referents(whole) if _has_parts(part)]
    level = []
    held.reverse()
    while held:
        del held[-PIECE:]


def _has_parts(thing: object) -> bool:
    return gc.is_tracked(thing) and not isinstance(thing, type) and not callable(thing)


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
            _full_collections.begin()
            going = script, loop.run_in_executor(_readers, work)
            self._going[uri] = going
            going[1].add_done_callback(partial(self._found, uri))
        return await asyncio.shield(going[1])

    def _found(self, uri: str, found: asyncio.Future[Made]) -> None:
        _full_collections.end()
        if uri in self._going and self._going[uri][1] is found:
            del self._going[uri]


async def _is_readable(text: str, dialect: Dialect) -> bool:
    """Only what looks strange is tried out in another process, which takes longer than reading it."""
    if not await run_in_thread(partial(looks_strange, text)):
        return True
    return await is_readable(text, dialect)


def looks_strange(text: str) -> bool:
    """Whether a text repeats itself, or has lines, as no script does."""
    raw = text.encode("utf-8", "replace")
    if len(zlib.compress(raw, 1)) < LEAST_SHRUNK * len(raw):
        return True
    return max(map(len, text.splitlines())) > LONGEST_LINE


@attrs.define
class _ParseProbe:
    verdict: asyncio.Task[bool]
    written_since: int = 0


class ParseProbes:
    """Which of the huge documents that are open can be read."""

    def __init__(self) -> None:
        self._trials: dict[str, _ParseProbe] = {}

    def edited(self, uri: str, written: int) -> None:
        """So many characters were put into a document."""
        trial = self._trials.get(uri)
        if trial is not None:
            trial.written_since += written
            if trial.written_since > TRIED_AGAIN_AFTER:
                self.closed(uri)

    def closed(self, uri: str) -> None:
        """A document is gone, or another one."""
        trial = self._trials.pop(uri, None)
        if trial is not None:
            trial.verdict.cancel()

    async def stop(self) -> None:
        """End what is being tried."""
        verdicts = [trial.verdict for trial in self._trials.values()]
        for uri in list(self._trials):
            self.closed(uri)
        await asyncio.gather(*verdicts, return_exceptions=True)

    async def is_readable(self, uri: str, text: str, dialect: Dialect) -> bool:
        """Whether the text of a document may be read here; one that is gone need not be."""
        if len(text) <= HUGE_TEXT:
            return True
        if len(text) > LONGEST_TEXT:
            return False
        if uri not in self._trials:
            loop = asyncio.get_running_loop()
            self._trials[uri] = _ParseProbe(loop.create_task(_is_readable(text, dialect)))
        verdict = self._trials[uri].verdict
        await asyncio.wait([verdict])
        return not verdict.cancelled() and verdict.result()
