"""Columns as tools count them, turned into characters by the line that they are of."""

from __future__ import annotations

TAB = 8


def in_characters(column: int, unit: str, line: str) -> int:
    """The column (from 1) in characters of `line`; `unit` is `display` or `bytes`.

    A column that is none of the line stays as it is: the file may be another by now.
    """
    if unit == "bytes":
        before = line.encode("utf-8", "replace")[: column - 1]
        is_within = len(before) == column - 1
        return len(before.decode("utf-8", "ignore")) + 1 if is_within else column
    cells = 0
    for number, character in enumerate(line):
        if cells >= column - 1:
            return number + 1
        cells += _cells(character, cells)
    return len(line) + 1 if cells == column - 1 else column


def _cells(character: str, before: int) -> int:
    import unicodedata  # noqa: PLC0415

    if character == "\t":
        return TAB - before % TAB
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
