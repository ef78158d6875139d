"""`# shellcheck disable=SC2155`: what an author told ShellCheck to leave alone, we leave alone too.

A directive holds for the command that follows it, all of it where that is a compound one, and for
the whole file where it stands before the first command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script

DIRECTIVE = re.compile(r"#\s*shellcheck\s[^#\n]*\bdisable=(?P<codes>[\w,-]+)")
# ShellCheck's code → our rule on the same matter.
SAME_MATTER: Mapping[str, str] = {
    "SC2155": "declaration-masks-exit",
    "SC2164": "unchecked-cd",
    "SC2103": "unchecked-cd",
    "SC2030": "lost-loop-variable",
    "SC2031": "lost-loop-variable",
    "SC2310": "errexit-off-in-condition",
    "SC2311": "errexit-off-in-condition",
    "SC2312": "masked-segment",
    "SC2319": "late-status",
    "SC2320": "late-status",
}


def without_disabled(script: Script, insights: Iterable[Insight]) -> list[Insight]:
    """The insights whose matter no such directive has disabled where they speak."""
    said = list(insights)
    if not said or "shellcheck" not in script.text:
        return said
    disabled = list(_disabled(script))
    return [one for one in said if not any(_covers(where, rule, one) for where, rule in disabled)]


def _covers(where: Span, rule: str, insight: Insight) -> bool:
    at = insight.span.start if insight.span else 0
    return insight.rule == rule and where.start <= at < where.end


def _disabled(script: Script) -> Iterator[tuple[Span, str]]:
    """Each rule that is disabled, and where."""
    for comment in script.comments:
        found = DIRECTIVE.match(script.source(comment))
        rules = {SAME_MATTER.get(code) for code in found["codes"].split(",")} if found else set()
        for rule in rules - {None}:
            yield _scope(script, comment), str(rule)


def _scope(script: Script, comment: Span) -> Span:
    """What a directive stands before: the longest command that begins next, or the whole text."""
    first = script.pipelines[0].span.start if script.pipelines else len(script.text)
    if comment.start < first:
        return Span(0, len(script.text))
    following = [one.span for one in script.every_pipeline() if one.span.start >= comment.end]
    begin = min((span.start for span in following), default=comment.end)
    return Span(begin, max((one.end for one in following if one.start == begin), default=begin))
