"""Matches questions by concepts: required ones, allowed ones, and no unexplained words.

A pattern matches a question only if it can explain every word: as one of its
concepts, as a filler, a time, a number, or, if it takes one, the name of a command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from zsh_ls.lazy import attrs

from .question import Question
from .vocabulary import LONGEST_PHRASE, meanings
from .window import NUMBERS, Window
from .words import QuestionWord, stem

MAX_SUBJECT_WORDS = 8
MAX_STRETCH = 2
# Ports are the largest numbers in questions.
MAX_NUMBER = 65535
_BEFORE_YEARS = frozenset(
    map(stem, ("in", "since", "from", "before", "after", "of", "during", "until"))
)
Subject = Literal["none", "maybe", "needed"]


@attrs.frozen
class QueryMatch:
    """What a pattern finds in a question.

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
    """Concepts that a question must name (`needs`: one of each group, by different words) and may name."""

    needs: tuple[frozenset[str], ...]
    may: frozenset[str] = frozenset()
    subject: Subject = "none"
    window: bool = False
    number: bool = False
    alone: bool = False
    first: bool = False

    @property
    def explains(self) -> frozenset[str]:
        """All concepts that this pattern can explain."""
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
    """The concepts that a pattern finds in words, and the indexes of unexplained words."""

    tiles: tuple[frozenset[str], ...]
    left: tuple[int, ...]
    number: int | None


_Stretch = tuple[int, int]
_NOWHERE: _Stretch = (0, 0)


def read(pattern_: QuestionPattern, question: Question) -> QueryMatch | None:
    """The match of a pattern with a question; None if a word is unexplained or a concept is missing."""
    if not all(group & question.concepts for group in pattern_.needs):
        return None
    plain = _cover(pattern_, question, _NOWHERE)
    if not plain.left and pattern_.subject != "needed":
        return _match(pattern_, question, plain) if _has_needs(pattern_, plain) else None
    if pattern_.subject == "none":
        return None
    fitting = [
        (stretch, cover)
        for stretch in _stretches(question, plain.left)
        if not (cover := _cover(pattern_, question, stretch)).left and _has_needs(pattern_, cover)
    ]
    if not fitting:
        return None
    subjects = dict.fromkeys(
        " ".join(word.text for word in question.words[start:end]) for (start, end), _ in fitting
    )
    match = _match(pattern_, question, fitting[0][1])
    return attrs.evolve(match, subjects=tuple(filter(None, subjects)))


def closeness(pattern_: QuestionPattern, question: Question) -> float:
    """How similar the question is to one that matches, from 0 to 1, by named concepts and words."""
    if not any(group & question.concepts for group in pattern_.needs):
        return 0.0
    cover = _cover(pattern_, question, _NOWHERE)
    named = sum(any(group & tile for tile in cover.tiles) for group in pattern_.needs)
    telling = [tile for tile in cover.tiles if "glue" not in tile]
    explained = len(telling) / max(1, len(telling) + len(cover.left))
    return named / len(pattern_.needs) * explained


def _match(pattern_: QuestionPattern, question: Question, cover: _Cover) -> QueryMatch:
    window = question.found.window if question.found and pattern_.window else None
    concepts: frozenset[str] = frozenset().union(*cover.tiles)
    return QueryMatch(concepts, (), window, cover.number, len(pattern_.needs))


def _cover(pattern_: QuestionPattern, question: Question, subject: _Stretch) -> _Cover:
    """Explain the words outside `subject` by the longest possible phrases."""
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
            if value is not None and at and words[at - 1].stem in _BEFORE_YEARS and is_year(value):
                value = None
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
    """The longest phrase at `at` that means a concept in `explains`: its length and its concepts."""
    end = subject[0] if at < subject[0] < subject[1] else len(question.words)
    for length in range(min(LONGEST_PHRASE, end - at), 0, -1):
        concepts = meanings(question.words[at : at + length]) & explains
        if concepts:
            return length, concepts
    return None


_NOTHING: frozenset[str] = frozenset()


def _has_needs(pattern_: QuestionPattern, cover: _Cover) -> bool:
    """Whether a different phrase names each group of needs, in the first place the first if required."""
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
    """Possible places of a subject: around unexplained words, nearest first, or anywhere without any."""
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


def is_year(number: int) -> bool:
    """Whether a number is more likely a year: `in 1929`."""
    return 1900 <= number < 2100


def _number(word: QuestionWord) -> int | None:
    if word.text.isdecimal() and 0 < int(word.text[:9]) <= MAX_NUMBER:
        return int(word.text[:9])
    return NUMBERS.get(word.stem)
