"""A task's raw bytes: in memory while few, then in a private file; bounded, never lost below the cap.

The first `head_bytes` of a task are kept whole; beyond them a ring keeps the
last `ring_bytes`, and `gap` names what fell between.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import NamedTuple

import attrs

from .index import STEP_BYTES

HEAD_FILE = "output"
RING_FILE = "ring"


class Gap(NamedTuple):
    """Bytes the cap left out: `from_byte` up to, not including, `to_byte`."""

    from_byte: int
    to_byte: int


@attrs.frozen
class SpoolLimits:
    """How much is kept of one task, in bytes; head and ring are whole steps of the line index."""

    memory_bytes: int = 256 << 10
    head_bytes: int = 2 << 30
    ring_bytes: int = 256 << 20

    def gap(self, size_bytes: int) -> Gap | None:
        """What is no longer there of a stream of `size_bytes`."""
        oldest_kept = -(-(size_bytes - self.ring_bytes) // STEP_BYTES) * STEP_BYTES
        return Gap(self.head_bytes, oldest_kept) if oldest_kept > self.head_bytes else None


class Spool:
    """Bytes appended in order, readable at once by offset."""

    def __init__(self, folder: Path, limits: SpoolLimits) -> None:
        self._folder = folder
        self._limits = limits
        self._memory: bytearray | None = bytearray()
        self._head: int | None = None
        self._ring: int | None = None
        # Small outputs are brought to disk by a thread, after the answer.
        self._persisting = threading.Lock()
        self.size_bytes = 0

    @classmethod
    def kept(cls, folder: Path, limits: SpoolLimits, size_bytes: int) -> Spool:
        """The spool another process left in `folder`, to be read only."""
        spool = cls(folder, limits)
        spool._memory, spool.size_bytes = None, size_bytes
        spool._head = os.open(folder / HEAD_FILE, os.O_RDONLY | os.O_CLOEXEC)
        if size_bytes > limits.head_bytes:
            spool._ring = os.open(folder / RING_FILE, os.O_RDONLY | os.O_CLOEXEC)
        return spool

    @property
    def limits(self) -> SpoolLimits:
        """How much is kept."""
        return self._limits

    @property
    def gap(self) -> Gap | None:
        """What the cap left out, if anything."""
        return self._limits.gap(self.size_bytes)

    def append(self, data: bytes) -> None:
        """Take the next bytes; to memory while all fits there, else to the file."""
        if self._memory is not None and self.size_bytes + len(data) > self._limits.memory_bytes:
            self.persist()
            self._memory = None
        if self._memory is not None:
            self._memory += data
        else:
            self._write(data)
        self.size_bytes += len(data)

    def persist(self) -> None:
        """Bring to disk what is only in memory, so that other processes can read it."""
        with self._persisting:
            if self._memory is None:
                return
            if self._head is None:
                self._head = self._create(HEAD_FILE)
            _write_all(self._head, memoryview(bytes(self._memory)), 0)

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` up to `end`; those of the gap are missing."""
        end = min(end, self.size_bytes)
        if start >= end:
            return b""
        memory = self._memory
        if memory is not None:
            return bytes(memory[start:end])
        head_end = self._limits.head_bytes
        gap = self.gap
        tail_start = max(start, gap.to_byte if gap else head_end)
        return self._read_head(start, min(end, head_end)) + self._read_ring(tail_start, end)

    def close(self) -> None:
        """Give back the descriptors; what is on disk stays."""
        for descriptor in (self._head, self._ring):
            if descriptor is not None:
                os.close(descriptor)
        self._head = self._ring = None

    def _create(self, name: str) -> int:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(self._folder / name, flags, 0o600)

    def _write(self, data: bytes) -> None:
        assert self._head is not None
        view = memoryview(data)
        in_head = max(0, min(len(data), self._limits.head_bytes - self.size_bytes))
        _write_all(self._head, view[:in_head], self.size_bytes)
        position = self.size_bytes + in_head - self._limits.head_bytes
        view = view[in_head:]
        while view:
            if self._ring is None:
                self._ring = self._create(RING_FILE)
            room = self._limits.ring_bytes - position % self._limits.ring_bytes
            _write_all(self._ring, view[:room], position % self._limits.ring_bytes)
            view, position = view[room:], position + min(room, len(view))

    def _read_head(self, start: int, end: int) -> bytes:
        return _read_all(self._head, start, end) if self._head is not None and start < end else b""

    def _read_ring(self, start: int, end: int) -> bytes:
        pieces = []
        ring_bytes = self._limits.ring_bytes
        position, stop = start - self._limits.head_bytes, end - self._limits.head_bytes
        while self._ring is not None and position < stop:
            at = position % ring_bytes
            length = min(stop - position, ring_bytes - at)
            pieces.append(_read_all(self._ring, at, at + length))
            position += length
        return b"".join(pieces)


def _write_all(descriptor: int, data: memoryview, at: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, at)
        data, at = data[written:], at + written


def _read_all(descriptor: int, start: int, end: int) -> bytes:
    pieces = []
    while start < end and (piece := os.pread(descriptor, end - start, start)):
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)
