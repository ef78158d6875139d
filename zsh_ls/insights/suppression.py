"""Comments that suppress a rule: our own, ShellCheck's directives, and the edit that adds one (DOC-5).

Ours is `# zsh-ls: ignore=<rule>[,<rule>…]`, at the end of a line or alone on the line
above. `# shellcheck disable=SC2155` also suppresses our rule on the same problem; a
directive applies to the command that follows it, including the bodies of a compound
command, or to the whole file if it is before the first command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

from .registry import RuleKind, rule_named

IGNORE = re.compile(r"#\s*zsh-ls:\s*ignore=\s*(?P<names>[^\s,]+(?:\s*,\s*[^\s,]+)*)")
NAME = re.compile(r"[^\s,]+")
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
# Longer text would take too long to parse again while the user waits for a menu.
MAX_PARSED_LENGTH = 100_000


class Ignore(NamedTuple):
    """One comment: the rules it names with their spans, and the zero-based line it applies to."""

    line: int
    names: tuple[tuple[str, Span], ...]


def ignores(script: Script) -> Iterator[Ignore]:
    """Every comment of ours in a script."""
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
    """The insights that no comment of ours suppresses on the line where they begin or end."""
    silenced = {(one.line, _name_now(name)) for one in ignores(script) for name, _ in one.names}
    if not silenced:
        return list(insights)
    shown = []
    for insight in insights:
        edges: tuple[int, ...] = ()
        if insight.span is not None:
            edges = (insight.span.start, max(insight.span.start, insight.span.end - 1))
        lines = (script.text.count("\n", 0, edge) for edge in edges)
        if not any((line, insight.rule) in silenced for line in lines):
            shown.append(insight)
    return shown


def _name_now(name: str) -> str:
    rule = rule_named(name)
    return name if rule is None else rule.name


def without_disabled(script: Script, insights: Iterable[Insight]) -> list[Insight]:
    """The insights that no directive of ShellCheck suppresses."""
    shown = list(insights)
    if not shown or "shellcheck" not in script.text:
        return shown
    disabled: list[tuple[Span, str | None]] = []
    for comment in script.comments:
        if found := DIRECTIVE.match(script.source(comment)):
            scope = _scope(script, comment)
            disabled += ((scope, RULE_BY_CODE.get(code)) for code in found["codes"].split(","))
    return [
        insight
        for insight in shown
        if not any(
            insight.rule == rule
            and scope.start <= (insight.span.start if insight.span else 0) < scope.end
            for scope, rule in disabled
        )
    ]


def _scope(script: Script, comment: Span) -> Span:
    """The range a directive applies to: the longest command that begins next, or the whole text."""
    first = script.pipelines[0].span.start if script.pipelines else len(script.text)
    if comment.start < first:
        return Span(0, len(script.text))
    following = [one.span for one in script.every_pipeline() if one.span.start >= comment.end]
    begin = min((span.start for span in following), default=comment.end)
    return Span(begin, max((one.end for one in following if one.start == begin), default=begin))


def ignore_fix(script: Script, insight: Insight) -> Fix | None:
    """The edit that suppresses the insight's rule on its line; None if no comment can."""
    rule = rule_named(insight.rule)
    # Only static rules, and those shown on lines from history, have lines of a script.
    if insight.span is None or rule is None:
        return None
    if rule.kind is not RuleKind.STATIC and not rule.on_lines:
        return None
    lines = LineIndex(script.text)
    first, last = lines.line_of(insight.span.start), lines.line_of(insight.span.end - 1)
    for replacement in _comments(script, lines, rule.name, first, last):
        if _silences(script, lines, replacement, rule.name, (first, last)):
            return Fix(f"Ignore {rule.name} on this line", (replacement,))
    return None


def _comments(
    script: Script, lines: LineIndex, rule: str, first: int, last: int
) -> Iterator[Replacement]:
    """The possible edits that add a rule's name, best first."""
    for known in ignores(script):
        if known.line in (first, last):
            end = known.names[-1][1].end
            yield Replacement(Span(end, end), f",{rule}")
    for line in dict.fromkeys((first, last)):
        end = lines.line_end(line)
        text = script.text[lines.starts[line] : end]
        end -= len(text) - len(text.rstrip())
        yield Replacement(Span(end, end), f"  # zsh-ls: ignore={rule}")
    start = lines.starts[first]
    line_text = script.text[start : lines.line_end(first)]
    indent = line_text[: len(line_text) - len(line_text.lstrip())]
    yield Replacement(Span(start, start), f"{indent}# zsh-ls: ignore={rule}\n")


def _silences(
    script: Script, lines: LineIndex, comment: Replacement, rule: str, around: tuple[int, int]
) -> bool:
    """Whether the shell reads the edit as a comment and the rest of the text as before."""
    chunk = _statements(script, lines, comment.span.start, around)
    if chunk.end - chunk.start > MAX_PARSED_LENGTH:
        return False
    before = script.source(chunk)
    at = comment.span.start - chunk.start
    after = before[:at] + comment.text + before[at:]
    old, new = parse(before, script.dialect), parse(after, script.dialect)
    shift = lines.line_of(chunk.start) - comment.text.count("\n")
    is_named = any(
        name == rule and one.line + shift in around for one in ignores(new) for name, _ in one.names
    )
    same = len(old.problems) == len(new.problems) and len(old.every_pipeline()) == len(
        new.every_pipeline()
    )
    return is_named and same


def _statements(script: Script, lines: LineIndex, at: int, around: tuple[int, int]) -> Span:
    """The whole statements around the lines, because parsing all of a long script is slow."""
    start, end = lines.starts[around[0]], lines.line_end(around[1])
    touched = [
        one.span for one in script.pipelines if one.span.start <= end and one.span.end >= start
    ]
    # The body of a heredoc is after its statement.
    touched += [
        Span(one.redirection.start, one.span.end)
        for one in script.heredocs
        if one.span.start <= end and one.span.end >= start
    ]
    start = lines.starts[lines.line_of(min([start, at, *(span.start for span in touched)]))]
    following = [one.span.start for one in script.pipelines if one.span.start > end]
    return Span(start, lines.starts[lines.line_of(following[0])] if following else len(script.text))
