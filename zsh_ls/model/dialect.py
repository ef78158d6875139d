"""The languages of shell texts."""

from __future__ import annotations

from enum import StrEnum


class Dialect(StrEnum):
    """The language of a text; the value is the shell's name."""

    ZSH = "zsh"
    BASH = "bash"
    SH = "sh"
