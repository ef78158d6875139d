"""zsh's extended history file: lines `: start:elapsed;command`, in seconds, without exit statuses.

zsh writes it metafied (zsh/Src/utils.c): the byte after a byte 0x83 is XORed with
0x20. A newline within a command is preceded by a backslash. With
INC_APPEND_HISTORY and SHARE_HISTORY the elapsed time is always 0, which means
unknown. The file may have any size; an entry of more than ENTRY_MAX_BYTES is left out.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.system.bounded_files import MIB, NotRead, open_regular, read_named

from .filling import WITHOUT_TIME, Found, Left, UnreadableHistory, known_ms

ENTRY_MAX_BYTES = MIB
PIPE_MAX_BYTES = 256 * MIB
TOO_LONG = Left("longer than 1 MiB")
_ENTRY = re.compile(rb": *(\d+):(\d+);(.*)", re.DOTALL)
_META = re.compile(rb"\x83(.)", re.DOTALL)


def default_path(environment: Mapping[str, str]) -> str:
    """Where zsh keeps its history."""
    return environment.get("HISTFILE") or "~/.zsh_history"


def read(path: Path) -> Iterator[Found]:
    """Yield its runs in the order of the file; entries without a time are left out."""
    try:
        if path.exists() and stat.S_ISFIFO(path.stat().st_mode):  # as `<(command)` passes it
            yield from _runs(BytesIO(read_named(str(path), PIPE_MAX_BYTES)))
        else:
            with os.fdopen(open_regular(path), "rb") as file:
                yield from _runs(file)
    except NotRead as error:
        raise UnreadableHistory(f"the history cannot be read: {error}") from error
    except OSError as error:
        raise UnreadableHistory(f"{path} cannot be read: {error.strerror}") from error


def _runs(file: BinaryIO) -> Iterator[Found]:
    # The same line may be there twice within a second; its number tells one from the other.
    occurrences: Counter[tuple[int, str]] = Counter()
    for entry in _entries(file):
        if len(entry) > ENTRY_MAX_BYTES:
            yield TOO_LONG
            continue
        found = _ENTRY.fullmatch(entry)
        if found is None:
            yield WITHOUT_TIME
            continue
        began_s, lasted_s = int(found[1]), int(found[2])
        command = _META.sub(lambda meta: bytes([meta[1][0] ^ 0x20]), found[3]).decode(
            "utf-8", "replace"
        )
        occurrences[began_s, command] += 1
        yield HistoryRow(
            id=f"{began_s}:{occurrences[began_s, command]}:{command}",
            command=command,
            at_ms=(began_s + lasted_s) * 1000,
            duration_ms=known_ms(lasted_s * 1000),
        )


def _entries(file: BinaryIO) -> Iterator[bytes]:
    """Whole entries of one or more lines; of one above ENTRY_MAX_BYTES, a part that is above it too."""
    lines: list[bytes] = []
    size_bytes = 0
    while line := file.readline(ENTRY_MAX_BYTES):
        text = line.rstrip(b"\n")
        backslashes = len(text) - len(text.rstrip(b"\\"))
        goes_on = line.endswith(b"\n") and backslashes % 2 == 1
        is_cut = not line.endswith(b"\n") and len(line) == ENTRY_MAX_BYTES
        if size_bytes <= ENTRY_MAX_BYTES:
            lines.append(text[:-1] + b"\n" if goes_on else text)
            size_bytes += len(lines[-1])
        if goes_on or is_cut:
            continue
        entry, lines, size_bytes = b"".join(lines), [], 0
        if entry.strip():
            yield entry
    if (entry := b"".join(lines)).strip():
        yield entry
