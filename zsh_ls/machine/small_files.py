"""Reads a file that a document speaks of: a regular one of modest size, and nothing else.

Devices and pipes are never opened for reading, and nothing waits for one.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

LARGEST_BYTES = 2_000_000


class FileText(NamedTuple):
    """A file's text as it stands, line ends and all, and when it was last changed."""

    text: str
    changed_ns: int


def changed_ns(path: str) -> int | None:
    """When a regular file was last changed; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns if stat.S_ISREG(found.st_mode) else None


def read_text(path: str) -> FileText | None:
    """The text of a file; None for what is no regular file, too large, not UTF-8 or not to be had."""
    if changed_ns(path) is None:
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_BYTES:
            return None
        try:
            return FileText(file.read(LARGEST_BYTES).decode(), found.st_mtime_ns)
        except (OSError, UnicodeDecodeError):
            return None
