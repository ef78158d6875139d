"""Insights: messages about a run or a script, with level, range and fix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple

from .span import Span
from .words import Level


class Replacement(NamedTuple):
    """An edit that replaces the range `span` by `text`."""

    span: Span
    text: str


@attrs.frozen
class Fix:
    """An edit that fixes an insight's problem and changes nothing else.

    The spans of `replacements` ascend and do not overlap.
    """

    title: str
    replacements: tuple[Replacement, ...]


@attrs.frozen
class Insight:
    """A message about a run or a script.

    `rule` is the name of the rule it is from, `""` if it is from none (a timeout
    reduced to its maximum). `span` is its range in the command's or the document's
    text, None if unknown; `fix` is None if there is no safe one. `because` says what decides
    the fate of the command in question, `""` where none is, and `then_line` which line runs
    next when it fails, counted from 1. `is_news` is false where its reader knows it already, or can do
    nothing with it: it is in results, and left out of what agents and people read (ALAN-16).
    """

    level: Level
    message: str
    rule: str = ""
    span: Span | None = None
    fix: Fix | None = None
    because: str = ""
    then_line: int | None = None
    is_news: bool = True


def by_level(insights: Iterable[Insight]) -> Mapping[str, list[str]]:
    """Messages of each level in order, `{"warning": [...], "info": [...]}`; empty levels are absent."""
    grouped: dict[str, list[str]] = {}
    for level in (Level.WARNING, Level.INFO):
        messages = [insight.message for insight in insights if insight.level is level]
        if messages:
            grouped[level.value] = messages
    return grouped


def priority(insights: Iterable[Insight]) -> float:
    """The priority of a result (ALAN-11): 1.0 with a warning, 0.3 with infos only, 0.7 without insights."""
    levels = {insight.level for insight in insights}
    if Level.WARNING in levels:
        return 1.0
    return 0.3 if levels else 0.7
