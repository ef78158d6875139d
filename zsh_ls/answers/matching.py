"""Which families of questions a text matches, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from zsh_ls.lazy import attrs

from .families import FAMILIES
from .family import Family
from .pattern import QueryMatch, read
from .question import Question


@attrs.frozen
class Matched:
    """A question with the matching families, best first."""

    question: Question
    matches: tuple[tuple[Family, QueryMatch], ...] = ()


def in_order(query: str) -> Matched:
    """The families that match the words of `query` in their order."""
    parsed = _matched(Question.of(query))
    # `what changed in my repo` is of git's repository, not of what ran in it.
    if parsed.question.names_project and not parsed.matches:
        return _matched(Question.of(query, with_place=False))
    return parsed


def _matched(question: Question) -> Matched:
    if question.is_elsewhere or not question.words:
        return Matched(question)
    found = sorted(_matches(question), key=_weight, reverse=True)
    trusted = []
    for _, equals in groupby(found, key=_weight):
        group = list(equals)
        if len({family.name for family, _ in group}) == 1:
            trusted += group
    return Matched(question, tuple(trusted))


def _matches(question: Question) -> Iterator[tuple[Family, QueryMatch]]:
    for family in FAMILIES:
        if (question.origins is not None or question.names_project) and not family.by_origin:
            continue
        if family.unless and family.unless.search(question.text):
            continue
        for pattern in family.patterns:
            match = read(pattern, question)
            if match is not None:
                yield family, match


def _weight(found: tuple[Family, QueryMatch]) -> tuple[bool, int, int]:
    """Sort key: matches that explain every word before those that take words as a command's name."""
    _, match = found
    named = len(match.subjects[0].split()) if match.subjects else 0
    return not match.subjects, match.weight, -named
