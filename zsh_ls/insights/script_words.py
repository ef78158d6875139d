"""Small questions about the words of a command as they stand in a script, quotes and all."""

from __future__ import annotations

import re
from collections.abc import Sequence

SHORT_OPTIONS = re.compile(r"-[A-Za-z0-9]+")
GLOB = re.compile(r"(?<![\\$])[*?]|(?<![\\$\w])\[[^]\s]+\]")
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|\$\{[^}]*\}|\$\([^)]*\)", re.DOTALL)


def has_flag(words: Sequence[str], letter: str, *long: str) -> bool:
    """Whether an option is given: as a letter alone or in a cluster (`-rq`), or by a long name."""
    return any(
        word in long or (SHORT_OPTIONS.fullmatch(word) is not None and letter in word[1:])
        for word in words[1:]
    )


def operands(words: Sequence[str]) -> list[str]:
    """The words behind the command that are no options."""
    return [word for word in words[1:] if not word.startswith("-")]


def unquoted(word: str) -> str:
    """A word without the quotes around it: `"$x"` is `$x`."""
    quote = word[:1]
    return word[1:-1] if quote in {"'", '"'} and word.endswith(quote) and len(word) > 1 else word


def has_glob(word: str) -> bool:
    """Whether the shell would look for files that match the word."""
    return GLOB.search(QUOTED.sub("", word)) is not None


def is_relative(word: str) -> bool:
    """Whether a word is surely a path below the current folder."""
    return re.match(r"[\w.*?]", unquoted(word)) is not None and ":" not in word
