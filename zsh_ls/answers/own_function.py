"""What a function of the script itself is: where it is defined and what its comment says."""

from __future__ import annotations

from zsh_ls.model.answer import Answer
from zsh_ls.model.syntax import Script, Segment
from zsh_ls.shell.syntax.lines import LineIndex

from .build import build
from .form import Sections
from .markup import as_text, code_span

MOST_LINES = 12


def explain_function(script: Script, name: str) -> Answer | None:
    """The answer about the function that the script defines last by that name; None where it defines none."""
    made = [one for one in script.functions if name in map(script.source, one.words)]
    if not made:
        return None
    lines = LineIndex(script.text)
    line = lines.line_of(made[-1].span.start)
    summary = f"{code_span(name)} is a function of this script, defined on line {line + 1}."
    return build("deterministic", Sections(summary, _comment(script, lines, made[-1]) or None))


def _comment(script: Script, lines: LineIndex, function: Segment) -> str:
    """The comments right above, without their signs; what they say is text, not markup."""
    alone = {lines.line_of(span.start): script.source(span) for span in script.comments}
    said: list[str] = []
    line = lines.line_of(function.span.start) - 1
    while line in alone and len(said) < MOST_LINES and _stands_alone(script, lines, line):
        said.insert(0, as_text(alone[line].lstrip("#!").strip()))
        line -= 1
    return "\n".join(words for words in said if words)


def _stands_alone(script: Script, lines: LineIndex, line: int) -> bool:
    text = script.text[lines.starts[line] : lines.line_end(line)].lstrip()
    return text.startswith("#") and not text.startswith("#!")
