"""How a family knows its question: concepts it needs, words it can explain, and nothing left over.

A pattern reads a question only if it can explain every word of it: as one of
its concepts, as glue, as a time, a number, or the name of a command where it
takes one. What is left unexplained makes it another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from .question import Question
from .vocabulary import LONGEST_PHRASE, meanings
from .window import NUMBERS, Window
from .words import QuestionWord

MAX_SUBJECT_WORDS = 8
MAX_STRETCH = 2
# Ports are the largest numbers anyone asks for.
MAX_NUMBER = 65535
Subject = Literal["none", "maybe", "needed"]


@attrs.frozen
class QueryMatch:
    """A question as a pattern reads it.

    `subjects` are the commands it may speak of, the likeliest first, none
    where it speaks of none. `concepts` are all it names.
    """

    concepts: frozenset[str] = frozenset()
    subjects: tuple[str, ...] = ()
    window: Window | None = None
    number: int | None = None
    weight: int = 0


@attrs.frozen
class QuestionPattern:
    """What a question must name (`needs`: one of each group, by different words) and what it may."""

    needs: tuple[frozenset[str], ...]
    may: frozenset[str] = frozenset()
    subject: Subject = "none"
    window: bool = False
    number: bool = False
    alone: bool = False
    first: bool = False

    @property
    def explains(self) -> frozenset[str]:
        """All concepts whose words this pattern can explain."""
        return frozenset().union(*self.needs, self.may, () if self.alone else ("glue", "polite"))


def pattern(
    needs: str,
    may: str = "",
    *,
    subject: Subject = "none",
    window: bool = False,
    number: bool = False,
    alone: bool = False,
    first: bool = False,
) -> QuestionPattern:
    """A pattern from words: `pattern("memory amount|state", "machine")`.

    `alone` allows no glue; with `first` the question begins with its first
    need, politeness aside: `update docker`, not `did I update docker`.
    """
    groups = tuple(frozenset(group.split("|")) for group in needs.split())
    return QuestionPattern(groups, frozenset(may.split()), subject, window, number, alone, first)


@attrs.frozen
class _Cover:
    """What a pattern explains of some words, and the indexes of those it does not."""

    tiles: tuple[frozenset[str], ...]
    left: tuple[int, ...]
    number: int | None


_Stretch = tuple[int, int]
_NOWHERE: _Stretch = (0, 0)


def read(pattern_: QuestionPattern, question: Question) -> QueryMatch | None:
    """The question as the pattern reads it; None where a word is left or a concept is missing."""
    if not all(group & question.concepts for group in pattern_.needs):
        return None
    plain = _cover(pattern_, question, _NOWHERE)
    if not plain.left and pattern_.subject != "needed":
        return _reading(pattern_, question, plain) if _has_needs(pattern_, plain) else None
    if pattern_.subject == "none":
        return None
    fitting = [
        (stretch, cover)
        for stretch in _stretches(question, plain.left)
        if not (cover := _cover(pattern_, question, stretch)).left and _has_needs(pattern_, cover)
    ]
    if not fitting:
        return None
    subjects = dict.fromkeys(_text(question, stretch) for stretch, _ in fitting)
    return attrs.evolve(
        _reading(pattern_, question, fitting[0][1]), subjects=tuple(filter(None, subjects))
    )


def closeness(pattern_: QuestionPattern, question: Question) -> float:
    """How near the question is to one the pattern reads, from 0 to 1: concepts named, words explained."""
    if not any(group & question.concepts for group in pattern_.needs):
        return 0.0
    cover = _cover(pattern_, question, _NOWHERE)
    named = sum(any(group & tile for tile in cover.tiles) for group in pattern_.needs)
    telling = [tile for tile in cover.tiles if "glue" not in tile]
    explained = len(telling) / max(1, len(telling) + len(cover.left))
    return named / len(pattern_.needs) * explained


def _reading(pattern_: QuestionPattern, question: Question, cover: _Cover) -> QueryMatch:
    window = question.found.window if question.found and pattern_.window else None
    concepts: frozenset[str] = frozenset().union(*cover.tiles)
    return QueryMatch(concepts, (), window, cover.number, len(pattern_.needs))


def _cover(pattern_: QuestionPattern, question: Question, subject: _Stretch) -> _Cover:
    """The words outside `subject`, in phrases as long as the pattern can explain them."""
    tiles: list[frozenset[str]] = []
    left: list[int] = []
    number, at = None, 0
    explains, words = pattern_.explains, question.words
    found = question.found if pattern_.window else None
    while at < len(words):
        if at == subject[0] < subject[1]:
            at = subject[1]
        elif found and at == found.start:
            tiles.append(frozenset({"window"}))
            at = found.end
        elif phrase := _phrase(question, at, explains, subject):
            tiles.append(phrase[1])
            at += phrase[0]
        else:
            value = _number(words[at]) if pattern_.number and number is None else None
            if value is None:
                left.append(at)
            else:
                number = value
                tiles.append(frozenset({"digit"}))
            at += 1
    return _Cover(tuple(tiles), tuple(left), number)


def _phrase(
    question: Question, at: int, explains: frozenset[str], subject: _Stretch
) -> tuple[int, frozenset[str]] | None:
    """The longest phrase at `at` that means a concept in `explains`: how many words, which concepts."""
    end = subject[0] if at < subject[0] < subject[1] else len(question.words)
    for length in range(min(LONGEST_PHRASE, end - at), 0, -1):
        concepts = meanings(question.words[at : at + length]) & explains
        if concepts:
            return length, concepts
    return None


_NOTHING: frozenset[str] = frozenset()


def _has_needs(pattern_: QuestionPattern, cover: _Cover) -> bool:
    """Whether each group of needs is named by a phrase of its own, the first one first if it must be."""
    if pattern_.first:
        telling = (tile for tile in cover.tiles if not tile <= {"polite"})
        if not pattern_.needs[0] & next(telling, _NOTHING):
            return False
    return _assignable(pattern_.needs, cover.tiles)


def _assignable(needs: Sequence[frozenset[str]], tiles: Sequence[frozenset[str]]) -> bool:
    if not needs:
        return True
    return any(
        needs[0] & tile and _assignable(needs[1:], [*tiles[:at], *tiles[at + 1 :]])
        for at, tile in enumerate(tiles)
    )


def _stretches(question: Question, left: Sequence[int]) -> Iterator[_Stretch]:
    """Where a subject may stand: around the unexplained words, nearest first; anywhere if there are none."""
    size = len(question.words)
    if not left:
        yield from ((at, at + n) for n in (1, 2, 3) for at in range(size - n + 1))
        return
    start, end = left[0], left[-1] + 1
    if end - start > MAX_SUBJECT_WORDS:
        return
    for more in range(2 * MAX_STRETCH + 1):
        for before in range(more + 1):
            if start - before >= 0 and end + more - before <= size:
                yield start - before, end + more - before


def _text(question: Question, stretch: _Stretch) -> str:
    return " ".join(word.text for word in question.words[stretch[0] : stretch[1]])


def _number(word: QuestionWord) -> int | None:
    if word.text.isdecimal() and 0 < int(word.text[:9]) <= MAX_NUMBER:
        return int(word.text[:9])
    return NUMBERS.get(word.stem)
