"""`# zsh-ls: ignore=<rule>[,<rule>…]`, at the end of a line or alone on the line above (DOC-5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script

IGNORE = re.compile(r"#\s*zsh-ls:\s*ignore=\s*(?P<names>[^\s,]+(?:\s*,\s*[^\s,]+)*)")
NAME = re.compile(r"[^\s,]+")


class Ignore(NamedTuple):
    """One comment: the rules it names with their spans, and the zero-based line it applies to."""

    line: int
    names: tuple[tuple[str, Span], ...]


def ignores(script: Script) -> Iterator[Ignore]:
    """Every such comment of a script."""
    if "zsh-ls:" not in script.text:
        return
    for comment in script.comments:
        found = IGNORE.search(script.text, comment.start, comment.end)
        if found is None:
            continue
        line = script.text.count("\n", 0, comment.start)
        begins = script.text.rfind("\n", 0, comment.start) + 1
        is_alone = not script.text[begins : comment.start].strip()
        names = NAME.finditer(script.text, *found.span("names"))
        yield Ignore(line + is_alone, tuple((name[0], Span(*name.span())) for name in names))


def without_ignored(script: Script, insights: Iterable[Insight]) -> list[Insight]:
    """The insights that no comment suppresses on the line where they begin or end."""
    silenced = {(one.line, name) for one in ignores(script) for name, _ in one.names}
    if not silenced:
        return list(insights)
    return [
        insight
        for insight in insights
        if not any((line, insight.rule) in silenced for line in _lines(script, insight))
    ]


def _lines(script: Script, insight: Insight) -> set[int]:
    if insight.span is None:
        return set()
    end = max(insight.span.start, insight.span.end - 1)
    return {script.text.count("\n", 0, at) for at in (insight.span.start, end)}
