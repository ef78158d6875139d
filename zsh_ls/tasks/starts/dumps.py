"""Dumps that a start writes: known before it, put back as they were afterwards (START-7).

A history is not among them: nothing is typed that would enter it, the shell is killed before it could
write it, and another shell may append to it meanwhile.
"""

from __future__ import annotations

import contextlib
import fnmatch
import os
import stat
from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.lazy import attrs

_DUMPS = ("*.zwc", ".zcompdump*", "zcompdump*", "_zcompdump*", ".zcompcache*", "p10k-*")
_PASSED_OVER = frozenset(
    {".git", "node_modules", ".venv", "__pycache__", ".cargo", ".rustup", "go"}
)
_DEEPEST = 5
_MOST_FOLDERS = 4_000
_LARGEST_BYTES = 16 << 20
_MOST_BYTES = 128 << 20


@attrs.frozen
class Dump:
    """A dump at one moment; `content` is None where it is too large to be put back."""

    modified_ns: int
    size_bytes: int
    mode: int
    content: bytes | None


DumpState = Mapping[str, Dump]
"""The dumps that are there at one moment, by path."""


class Dumps:
    """The dumps below some folders."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(dict.fromkeys(os.path.realpath(it) for it in folders if it))
        self._room_bytes = _MOST_BYTES
        self._known: dict[tuple[str, int, int], Dump] = {}

    def state(self) -> DumpState:
        """The dumps as they are now."""
        return {path: self._read(path, status) for path, status in self._now()}

    def put(self, state: DumpState) -> None:
        """Make them what they were: write again what was changed or removed, remove what came."""
        now = dict(self._now())
        for path in now.keys() - state.keys():
            with contextlib.suppress(OSError):
                os.unlink(path)
        for path, dump in state.items():
            there = now.get(path)
            if there is None or _identity(there) != (dump.modified_ns, dump.size_bytes):
                _write(path, dump)

    def _read(self, path: str, status: os.stat_result) -> Dump:
        """A dump that is as it was has been read once for all states."""
        modified_ns, size_bytes = _identity(status)
        known = self._known.get((path, modified_ns, size_bytes))
        if known is not None:
            return known
        content = None
        if size_bytes <= min(_LARGEST_BYTES, self._room_bytes):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                content = file.read(_LARGEST_BYTES)
                self._room_bytes -= len(content)
        dump = Dump(modified_ns, size_bytes, stat.S_IMODE(status.st_mode), content)
        self._known[path, modified_ns, size_bytes] = dump
        return dump

    def _now(self) -> Iterator[tuple[str, os.stat_result]]:
        ahead = [(folder, 0) for folder in self._folders]
        seen: set[str] = set()
        while ahead and len(seen) < _MOST_FOLDERS:
            folder, depth = ahead.pop(0)
            if folder in seen:
                continue
            seen.add(folder)
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        if entry.is_dir(follow_symlinks=False):
                            if depth < _DEEPEST and entry.name not in _PASSED_OVER:
                                ahead.append((entry.path, depth + 1))
                        elif entry.is_file(follow_symlinks=False) and _is_dump(entry.name):
                            yield entry.path, entry.stat(follow_symlinks=False)


def _is_dump(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, it) for it in _DUMPS)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size


def _write(path: str, dump: Dump) -> None:
    if dump.content is None:
        return
    # Beside it and renamed: another shell may be reading the file.
    beside = f"{path}.{os.getpid()}.zsh-ls"
    with contextlib.suppress(OSError):
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, dump.mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(dump.content)
        os.chmod(beside, dump.mode)
        os.utime(beside, ns=(dump.modified_ns, dump.modified_ns))
        os.replace(beside, path)
