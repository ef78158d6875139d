"""A secret found in a word, and functions that make one from a part of the word.

They yield nothing for a part that only refers to a secret (`$TOKEN`) or cannot be one (`true`).
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
    """The text of `word` from `start` on."""
    if not is_no_secret(word.text[start:]):
        yield FoundSecret(word, start, len(word.text))


def whole(word: Word) -> Iterator[FoundSecret]:
    """All of `word`, without openssl's prefix `pass:`."""
    prefix = "pass:" if word.text.startswith("pass:") else ""
    yield from part(word, len(prefix))


def after(word: Word, start: int, sign: str) -> Iterator[FoundSecret]:
    """The text of `word` after the first `sign`, a single character, from `start` on."""
    at = word.text.find(sign, start)
    if at >= 0:
        yield from part(word, at + 1)
