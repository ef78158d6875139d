"""Misspelt words: the one word that is near, if there is one (rapidfuzz measures)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from zsh_ls.lazy import re

from .words import stem

# `english.txt`: words that are one slip away from a word of the vocabulary, and mean something else.
ENGLISH = frozenset(Path(__file__).with_name("english.txt").read_text(encoding="utf-8").split())
LEAST = 4
LONG = 6
# With these a word is the contrary of another, or something else.
_PREFIXES = ("un", "re", "dis", "de", "non", "in", "im", "pre", "mis", "over", "under")


@lru_cache(maxsize=4096)
def _near(word: str, words: frozenset[str]) -> str:
    try:
        from rapidfuzz.distance import OSA  # noqa: PLC0415  compiled: the bundle of an editor may lack it
    except ImportError:
        return ""
    if word in words or word in ENGLISH or word.removesuffix("s") in ENGLISH or not word.isalpha():
        return ""
    most = 2 if len(word) > 8 else 1
    if len(word) > LONG:
        same = [other for other in words if _squeezed(other) == _squeezed(word)]
        if len(same) == 1:
            return same[0]
    if word.startswith(_PREFIXES) and any(word.removeprefix(it) in words for it in _PREFIXES):
        return ""
    scored = [
        (distance, other)
        for other in words
        if other.isalpha()
        and abs(len(other) - len(word)) <= most
        and (distance := OSA.distance(word, other, score_cutoff=most)) <= most
        and (len(other) >= LEAST or (distance == 1 and sorted(other) == sorted(word)))
    ]
    if not scored:
        return ""
    # Fingers slip within a word: its first letter is right, or swapped with the second.
    scored = [(d, it) for d, it in scored if it[0] == word[0] or it[:2] == word[1::-1]]
    # Another form of a word is no slip: `enable`, `enabled`; a letter more or less of the same is (`instal`).
    scored = [
        (d, it)
        for d, it in scored
        if (not it.startswith(word) and not word.startswith(it)) or _squeezed(it) == _squeezed(word)
    ]
    if not scored:
        return ""
    best = min(distance for distance, _ in scored)
    nearest = [other for distance, other in scored if distance == best]
    swapped = [other for other in nearest if sorted(other) == sorted(word)]
    doubled = [other for other in nearest if _squeezed(other) == _squeezed(word)]
    # A letter is left out more often than one stands for another: `wich` is which, not with.
    dropped = [other for other in nearest if len(other) > len(word)]
    for some in (swapped, doubled, nearest, dropped):
        if len(some) == 1:
            return some[0]
    return ""


def _squeezed(word: str) -> str:
    """The word with each run of a letter as one: people are least sure of doubled letters."""
    return re.sub(r"(.)\1+", r"\1", word)


def near(word: str, words: Collection[str]) -> str:
    """The one of `words` that `word` is a slip of; `""` where none is, several are, or it is English."""
    if len(word) < LEAST - 1:
        return ""
    return _near(word.lower(), words if isinstance(words, frozenset) else frozenset(words))


_SHORT_TABLE = """\
teh the | hte the | taht that | thsi this | wat what | waht what | wut what | wnat what | hwo how | cna can
rn right now | yday yesterday | ystd yesterday | yest yesterday | tmrw tomorrow | adn and | fo of | ot to
si is | nto not | fro for | form from | yuo you | hav have | thru through | w/ with | w/o without | pls please
plz please | u you | r are | dat that | ful full | evr ever | min minutes | mins minutes | msg message
dose does | brake break | wer were | uslaly usually | cmd command
cmds commands | dir directory | prot port | didnt did not | doesnt does not | wont will not
isnt is not | wasnt was not | couldnt could not | cant can not | wouldnt would not | whos who is | hows how is
hw how | wich which | wehn when | wen when | whta what | whe where | wher where | wheres where is
avg average | mem memory | deps dependencies | repo project | ver version"""
_SHORT = dict(
    pair.strip().split(" ", 1) for line in _SHORT_TABLE.splitlines() for pair in line.split("|")
)


def corrected(text: str, words: frozenset[str], unsaid: frozenset[str]) -> str:
    """The text with short forms written out and misspelt words as the one of `words` that is near.

    For one of `unsaid`, which say nothing, only swapped letters are a slip: else a word that matters is gone.
    """
    made = []
    for raw in text.split():
        core = raw.strip(",.?!;:")
        base, apostrophe, ending = core.lower().partition("'")
        instead = _meant(base, words, unsaid) if base and not core.isupper() else ""
        made.append(raw.replace(core, instead + apostrophe + ending) if instead else raw)
    return " ".join(made)


def _meant(word: str, words: frozenset[str], unsaid: frozenset[str]) -> str:
    """What a word stands for that is a short form or misspelt; `""` for any other."""
    if word in _SHORT:
        return _SHORT[word]
    if word in words:
        return ""
    instead = near(word, words)
    # `took` is a form of a word that is known; `runing` is none, though its stem is.
    if stem(word) in _stems(words) and _squeezed(instead) != _squeezed(word):
        return ""
    if instead in unsaid and sorted(instead) != sorted(word) and len(instead) <= LONG:
        return ""
    return instead


@lru_cache(maxsize=8)
def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(stem, words))
