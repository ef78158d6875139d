"""Manual pages, rendered by `man` as plain text.

A name from a command line is only passed as an argument: it must look like a
page's name, it follows `--`, and no shell is involved. The user's own settings
(pagers, `MANOPT`) are ignored.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.system import programs

# No slash is allowed: `man` would read the file with that path.
_NAME = re.compile(r"\[|[A-Za-z0-9_][A-Za-z0-9_.+@:\[\]-]{0,99}")
_SECTIONS = "1:8:6"
_WIDTH = "120"
_MAX_BYTES = 8 * 2**20
# Both keep words whole; `man` of macOS has neither option.
_LAYOUT = () if sys.platform == "darwin" else ("--no-hyphenation", "--no-justification")
_READING = {"MANWIDTH": _WIDTH, "MANPAGER": "cat", "LC_ALL": "C.UTF-8", "TERM": "dumb"}


@attrs.frozen
class PageFile:
    """The file of a page and when it was last changed (Unix seconds)."""

    path: str
    mtime: float


@attrs.frozen
class ManPage:
    """A page as read: its name, its file, and its rendered text."""

    name: str
    path: str
    mtime: float
    text: str


async def find_page(name: str, timeout_s: float = 2.0) -> PageFile | None:
    """The file of the page `name`, without rendering it; None if none is found in time."""
    if not _NAME.fullmatch(name):
        return None
    listing = await _man(["-w", "--", name], timeout_s)
    path = listing.splitlines()[0].strip() if listing and listing.strip() else ""
    try:
        return PageFile(path, os.stat(path).st_mtime) if path.startswith("/") else None
    except OSError:
        return None


async def read_page(name: str, timeout_s: float = 2.0) -> ManPage | None:
    """The page `name` as plain text; None if there is none, or not within `timeout_s`."""
    started = asyncio.get_running_loop().time()
    file = await find_page(name, timeout_s)
    left_s = timeout_s - (asyncio.get_running_loop().time() - started)
    if file is None or left_s <= 0:
        return None
    text = await _man([*_LAYOUT, "--", name], left_s)
    return ManPage(name, file.path, file.mtime, text) if text else None


async def _man(arguments: Sequence[str], timeout_s: float) -> str | None:
    """The output of `man`; None if it fails, is missing or does not end in time."""
    starting = asyncio.ensure_future(_start(arguments))
    try:
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:  # a process that is just being started would outlive this one
        starting.add_done_callback(_kill_started)
        raise
    if process is None:
        return None
    try:
        output = await asyncio.wait_for(_read(process), timeout_s)
    except TimeoutError:
        return None
    finally:
        await _end(process)
    return output.decode("utf-8", "replace") if process.returncode == 0 else None


async def _start(arguments: Sequence[str]) -> asyncio.subprocess.Process | None:
    try:
        return await programs.start(
            ["man", "-P", "cat", "-S", _SECTIONS, *arguments],
            env=programs.environment(_READING),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None


def _kill_started(starting: asyncio.Future[asyncio.subprocess.Process | None]) -> None:
    process = None if starting.cancelled() else starting.result()
    if process is not None:
        _kill_group(process)


async def _read(process: asyncio.subprocess.Process) -> bytes:
    """The output of the process, at most _MAX_BYTES of it."""
    assert process.stdout is not None
    chunks, size = [], 0
    while size < _MAX_BYTES and (chunk := await process.stdout.read(2**16)):
        chunks.append(chunk)
        size += len(chunk)
    if size < _MAX_BYTES:
        await process.wait()
    return b"".join(chunks)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process and all it started: whatever has its output open still runs."""
    if process.returncode is None or not (process.stdout and process.stdout.at_eof()):
        _kill_group(process)
    await process.wait()


def _kill_group(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
