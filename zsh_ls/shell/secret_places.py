"""Secrets in the places where a known program takes them: `mysql -pX`, `curl -u bob:X`, `vault login X`.

The places are data of `secret_programs`; here they are looked up among a
program's words, its name the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .reading import Word
from .secret_found import FoundSecret, after, part, whole
from .secret_names import is_option
from .secret_programs import PROGRAMS, SecretPlaces
from .wrappers import base_name

_CLUSTER = re.compile(r"-[A-Za-z]{2,6}")


def in_known_places(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """The secrets of the program `words` begin with."""
    texts = [word.text for word in words]
    for places in PROGRAMS.get(base_name(texts[0]), ()):
        if not places.only_in or places.only_in.intersection(texts):
            for index in range(1, len(words)):
                yield from _at_option(words, index, places)
            yield from _in_operands(words, places)
            if places.behind_share:
                yield from _behind_share(words)


def _at_option(words: Sequence[Word], index: int, places: SecretPlaces) -> Iterator[FoundSecret]:
    word = words[index]
    behind = words[index + 1] if index + 1 < len(words) else None
    if behind is not None and is_option(behind.text):
        behind = None  # `mongosh -p --host db` asks for the password
    if word.text in places.valued and behind is not None:
        yield from whole(behind)
    elif attached := next((sign for sign in places.attached if _begins(word.text, sign)), ""):
        yield from part(word, len(attached))
    else:
        yield from _behind_sign(word, behind, places)


def _behind_sign(word: Word, behind: Word | None, places: SecretPlaces) -> Iterator[FoundSecret]:
    """`-u user:X`, `-uuser:X`, `--user=user:X`, `-sSu user:X`: what follows the sign."""
    option = word.text
    name, equals, _ = option.partition("=")
    if option in places.after and behind is not None:
        yield from after(behind, 0, places.after[option])
    elif equals and name.startswith("--") and name in places.after:
        yield from after(word, len(name) + 1, places.after[name])
    elif option[:2] in places.after and len(option) > 2:
        yield from after(word, 2, places.after[option[:2]])
    elif _CLUSTER.fullmatch(option) and f"-{option[-1]}" in places.after and behind is not None:
        yield from after(behind, 0, places.after[f"-{option[-1]}"])


def _in_operands(words: Sequence[Word], places: SecretPlaces) -> Iterator[FoundSecret]:
    """The operands that are secrets: `vault login X`."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    if "" in places.after and operands:
        yield from after(operands[0], 0, places.after[""])
    for path in places.operands:
        last = 1 if path[0] == "." else len(operands)
        for start in range(min(last, len(operands) - len(path) + 1)):
            if _matches(operands[start : start + len(path)], path):
                yield from whole(operands[start + len(path) - 1])


def _behind_share(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """`smbclient //nas/share X -U bob`: the operand right behind what is reached."""
    for share, behind in pairwise(words):
        if share.text.startswith(("//", "\\\\")) and not behind.text.startswith(("-", "/")):
            yield from whole(behind)


def _begins(option: str, sign: str) -> bool:
    return option.startswith(sign) and len(option) > len(sign) and not option.startswith("--")


def _matches(operands: Sequence[Word], path: Sequence[str]) -> bool:
    return all(
        expected in (".", "*", word.text) for word, expected in zip(operands, path, strict=False)
    )
