"""The title of this process, which `ps` shows to everybody."""

from __future__ import annotations

import os
from collections.abc import Sequence

ARG_START, ARG_END = 45, 46  # in /proc/self/stat, counted from the state, which follows the name


def hide_secrets(words: Sequence[str], shown: Sequence[str]) -> None:
    """Replace each of this process's arguments `words` by its text without secrets (ALAN-7)."""
    for word, instead in zip(words, shown, strict=True):
        if instead != word:
            _replace_in_title(word, instead)


def _replace_in_title(argument: str, instead: str) -> None:
    """Overwrite `argument` in this process's command line with `instead`, cut to the same length.

    Does nothing on systems other than Linux. Until Python gets here, `ps` shows the original.
    """
    import ctypes

    try:
        with open("/proc/self/stat", encoding="latin-1") as file:
            fields = file.read().rpartition(")")[2].split()
        start, end = int(fields[ARG_START]), int(fields[ARG_END])
    except (OSError, IndexError, ValueError):
        return
    if not 0 < start < end:
        return
    typed = os.fsencode(argument)
    at = ctypes.string_at(start, end - start).find(b"\0%b\0" % typed) + 1
    if at:
        shown = instead.encode()[: len(typed)].decode(errors="ignore").encode()
        ctypes.memmove(start + at, shown.ljust(len(typed)), len(typed))
