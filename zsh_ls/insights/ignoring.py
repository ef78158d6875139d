"""The edit that suppresses a rule on its line: `# zsh-ls: ignore=<rule>` at a valid place (DOC-5)."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

from .registry import RuleKind, rule_named
from .suppression import Ignore, ignores

# Longer text would take too long to parse again while the user waits for a menu.
MAX_PARSED_LENGTH = 100_000


def ignore_fix(script: Script, insight: Insight) -> Fix | None:
    """The edit that suppresses the insight's rule on its line; None if no comment can."""
    if insight.span is None or not _can_be_ignored(insight.rule):
        return None
    lines = LineIndex(script.text)
    first, last = lines.line_of(insight.span.start), lines.line_of(insight.span.end - 1)
    for replacement in _comments(script, lines, insight.rule, first, last):
        if _silences(script, lines, replacement, insight.rule, (first, last)):
            return Fix(f"Ignore {insight.rule} on this line", (replacement,))
    return None


def _can_be_ignored(name: str) -> bool:
    """Whether comments suppress a rule: static ones, and those shown on lines from history."""
    rule = rule_named(name)
    return rule is not None and (rule.kind is RuleKind.STATIC or rule.on_lines)


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
    script: Script, lines: LineIndex, comment: Replacement, rule: str, spoken: tuple[int, int]
) -> bool:
    """Whether the shell reads the edit as a comment and the rest of the text as before."""
    chunk = _statements(script, lines, comment.span.start, spoken)
    if chunk.end - chunk.start > MAX_PARSED_LENGTH:
        return False
    before = script.source(chunk)
    at = comment.span.start - chunk.start
    after = before[:at] + comment.text + before[at:]
    old, new = parse(before, script.dialect), parse(after, script.dialect)
    shift = lines.line_of(chunk.start) - comment.text.count("\n")
    named = [one for one in ignores(new) if _names(one, rule) and one.line + shift in spoken]
    same = len(old.problems) == len(new.problems) and len(old.every_pipeline()) == len(
        new.every_pipeline()
    )
    return bool(named) and same


def _names(comment: Ignore, rule: str) -> bool:
    return any(name == rule for name, _ in comment.names)


def _statements(script: Script, lines: LineIndex, at: int, spoken: tuple[int, int]) -> Span:
    """The whole statements around the lines, because parsing all of a long script is slow."""
    start, end = lines.starts[spoken[0]], lines.line_end(spoken[1])
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
