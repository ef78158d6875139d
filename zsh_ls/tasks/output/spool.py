"""A task's raw output: in memory while it is short, then in a private file, up to a limit.

The first `head_bytes` of a task are kept; beyond them a ring file keeps the
last `ring_bytes`, and `gap` is the range between the two.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.system import private_folders
from zsh_ls.system.bounded_files import open_regular

from .newlines import STEP_BYTES

HEAD_FILE = "output"
RING_FILE = "ring"
TAIL_FILE = "tail"
# Output of an ended task up to this size stays in memory; longer output is read from disk.
AT_REST_BYTES = 16 << 10
# Of output that the disk refuses, its first bytes and about its last ones stay in memory.
REFUSED_HEAD_BYTES = 1 << 20
REFUSED_TAIL_STEPS = 3


class SpoolGap(NamedTuple):
    """Bytes that are not kept: `from_byte` up to, not including, `to_byte`."""

    from_byte: int
    to_byte: int


@attrs.frozen
class SpoolLimits:
    """How much of one task is kept, in bytes; head and ring are multiples of the line index's step."""

    memory_bytes: int = 256 << 10
    head_bytes: int = 2 << 30
    ring_bytes: int = 256 << 20

    def gap(self, size_bytes: int) -> SpoolGap | None:
        """The bytes of a stream of `size_bytes` that are not kept, if any."""
        oldest_kept = -(-(size_bytes - self.ring_bytes) // STEP_BYTES) * STEP_BYTES
        return SpoolGap(self.head_bytes, oldest_kept) if oldest_kept > self.head_bytes else None


class Spool:
    """Bytes that one thread appends in order, and any thread can read by offset at once.

    `own` is called before bytes of a running task go to disk. If the disk
    refuses them (`failure`), earlier bytes stay, the last of the later ones are
    kept in memory, and the rest is a gap: a full disk must neither stop a command
    nor fill the memory.
    """

    def __init__(
        self, folder: Path, limits: SpoolLimits, own: Callable[[Path], None] | None = None
    ) -> None:
        self.folder = folder
        self._own = own
        self.limits = limits
        self.size_bytes = 0
        self.failure: OSError | None = None
        self._memory: bytearray | None = bytearray()
        self._persisted_bytes = 0
        # After a refusal: where the head ends, and chunks in memory behind it, by their offset.
        self._head_end: int | None = None
        self._tail: dict[int, bytearray] = {}
        self._files: dict[str, int] = {}
        # Short outputs are written to disk by another thread, after the answer.
        self._persisting = threading.Lock()
        self._closing = threading.Lock()

    @classmethod
    def kept(
        cls,
        folder: Path,
        limits: SpoolLimits,
        size_bytes: int,
        refused: tuple[int, int] | None = None,
    ) -> Spool:
        """The spool that another process left in `folder`, read-only; `refused` is that of its spool."""
        spool = cls(folder, limits)
        if refused is not None:
            spool._head_end, tail_start = refused
            if tail_start < size_bytes:
                spool._tail[tail_start] = bytearray((folder / TAIL_FILE).read_bytes())
        spool._memory, spool.size_bytes = None, size_bytes
        if size_bytes:
            spool._files[HEAD_FILE] = open_regular(folder / HEAD_FILE, follow_links=False)
        if size_bytes > limits.head_bytes:
            spool._files[RING_FILE] = open_regular(folder / RING_FILE, follow_links=False)
        return spool

    @property
    def gap(self) -> SpoolGap | None:
        """The bytes that are not kept, if any."""
        refused = self.refused
        if refused is None:
            return self.limits.gap(self.size_bytes)
        return SpoolGap(*refused) if refused[0] < refused[1] else None

    @property
    def refused(self) -> tuple[int, int] | None:
        """After a refusal of the disk: where the kept head ends, and where the kept tail begins."""
        if self._head_end is None:
            return None
        return self._head_end, min(list(self._tail), default=self.size_bytes)

    @property
    def memory_bytes(self) -> int:
        """How many bytes are in memory."""
        tail_bytes = sum(len(chunk) for chunk in list(self._tail.values()))
        return len(self._memory or b"") + tail_bytes

    def append(self, data: bytes) -> None:
        """Append bytes, to memory while all of them fit there, else to the file."""
        if self.failure is None:
            try:
                self._store(data)
            except OSError as refused:
                self.failure = refused
                self._head_end = min(self.size_bytes, self.limits.head_bytes)
                if not self.size_bytes:
                    self._memory = bytearray()
        if self.failure is not None:
            self._remember(data)
        self.size_bytes += len(data)

    def pour(self, descriptor: int, limit_bytes: int) -> int:
        """Append the next bytes of a readable pipe, with splice(2) if possible.

        Returns how many there were, 0 if the pipe is closed.
        """
        if self._memory is None and self.failure is None:
            try:
                return self._splice(descriptor, limit_bytes)
            except (
                OSError
            ):  # the disk is full, or the file system cannot splice: `append` handles both
                pass
        data = os.read(descriptor, limit_bytes)
        if data:
            self.append(data)
        return len(data)

    def persist(self) -> None:
        """Write to disk what is only in memory, so that other processes can read it."""
        with self._persisting:
            memory = self._memory  # another thread may just be giving it up, once it is on disk
            if memory and len(memory) > self._persisted_bytes:
                copy = bytes(memory)
                _write_all(self._file(HEAD_FILE), memoryview(copy), 0)
                self._persisted_bytes = len(copy)
            if self._tail:
                tail = b"".join(self._tail.values())
                _write_all(self._file(TAIL_FILE), memoryview(tail), 0)

    def rest(self) -> None:
        """Close the descriptors and free the memory of a long output; nothing more is appended."""
        with self._persisting:
            if self.failure is None and self.size_bytes > AT_REST_BYTES:
                self._memory = None
            self.close()

    def shed(self, reason: OSError) -> None:
        """Free the memory of output that the disk refuses with `reason`; only its beginning stays."""
        with self._persisting:
            self.failure = self.failure or reason
            if self._memory is not None:
                self._memory = self._memory[:AT_REST_BYTES]
                self._head_end = len(self._memory)
            self._tail = {}

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` up to `end`, without those of the gap."""
        end = min(end, self.size_bytes)
        if start >= end:
            return b""
        if self._head_end is not None:
            head = self._read_kept(start, min(end, self._head_end))
            return head + self._read_tail(max(start, self._head_end), end)
        return self._read_kept(start, end)

    def _read_kept(self, start: int, end: int) -> bytes:
        """The bytes from `start` up to `end`, all from before a refusal of the disk."""
        memory = self._memory
        if memory is not None:
            return bytes(memory[start:end])
        gap, head_end = self.gap, self.limits.head_bytes
        tail_start = max(start, gap.to_byte if gap else head_end)
        with self._reading(HEAD_FILE) as descriptor:
            end_in_head = min(end, head_end, gap.from_byte if gap else end)
            head = _read_all(descriptor, start, end_in_head)
        return head + self._read_ring(tail_start - head_end, end - head_end)

    def close(self) -> None:
        """Close the descriptors; files are opened again when they are read."""
        with self._closing:
            while self._files:
                os.close(self._files.popitem()[1])

    def _store(self, data: bytes) -> None:
        if self._memory is not None and self.size_bytes + len(data) > self.limits.memory_bytes:
            if self._own:
                self._own(self.folder)
            self.persist()
            self._memory = None
        if self._memory is not None:
            self._memory += data
        else:
            self._write(memoryview(data))

    def _remember(self, data: bytes) -> None:
        """Keep in memory the first and the last bytes of what the disk refuses."""
        at = self.size_bytes
        if self._memory is not None and self._head_end == at:
            fits = data[: max(0, REFUSED_HEAD_BYTES - at)]
            self._memory += fits
            at, data = at + len(fits), data[len(fits) :]
            self._head_end = at
        while data:
            piece, data = data[: STEP_BYTES - at % STEP_BYTES], data[STEP_BYTES - at % STEP_BYTES :]
            latest = max(self._tail, default=None)
            if latest is not None and latest // STEP_BYTES == at // STEP_BYTES:
                self._tail[latest] += piece
            elif latest is not None or at == self._head_end or at % STEP_BYTES == 0:
                # The line index counts from multiples of its step: after a gap, start at one.
                self._tail[at] = bytearray(piece)
            at += len(piece)
        while len(self._tail) > REFUSED_TAIL_STEPS:
            del self._tail[min(self._tail)]

    def _read_tail(self, start: int, end: int) -> bytes:
        return b"".join(
            bytes(chunk[max(0, start - at) : max(0, end - at)])
            for at, chunk in sorted(self._tail.items())
        )

    def _write(self, data: memoryview) -> None:
        in_head = max(0, min(len(data), self.limits.head_bytes - self.size_bytes))
        if in_head:
            _write_all(self._file(HEAD_FILE), data[:in_head], self.size_bytes)
        position = self.size_bytes + in_head - self.limits.head_bytes
        data = data[in_head:]
        while data:
            at = position % self.limits.ring_bytes
            piece = data[: self.limits.ring_bytes - at]
            _write_all(self._file(RING_FILE), piece, at)
            data, position = data[len(piece) :], position + len(piece)

    def _splice(self, descriptor: int, limit_bytes: int) -> int:
        name, at, room = HEAD_FILE, self.size_bytes, self.limits.head_bytes - self.size_bytes
        if room <= 0:
            at = -room % self.limits.ring_bytes
            name, room = RING_FILE, self.limits.ring_bytes - at
        file = self._file(name)
        poured = os.splice(descriptor, file, min(limit_bytes, room), offset_dst=at)
        self.size_bytes += poured
        return poured

    def _file(self, name: str) -> int:
        if name not in self._files:
            make_private(self.folder)
            flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            self._files[name] = os.open(self.folder / name, flags, 0o600)
        return self._files[name]

    def _read_ring(self, start: int, end: int) -> bytes:
        if start >= end:
            return b""
        pieces = []
        with self._reading(RING_FILE) as descriptor:
            while start < end:
                at = start % self.limits.ring_bytes
                length = min(end - start, self.limits.ring_bytes - at)
                pieces.append(_read_all(descriptor, at, at + length))
                start += length
        return b"".join(pieces)

    @contextlib.contextmanager
    def _reading(self, name: str) -> Iterator[int | None]:
        """A descriptor to read from; None if the file has been removed."""
        try:
            descriptor = self._own_copy(name)
        except OSError:
            yield None
            return
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _own_copy(self, name: str) -> int:
        """A separate descriptor: another thread may close the spool's while this one reads."""
        with self._closing:
            if name in self._files:
                return os.dup(self._files[name])
        return open_regular(self.folder / name, follow_links=False)


def make_private(folder: Path) -> None:
    """Create the folder of an entry and its parent, accessible to this user only.

    Raises OSError if either belongs to another user, or another user could replace it.
    """
    if folder.exists():
        found = folder.lstat()
        if found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            return
    private_folders.make_private(folder.parent)
    os.mkdir(folder, 0o700)


def _write_all(descriptor: int, data: memoryview, at: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, at)
        data, at = data[written:], at + written


def _read_all(descriptor: int | None, start: int, end: int) -> bytes:
    pieces = []
    # Bytes that a broken disk does not return are missing, like those of the gap.
    with contextlib.suppress(OSError):
        while (
            descriptor is not None
            and start < end
            and (piece := os.pread(descriptor, end - start, start))
        ):
            pieces.append(piece)
            start += len(piece)
    return b"".join(pieces)
