"""An insight: something worth telling, how much it matters, and where it points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import attrs

from .span import Span
from .words import Level


class Replacement(NamedTuple):
    """`span` of the text becomes `text`."""

    span: Span
    text: str


@attrs.frozen
class Fix:
    """A change that mends what an insight speaks of and keeps all else as it was.

    The spans of `replacements` ascend and do not overlap.
    """

    title: str
    replacements: tuple[Replacement, ...]


@attrs.frozen
class Insight:
    """One thing worth telling about a run or a script.

    `rule` is the name of the rule that made it, `""` where no rule did (a
    timeout cut to its maximum). `span` is the range of the command's or the
    document's text it speaks of, where that is known; `fix` is there where one
    is safe.
    """

    level: Level
    message: str
    rule: str = ""
    span: Span | None = None
    fix: Fix | None = None


def by_level(insights: Iterable[Insight]) -> Mapping[str, list[str]]:
    """Messages of each level in order, `{"warning": [...], "info": [...]}`; empty levels are absent."""
    grouped: dict[str, list[str]] = {}
    for level in (Level.WARNING, Level.INFO):
        messages = [insight.message for insight in insights if insight.level is level]
        if messages:
            grouped[level.value] = messages
    return grouped


def priority(insights: Iterable[Insight]) -> float:
    """How much a reader should care (ALAN-11): 1.0 with a warning, 0.3 with only infos, 0.7 with none."""
    levels = {insight.level for insight in insights}
    if Level.WARNING in levels:
        return 1.0
    return 0.3 if levels else 0.7
