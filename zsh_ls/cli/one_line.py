"""Untrusted text for the terminal, without control sequences."""

from __future__ import annotations


def one_line(text: str) -> str:
    """`text` as one line without control characters, invisible marks or runs of white space."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def printable(line: str) -> str:
    """A line with its spaces kept; tabs become spaces, other unprintable characters `·`."""
    return "".join(sign if sign.isprintable() else "·" for sign in line.expandtabs(8))
