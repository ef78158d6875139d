"""Folding ranges of a script: functions, compound commands, heredocs, comments, `#region`.

A fold leaves its first line visible, and its last if that contains nothing but the
closing word (`}`, `fi`, the delimiter of a heredoc).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.syntax import Body, Role, Script, Segment, SegmentKind
from zsh_ls.shell.syntax.lines import LineIndex

COMMENT = "comment"
REGION = "region"
_REGION = re.compile(r"#\s*(?:#|<|\{\{\{)?\s*(end)?region\b", re.IGNORECASE)
_BRANCH = re.compile(r"(?<![\w$-])(?:elif|else)(?![\w-])")
# Python 3.11 takes ten times as long to look up a member of an enumeration as a name, and to hash one.
_SIMPLE = SegmentKind.SIMPLE
_PLAIN = (SegmentKind.SIMPLE, SegmentKind.ARITHMETIC, SegmentKind.CONDITION)


class Fold(NamedTuple):
    """Zero-based lines, of which the first stays visible; `kind` is `""`, COMMENT or REGION."""

    first_line: int
    last_line: int
    kind: str = ""


def folds(script: Script, lines: LineIndex) -> list[Fold]:
    """The folds in order; of several that begin on one line only the longest."""
    found = _of_commands(script, lines)
    for heredoc in script.heredocs:
        if heredoc.body.end > heredoc.body.start:
            last = lines.line_of(heredoc.body.end - 1)
            found.append(Fold(lines.line_of(heredoc.redirection.start), last))
    found += _of_comments(script, lines)
    longest: dict[int, Fold] = {}
    for fold in found:
        known = longest.get(fold.first_line)
        if fold.last_line > (known.last_line if known else fold.first_line):
            longest[fold.first_line] = fold
    return [longest[line] for line in sorted(longest)]


def within_limit(found: Sequence[Fold], limit: int) -> list[Fold]:
    """At most `limit` folds: the longest ones, in order."""
    longest = sorted(found, key=lambda fold: fold.first_line - fold.last_line)
    return sorted(longest[: max(limit, 0)])


def _of_commands(script: Script, lines: LineIndex) -> list[Fold]:
    """The folds of compound commands and arrays, in any order."""
    found: list[Fold] = []
    waiting = [script.pipelines]
    waiting += [it.pipelines for heredoc in script.heredocs for it in heredoc.substitutions]
    while waiting:
        for pipeline in waiting.pop():
            for segment in pipeline.segments:
                kind, _, _, _, assignments, _, bodies, substitutions = segment
                if kind is not _SIMPLE and kind not in _PLAIN:
                    found += _of_compound(script, segment, lines)
                for assignment in assignments:
                    if assignment.is_array:
                        found.append(_fold(script, *assignment.span, lines))
                if bodies:
                    waiting += [body.pipelines for body in bodies]
                if substitutions:
                    waiting += [it.pipelines for it in substitutions]
    return found


def _of_compound(script: Script, segment: Segment, lines: LineIndex) -> Iterator[Fold]:
    """A fold for each branch of an `if`, for other commands one for the whole."""
    starts = [segment.span.start]
    if segment.kind is SegmentKind.IF:
        starts += _branches(script, segment.bodies)
    ends = [*(lines.starts[lines.line_of(start)] - 1 for start in starts[1:]), segment.span.end]
    for start, end in zip(starts, ends, strict=True):
        is_last = end == segment.span.end
        if is_last:
            yield _fold(script, start, end, lines)
        else:
            yield Fold(lines.line_of(start), lines.line_of(end))


def _branches(script: Script, bodies: Sequence[Body]) -> Iterator[int]:
    """The offsets of `elif` and `else` between bodies that have commands."""
    before: int | None = None
    for body in bodies:
        if not body.pipelines:
            continue
        start = body.pipelines[0].span.start
        words = list(_BRANCH.finditer(script.text, before, start)) if before is not None else []
        if words and not (body.role is Role.BODY and words[-1].group() == "elif"):
            yield words[-1].start()
        before = body.pipelines[-1].span.end


def _fold(script: Script, start: int, end: int, lines: LineIndex) -> Fold:
    """The fold from `start` to `end`, without the last line if it only has the closing word."""
    first, last = lines.line_of(start), lines.line_of(end)
    closing = script.text[lines.starts[last] : end].strip()
    closes_alone = closing in {"}", "fi", "done", "esac", ")", "end", "))", "]]"}
    return Fold(first, last - 1 if closes_alone else last)


def _of_comments(script: Script, lines: LineIndex) -> Iterator[Fold]:
    """Folds of comments on consecutive lines, and of regions."""
    first = last = -2
    regions: list[int] = []
    for comment in sorted(script.comments):
        line = lines.line_of(comment.start)
        if script.text[lines.starts[line] : comment.start].strip():
            continue
        if mark := _REGION.match(script.text, *comment):
            if not mark[1]:
                regions.append(line)
            elif regions:
                yield Fold(regions.pop(), line, REGION)
            continue
        if line != last + 1:
            yield Fold(first, last, COMMENT)
            first = line
        last = line
    yield Fold(first, last, COMMENT)
