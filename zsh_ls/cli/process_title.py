"""Replaces an argument with secrets in the command line that `ps` shows (ALAN-7)."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_ARG_START, _ARG_END = 45, 46  # in /proc/self/stat, counted from the state, which follows the name


def replace_in_title(argument: str, instead: str) -> None:
    """Overwrite `argument` in this process's command line with `instead`, cut to the same length.

    Does nothing on systems other than Linux. Until Python gets here, `ps` shows the original.
    """
    try:
        fields = Path("/proc/self/stat").read_text(encoding="latin-1").rpartition(")")[2].split()
        start, end = int(fields[_ARG_START]), int(fields[_ARG_END])
    except (OSError, IndexError, ValueError):
        return
    if not 0 < start < end:
        return
    typed = os.fsencode(argument)
    at = ctypes.string_at(start, end - start).find(b"\0%b\0" % typed) + 1
    if at:
        shown = instead.encode()[: len(typed)].decode(errors="ignore").encode()
        ctypes.memmove(start + at, shown.ljust(len(typed)), len(typed))
