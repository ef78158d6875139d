"""Dumps that a start writes: known before it, put back as they were after it (START-7).

A history is not among them: nothing is typed that would enter it, the shell is killed before it could
write it, and another shell may append to it meanwhile.
"""

from __future__ import annotations

import contextlib
import fnmatch
import os
import stat
from collections.abc import Iterable, Iterator

import attrs

_DUMPS = ("*.zwc", ".zcompdump*", "zcompdump*", "_zcompdump*", ".zcompcache*", "p10k-*")
_PASSED_OVER = frozenset(
    {".git", "node_modules", ".venv", "__pycache__", ".cargo", ".rustup", "go"}
)
_DEEPEST = 5
_MOST_FOLDERS = 4_000
_LARGEST_BYTES = 16 << 20
_MOST_BYTES = 128 << 20


@attrs.frozen
class _Kept:
    modified_ns: int
    size_bytes: int
    inode: int
    mode: int
    content: bytes | None


class Dumps:
    """The dumps below some folders as they are when this is made; `put_back` makes them so again."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = tuple(dict.fromkeys(os.path.realpath(it) for it in folders if it))
        self._room_bytes = _MOST_BYTES
        self._kept = {path: self._keep(path, status) for path, status in self._now()}

    def put_back(self) -> None:
        """Write again what a start changed or removed, and remove what it wrote."""
        now = dict(self._now())
        for path in now.keys() - self._kept.keys():
            with contextlib.suppress(OSError):
                os.unlink(path)
        for path, kept in self._kept.items():
            there = now.get(path)
            if there is None or _identity(there) != (kept.modified_ns, kept.size_bytes, kept.inode):
                _write(path, kept)
                with contextlib.suppress(OSError):
                    self._kept[path] = attrs.evolve(kept, inode=os.stat(path).st_ino)

    def _keep(self, path: str, status: os.stat_result) -> _Kept:
        content = None
        if status.st_size <= min(_LARGEST_BYTES, self._room_bytes):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                content = file.read(_LARGEST_BYTES)
                self._room_bytes -= len(content)
        modified_ns, size_bytes, inode = _identity(status)
        return _Kept(modified_ns, size_bytes, inode, stat.S_IMODE(status.st_mode), content)

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


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_size, status.st_ino


def _write(path: str, kept: _Kept) -> None:
    if kept.content is None:
        return
    # Beside it and renamed: another shell may be reading the file.
    beside = f"{path}.{os.getpid()}.zsh-ls"
    with contextlib.suppress(OSError):
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, kept.mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(kept.content)
        os.chmod(beside, kept.mode)
        os.utime(beside, ns=(kept.modified_ns, kept.modified_ns))
        os.replace(beside, path)
