"""Other people's text on this terminal: nothing of it moves the cursor or changes a colour."""

from __future__ import annotations


def one_line(text: str) -> str:
    """`text` as one line without control characters, invisible marks or runs of white space."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def printable(line: str) -> str:
    """A line with its spaces as they are; tabs become spaces, what cannot be printed becomes `·`."""
    return "".join(sign if sign.isprintable() else "·" for sign in line.expandtabs(8))
