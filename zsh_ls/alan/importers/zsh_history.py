"""zsh's extended history file: `: start:elapsed;command`, in seconds, without any exit.

zsh writes it metafied (zsh/Src/utils.c): a byte 0x83 says that the next one
has its bit 0x20 turned. A newline within a command stands behind a backslash.
With INC_APPEND_HISTORY and SHARE_HISTORY the elapsed time is always 0: unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from zsh_ls.alan.intake import HistoryRow

from .found import WITHOUT_TIME, Found, UnreadableHistory, known_ms

_ENTRY = re.compile(rb": *(\d+):(\d+);(.*)", re.DOTALL)
_META = re.compile(rb"\x83(.)", re.DOTALL)
_CONTINUES = re.compile(rb"(?<!\\)(?:\\\\)*\\\Z")


def default_path(environment: Mapping[str, str]) -> str:
    """Where zsh keeps its history."""
    return environment.get("HISTFILE") or "~/.zsh_history"


def read(path: Path) -> Iterator[Found]:
    """Its runs, in the order of the file; entries without a time cannot be placed."""
    try:
        with path.open("rb") as file:
            yield from _runs(file)
    except OSError as error:
        raise UnreadableHistory(f"{path} cannot be read: {error.strerror}") from error


def _runs(lines: Iterable[bytes]) -> Iterator[Found]:
    seen: Counter[tuple[int, str]] = Counter()
    for entry in _entries(lines):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            yield WITHOUT_TIME
            continue
        began_s, lasted_s = int(found[1]), int(found[2])
        command = _unmetafied(found[3]).decode("utf-8", "replace")
        seen[began_s, command] += 1
        yield HistoryRow(
            id=f"{began_s}:{seen[began_s, command]}:{command}",
            command=command,
            at_ms=(began_s + lasted_s) * 1000,
            duration_ms=known_ms(lasted_s * 1000),
        )


def _entries(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Whole entries, of one or more lines."""
    entry = b""
    for line in lines:
        entry += line.rstrip(b"\n")
        if line.endswith(b"\n") and _CONTINUES.search(entry):
            entry = entry[:-1] + b"\n"
            continue
        if entry.strip():
            yield entry
        entry = b""
    if entry.strip():
        yield entry


def _unmetafied(raw: bytes) -> bytes:
    return _META.sub(lambda found: bytes([found[1][0] ^ 0x20]), raw)
