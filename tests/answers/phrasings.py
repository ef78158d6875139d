"""Loads question sets that name the family expected to answer, and finds the wrong answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from zsh_ls.answers.ask import answered, understand
from zsh_ls.model.answer import Answer

from .world import facts

DATA = Path(__file__).parent.parent / "data" / "answers"
NOBODY = "-"


class Phrasing(NamedTuple):
    """A question and the name of the family that should answer it."""

    family: str
    question: str


def phrasings(name: str) -> list[Phrasing]:
    lines = (DATA / name).read_text().splitlines()
    rows = (line.split(" | ", 1) for line in lines if line and not line.startswith("#"))
    return [Phrasing(family, question) for family, question in rows]


@cache
def reply(question: str) -> tuple[str, Answer]:
    """The name of the family that answered (`-` for a fallback), and its answer."""
    family, given = answered(understand(question), facts())
    return family or NOBODY, given


def is_right(phrasing: Phrasing) -> bool:
    """Whether the expected family answered; `recipe:docker` is any recipe whose summary names docker."""
    family, given = reply(phrasing.question)
    kind, _, name = phrasing.family.partition(":")
    if kind == "recipe" and family != phrasing.family:
        return family in ("recipe:install", "recipe:update") and f" {name} " in given.summary
    return family == phrasing.family


def misses(name: str) -> Iterator[str]:
    """A message for each question that another family than the expected one answered."""
    for phrasing in phrasings(name):
        if not is_right(phrasing):
            yield f"{phrasing.question!r}: {phrasing.family}, not {reply(phrasing.question)[0]}"
