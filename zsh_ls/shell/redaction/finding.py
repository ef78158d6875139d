"""A secret found in a word, and the ways to say which part of the word it is.

A part that refers to a secret or says nothing (`$TOKEN`, `true`) is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zsh_ls.shell.words.words import Word

from .names import is_no_secret


class FoundSecret(NamedTuple):
    """A secret: `word.text[start:end]`."""

    word: Word
    start: int
    end: int


def part(word: Word, start: int) -> Iterator[FoundSecret]:
    """What stands in `word` from `start` on."""
    if not is_no_secret(word.text[start:]):
        yield FoundSecret(word, start, len(word.text))


def whole(word: Word) -> Iterator[FoundSecret]:
    """All of `word`, without the `pass:` that openssl wants before a password."""
    prefix = "pass:" if word.text.startswith("pass:") else ""
    yield from part(word, len(prefix))


def after(word: Word, start: int, sign: str) -> Iterator[FoundSecret]:
    """What stands in `word` behind the first `sign` from `start` on."""
    at = word.text.find(sign, start)
    if at >= 0:
        yield from part(word, at + 1)
