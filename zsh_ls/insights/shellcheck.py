"""`# shellcheck disable=SC2155` also suppresses our rule on the same problem.

A directive applies to the command that follows it, including the bodies of a compound command, or to
the whole file if it is before the first command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script

DIRECTIVE = re.compile(r"#\s*shellcheck\s[^#\n]*\bdisable=(?P<codes>[\w,-]+)")
# ShellCheck's code → our rule on the same problem.
RULE_BY_CODE: Mapping[str, str] = {
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
    """The insights that no such directive suppresses."""
    shown = list(insights)
    if not shown or "shellcheck" not in script.text:
        return shown
    disabled = list(_disabled(script))
    return [one for one in shown if not any(_covers(where, rule, one) for where, rule in disabled)]


def _covers(where: Span, rule: str, insight: Insight) -> bool:
    at = insight.span.start if insight.span else 0
    return insight.rule == rule and where.start <= at < where.end


def _disabled(script: Script) -> Iterator[tuple[Span, str]]:
    """The disabled rules, each with the range it is disabled in."""
    for comment in script.comments:
        found = DIRECTIVE.match(script.source(comment))
        rules = {RULE_BY_CODE.get(code) for code in found["codes"].split(",")} if found else set()
        for rule in rules - {None}:
            yield _scope(script, comment), str(rule)


def _scope(script: Script, comment: Span) -> Span:
    """The range a directive applies to: the longest command that begins next, or the whole text."""
    first = script.pipelines[0].span.start if script.pipelines else len(script.text)
    if comment.start < first:
        return Span(0, len(script.text))
    following = [one.span for one in script.every_pipeline() if one.span.start >= comment.end]
    begin = min((span.start for span in following), default=comment.end)
    return Span(begin, max((one.end for one in following if one.start == begin), default=begin))
