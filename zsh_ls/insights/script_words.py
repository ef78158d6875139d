"""What the words of a command as written in a script say: its options, operands and patterns."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import re

DECLARES = frozenset(
    {"local", "typeset", "declare", "export", "readonly", "integer", "float", "private"}
)
"""Builtins that declare variables, and whose own exit replaces that of a substitution."""
SHORT_OPTIONS = re.compile(r"-[A-Za-z0-9]+")
GLOB = re.compile(r"(?<![\\$])[*?]|(?<![\\$\w])\[[^]\s]+\]")
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|\$\{[^}]*\}|\$\([^)]*\)", re.DOTALL)


def has_flag(words: Sequence[str], letter: str, *long: str) -> bool:
    """Whether words have an option: as a letter, in a cluster (`-rq`), or by a long name."""
    return any(
        word in long or (SHORT_OPTIONS.fullmatch(word) is not None and letter in word[1:])
        for word in words[1:]
    )


def operands(words: Sequence[str]) -> list[str]:
    """The words after the command that are no options."""
    return [word for word in words[1:] if not word.startswith("-")]


def unquoted(word: str) -> str:
    """A word without the quotes around it: `"$x"` is `$x`."""
    quote = word[:1]
    return word[1:-1] if quote in {"'", '"'} and word.endswith(quote) and len(word) > 1 else word


def has_glob(word: str) -> bool:
    """Whether the word contains an unquoted glob pattern."""
    return GLOB.search(QUOTED.sub("", word)) is not None


def is_relative(word: str) -> bool:
    """Whether a word is certainly a relative path."""
    return re.match(r"[\w.*?]", unquoted(word)) is not None and ":" not in word
