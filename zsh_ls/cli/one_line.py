"""Untrusted text for the terminal, without control sequences."""

from __future__ import annotations

import os

from zsh_ls.model.shown_command import shown_command


def one_line(text: str) -> str:
    """`text` as one line without control characters, invisible marks or runs of white space."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def printable(line: str) -> str:
    """A line with its spaces kept; tabs become spaces, other unprintable characters `·`."""
    return "".join(sign if sign.isprintable() else "·" for sign in line.expandtabs(8))


def named_line(command: str, longest: int) -> str:
    """`command` on one line of at most `longest` characters, its paths as seen from the current folder."""
    lines = "\n".join(map(one_line, command.split("\n")))
    return shown_command(lines, longest, folder=os.getcwd(), home=os.path.expanduser("~"))
