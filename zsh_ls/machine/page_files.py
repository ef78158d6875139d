"""Finding and reading the files of manual pages without starting `man`, for hovers.

Only files in folders of the manual are opened, and only with names that look like
those of pages.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes

_NAME = re.compile(r"\[|[A-Za-z0-9_][A-Za-z0-9_.+@:\[\]-]{0,99}")
_SECTIONS = ("1", "1p", "1ssl", "8", "6")
_ENDINGS = (".gz", "", ".bz2", ".xz")
_USUAL = ("/usr/local/share/man", "/usr/share/man", "/usr/local/man", "/opt/homebrew/share/man")
_OF_APPLE = (
    "/Library/Developer/CommandLineTools/usr/share/man",
    "/Applications/Xcode.app/Contents/Developer/usr/share/man",
)
_REDIRECTION = re.compile(r"\.so[ \t]+(man\w+/[^\s/]+)\s*")
_MAX_REDIRECTIONS = 3
# The longest pages have 2 MiB; more than this is not read, compressed or not.
_MAX_BYTES = 3 * MIB
# The memory limit for decompressing xz; its highest preset (-9) needs 65 MiB.
_XZ_MEMORY_BYTES = 128 * MIB


class PageSource(NamedTuple):
    """The source of a page: its file, when that was last changed (Unix ns), and its manual's folder."""

    name: str
    path: str
    mtime_ns: int
    root: str


def find_first(names: Sequence[str]) -> PageSource | None:
    """The source of the first of `names` that has a page."""
    return next(filter(None, map(find, names)), None)


def find(name: str) -> PageSource | None:
    """The source of the page `name`, found in the order of `man`; None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    roots = manual_folders(os.environ.get("MANPATH", ""), os.environ.get("PATH", ""))
    for section in _SECTIONS:
        for root in roots:
            for ending in _ENDINGS:
                path = f"{root}/man{section[0]}/{name}.{section}{ending}"
                try:
                    status = os.stat(path)
                except OSError:  # missing, or not readable by this user
                    continue
                if stat.S_ISREG(status.st_mode):
                    return PageSource(name, path, status.st_mtime_ns, root)
    return None


def sub_pages(name: str) -> frozenset[str]:
    """The rest of the names of pages `name-…` of programs: `push` and others for `git`."""
    if not _NAME.fullmatch(name):
        return frozenset()
    roots = manual_folders(os.environ.get("MANPATH", ""), os.environ.get("PATH", ""))
    return frozenset(sub for root in roots for sub in _listed(f"{root}/man1", f"{name}-"))


def _listed(folder: str, beginning: str) -> frozenset[str]:
    try:
        changed_ns = os.stat(folder).st_mtime_ns
    except OSError:
        return frozenset()
    return _listed_then(folder, beginning, changed_ns)


# A whole distribution's pages are 18,000 names, which take 20 ms to list: too long at each keystroke.
@lru_cache(maxsize=256)
def _listed_then(folder: str, beginning: str, changed_ns: int) -> frozenset[str]:
    """What is in a folder that was last changed at `changed_ns`."""
    try:
        names = os.listdir(folder)
    except OSError:
        return frozenset()
    return frozenset(
        name.removeprefix(beginning).partition(".")[0]
        for name in names
        if name.startswith(beginning)
    )


def source(found: PageSource) -> str:
    """The source text, with redirections (`.so man1/bash.1`) followed; empty if it cannot be read."""
    text = _text(found.path)
    for _ in range(_MAX_REDIRECTIONS):
        # A page that is only a redirection is short: the line, and comments.
        lines = text.splitlines() if len(text) < 2_000 else []
        first = next((line for line in lines if not line.startswith(('.\\"', "'\\\""))), "")
        redirection = _REDIRECTION.fullmatch(first)
        if redirection is None:
            break
        page = redirection[1]
        # Outside of the manual's folder nothing is read.
        targets = () if ".." in page else (f"{found.root}/{page}{end}" for end in _ENDINGS)
        text = next(filter(None, map(_text, targets)), "")
    return text


@lru_cache(maxsize=4)
def manual_folders(manpath: str, path: str) -> tuple[str, ...]:
    """The folders of pages: those of MANPATH, then next to folders of PATH, then the default ones.

    An empty part of MANPATH stands for the folders that are used without it (manpath(1)).
    """
    named = manpath.split(":") if manpath else [""]
    folders = [each for part in named for each in ([part] if part else _beside(path))]
    return tuple(dict.fromkeys(folder for folder in folders if os.path.isdir(folder)))


def _beside(path: str) -> Iterator[str]:
    for folder in map(Path, filter(os.path.isabs, path.split(":"))):
        yield from (str(folder.parent / "man"), str(folder.parent / "share" / "man"))
        yield str(folder / "man")
    yield from _USUAL
    if sys.platform == "darwin":
        yield from _OF_APPLE


def _text(path: str) -> str:
    try:
        raw = _unpacked(Path(path).suffix, read_bytes(path, _MAX_BYTES))
    except (NotRead, OSError, EOFError):
        return ""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _unpacked(ending: str, packed: bytes) -> bytes:
    """Decompress at most `_MAX_BYTES`, as a small file may hold a huge one; OSError, EOFError if it is none.

    What unpacks the others is not loaded for most pages, which are gzip's.
    """
    match ending:
        case ".gz":
            import gzip  # noqa: PLC0415
            import zlib  # noqa: PLC0415

            try:
                return gzip.GzipFile(fileobj=BytesIO(packed)).read(_MAX_BYTES)
            except zlib.error as fault:
                raise OSError(str(fault)) from fault
        case ".bz2":
            import bz2  # noqa: PLC0415

            return bz2.BZ2File(BytesIO(packed)).read(_MAX_BYTES)
        case ".xz":
            import lzma  # noqa: PLC0415

            unpacking = lzma.LZMADecompressor(memlimit=_XZ_MEMORY_BYTES)
            try:
                return unpacking.decompress(packed, _MAX_BYTES)
            except lzma.LZMAError as fault:
                raise OSError(str(fault)) from fault
        case _:
            return packed
