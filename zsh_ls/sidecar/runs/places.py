"""The places in a run's output: read piece by piece while it flows, in a thread (PLACE-1)."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from zsh_ls.lazy import attrs, re
from zsh_ls.model.places import Place, TestResult
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.tasks import Task

if TYPE_CHECKING:
    from zsh_ls.places import PlaceScanner

# A piece is read in 60 ms where each line looks like a place, and in a moment where none does.
PIECE_BYTES = 64 * 1024
# How long an answer about a running task waits for what is being read of it.
MOST_WAITED_S = 0.05
# Processor time for each of the two ends of what is left when a run has written faster than it could be read,
# and what is read of them in any case. The beginning is read as it is written; somebody waits for the end.
AT_BEGINNING_S = 0.35
AT_END_S = 0.15
SURE_BYTES = 2 * PIECE_BYTES
SHORT_BYTES = 64 * 1024
LONGEST_FILE_BYTES = 4 << 20
# Without any of these a short output names no place, and the formats need not be loaded.
_MAY_NAME_ONE = re.compile(
    rb":\d|line \d|[(\[,]\d|\d:|ok |FAIL|PASS|panic|CMake|Error|ERROR|Traceback|"
    rb"\xe2\x97\x8f|\xe2\x9c[\x93\x94\x96\x97]|\xc3\x97"
)


class OutputPlaces:
    """The places and test results in the output of one task, and how far it has been read."""

    def __init__(self, task: Task, command: str, roots: tuple[str, ...]) -> None:
        self._task = task
        self._command = command
        self._roots = roots
        self._cursor = 0
        self._scanner: PlaceScanner | None = None
        self._reading = asyncio.Lock()
        self._ahead: asyncio.Task[None] | None = None
        self._is_ending = False
        self._is_finished = False
        self._beginning_bytes = 0
        self._beginning_s = 0.0

    @property
    def found(self) -> tuple[Place, ...]:
        """The places found so far."""
        if self._scanner is None:
            return ()
        copy, edited = self._copy_of_edited()
        return tuple(
            attrs.evolve(it, file=edited) if edited and it.file == copy else it
            for it in self._scanner.places
        )

    @property
    def tests(self) -> tuple[TestResult, ...]:
        """How the tests went that the output names."""
        return () if self._scanner is None else self._scanner.results

    async def advance(self) -> None:
        """Read on what has been written since, for a moment; it goes on behind who asked."""
        end = self._task.output.size_bytes
        if (
            self._scanner is None
            and end - self._cursor < SHORT_BYTES
            and not self._may_name_one(end)
        ):
            return
        if self._ahead is None or self._ahead.done():
            self._ahead = asyncio.create_task(self._read(self._follow))
        await asyncio.wait([self._ahead], timeout=MOST_WAITED_S)
        if self._ahead.done():
            self._ahead.result()

    async def follow_beginning(self) -> None:
        """Read the beginning of a huge output while it is written: at the run's end somebody waits."""
        while not (self._task.ended or self._has_beginning(AT_BEGINNING_S)):
            await self._read(partial(self._read_beginning, AT_BEGINNING_S))
            await self._task.wait_bytes(self._cursor + SURE_BYTES)

    async def finish(self) -> None:
        """Read the rest, once; of more than can be read in a moment the beginning and the end."""
        self._is_ending = True
        end = self._task.output.size_bytes
        if self._scanner is None and end < SHORT_BYTES and not self._may_name_one(end):
            return
        await self._read(self._read_rest)

    def _may_name_one(self, end: int) -> bool:
        return end > 0 and _MAY_NAME_ONE.search(self._task.output.read(0, end)) is not None

    async def _read(self, work: Callable[[], None]) -> None:
        async with self._reading:
            try:
                await asyncio.to_thread(work)
            except RuntimeError:  # no thread can be had
                work()

    def _follow(self) -> None:
        """Read what is there now, until the run has ended."""
        self._scan(self._task.output.size_bytes, lambda: self._is_ending)

    def _read_rest(self) -> None:
        if self._is_finished:
            return
        self._is_finished = True
        end = self._task.output.size_bytes
        # What was there when the beginning was read may have been little.
        self._read_beginning(AT_END_S)
        # As much of the other end as was read of this one takes as long.
        last_bytes = self._beginning_bytes
        if self._beginning_s > AT_END_S:
            last_bytes = max(SURE_BYTES, int(last_bytes * AT_END_S / self._beginning_s))
        self._cursor = max(self._cursor, end - last_bytes)
        scanner = self._scan(end, lambda: False)
        scanner.end()

    def _has_beginning(self, limit_s: float) -> bool:
        return self._beginning_bytes >= SURE_BYTES and self._beginning_s >= limit_s

    def _read_beginning(self, limit_s: float) -> None:
        """Read on from the beginning for as long as is left of the processor time for it."""
        # To load the formats takes as long as to read some megabytes: it is not part of that time.
        self._loaded_scanner()
        read_before, first = self._beginning_bytes, self._cursor
        began = time.thread_time() - self._beginning_s

        def is_enough() -> bool:
            self._beginning_bytes = read_before + self._cursor - first
            self._beginning_s = time.thread_time() - began
            return self._has_beginning(limit_s)

        self._scan(self._task.output.size_bytes, is_enough)
        is_enough()

    def _loaded_scanner(self) -> PlaceScanner:
        from zsh_ls.places import PlaceScanner, Surroundings  # noqa: PLC0415  most runs name none

        if self._scanner is None:
            around = Surroundings.of(self._command, self._task.request.cwd, self._roots)
            copy, edited = self._copy_of_edited()

            def is_file(path: str) -> bool:
                # The copy is gone when the run has ended.
                return (edited is not None and path == copy) or _is_file(path)

            self._scanner = PlaceScanner(around, is_file, lru_cache(maxsize=8)(_lines_of))
        return self._scanner

    def _copy_of_edited(self) -> tuple[str, str | None]:
        """The copy that a script runs from where its text is not saved, and its file, if that is there."""
        script, copy = self._task.request.script, self._task.script_file
        edited = script.edited if script is not None else None
        return copy or "", edited if copy and edited and _is_file(edited) else None

    def _scan(self, end: int, is_enough: Callable[[], bool]) -> PlaceScanner:
        scanner = self._loaded_scanner()
        while self._cursor < end and not is_enough():
            piece_end = min(end, self._cursor + PIECE_BYTES)
            scanner.feed(self._task.output.read(self._cursor, piece_end))
            self._cursor = piece_end
        return scanner


def _lines_of(path: str) -> list[str]:
    """The lines of a file; none of one that is very long or cannot be read."""
    try:
        return read_bytes(path, LONGEST_FILE_BYTES).decode("utf-8", "replace").split("\n")
    except NotRead:
        return []


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
