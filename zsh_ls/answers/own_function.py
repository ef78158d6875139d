"""Answers about a function of the script: where it is defined, and its comment."""

from __future__ import annotations

from zsh_ls.model.answer import Answer
from zsh_ls.model.syntax import Script, Segment
from zsh_ls.shell.syntax.lines import LineIndex

from .build import build
from .form import Sections
from .markup import as_text, code_span

MAX_LINES = 12


def explain_function(script: Script, name: str) -> Answer | None:
    """The answer about the script's last definition of the function; None if there is none."""
    made = [one for one in script.functions if name in map(script.source, one.words)]
    if not made:
        return None
    lines = LineIndex(script.text)
    line = lines.line_of(made[-1].span.start)
    summary = f"{code_span(name)} is a function of this script, defined on line {line + 1}."
    return build("deterministic", Sections(summary, _comment(script, lines, made[-1]) or None))


def _comment(script: Script, lines: LineIndex, function: Segment) -> str:
    """The comment lines right above, without `#`, as plain text rather than Markdown."""
    alone = {lines.line_of(span.start): script.source(span) for span in script.comments}
    lines_found: list[str] = []
    line = lines.line_of(function.span.start) - 1
    while line in alone and len(lines_found) < MAX_LINES and _is_comment_line(script, lines, line):
        lines_found.insert(0, as_text(alone[line].lstrip("#!").strip()))
        line -= 1
    return "\n".join(words for words in lines_found if words)


def _is_comment_line(script: Script, lines: LineIndex, line: int) -> bool:
    text = script.text[lines.starts[line] : lines.line_end(line)].lstrip()
    return text.startswith("#") and not text.startswith("#!")
