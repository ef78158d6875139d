"""Where the characters of a text stand for LSP: lines that end at LF, CR LF or CR, and columns in units.

Without the protocol's types, for what is said before they are loaded (`first_findings.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

# Lone surrogates.
_LONE = re.compile("[\ud800-\udfff]+")
# Line ends of `str.splitlines` that are none in LSP; texts without them can use it, ten times faster.
_OTHER_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
# Bytes per unit, and the codec.
UNITS = {"utf-8": (1, "utf-8"), "utf-16": (2, "utf-16-le"), "utf-32": (4, "utf-32-le")}


def clean(text: str) -> str:
    """`text` with U+FFFD for each lone surrogate, which has the same size in every encoding."""
    if text.isascii():
        return text
    return _LONE.sub(lambda found: "\ufffd" * len(found[0]), text)


def lines_of(text: str) -> list[str]:
    """The lines of `text` with their ends; the last one has no end and may be empty."""
    if not any(end in text for end in _OTHER_ENDS):
        lines = text.splitlines(keepends=True)
        if not lines or lines[-1][-1] in "\r\n":
            lines.append("")
        return lines
    lines = _LINE.findall(text)
    # The pattern also matches the empty string after a last line without an end.
    if len(lines) > 1 and lines[-1] == "" and lines[-2][-1] not in "\r\n":
        lines.pop()
    return lines


def starts_of(lines: Sequence[str]) -> list[int]:
    """The offset of each line's first character."""
    return [0, *accumulate(map(len, lines))][:-1]


def place_of(
    offset: int, lines: Sequence[str], starts: Sequence[int], encoding: str
) -> tuple[int, int]:
    """The line of `offset`, and its column in units of `encoding`; both from 0."""
    line = bisect_right(starts, offset) - 1
    column = min(offset - starts[line], content_length(lines[line]))
    return line, _units(lines[line][:column], encoding)


def content_length(line: str) -> int:
    """The length of `line` without its line end."""
    return len(line.rstrip("\r\n"))


def _units(text: str, encoding: str) -> int:
    if text.isascii():
        return len(text)
    size, codec = UNITS[encoding]
    return len(text.encode(codec)) // size
