"""Whether tracing a script would leave what it does as it is; text decides, a false alarm costs little."""

from __future__ import annotations

import re

from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.lines import LineIndex, pieces
from zsh_ls.shell.syntax.statements import Statements

_COMMENT = re.compile(r"^[ \t]*#(?!!).*$", re.MULTILINE)
_FLAGS = r"(?:[ \t]+-[\w-]+)*?[ \t]+-\w*x"
_XTRACE = re.compile(rf"\b(?:set|zsh|bash|sh|emulate[ \t]+\w+){_FLAGS}|\bxtrace\b", re.IGNORECASE)
_DEBUG_TRAP = re.compile(r"TRAPDEBUG|\b(?:functrace|extdebug|debug_?before_?cmd)\b", re.IGNORECASE)
_TRAP = re.compile(r"\btrap\b", re.IGNORECASE)
_DEBUG = re.compile(r"\bDEBUG\b", re.IGNORECASE)
_FUNCTRACE = re.compile(r"\bset[ \t]+-\w*T")
_LISTS = re.compile(
    r"\b(?:functions|zmodload)\b[ \t]*(?:$|[|;&>)])"
    r"|\b(?:typeset|declare|whence|which|type)[ \t]+[-+]\w*f\b(?![ \t]+\w)"
    r"|\b(?:trap|set|setopt|unsetopt|typeset|declare)\b[ \t]*(?:-p)?[ \t]*(?:$|[|;&>)])"
    r"|\b(?:trap|typeset|declare)[ \t]+-p\b|\bcompgen[ \t]+-\w*[vA]",
    re.MULTILINE,
)
_RESTRICTED = re.compile(r"\brestricted\b|\bset[ \t]+-\w*r")


# A trap of text is read with the script's options, which these change, and changes $pipestatus.
_MINDS_A_TRAP = re.compile(
    r"ksh_?arrays|\bemulate\b|\bset[ \t]+-\w*k|pipestatus"
    r"|\b(?:source|eval|autoload)\b|(?:^|[;&|])[ \t]*\.[ \t]",
    re.IGNORECASE | re.MULTILINE,
)


def needs_a_function(script: Script) -> bool:
    """Whether only a trap that is a function tells all of a zsh script and changes nothing.

    One of text costs a third, but subshells drop it (lists there that have lines of their own, or
    functions that are called there, would not be told), and it overwrites `$pipestatus`.
    """
    if any(map(_MINDS_A_TRAP.search, pieces(script.text))):
        return True
    if any(len(pipeline.segments) > 1 for pipeline in script.every_pipeline()):
        return True
    lines = LineIndex(script.text)
    statements = Statements(script, lines.starts)
    functions = {script.source(name) for it in script.functions for name in it.words}
    for pipeline, context, *_ in contexts(script):
        if not (context.subshell or context.substitution or context.background):
            continue
        place = statements.at(lines.line_of(pipeline.span.start))
        if any(segment.command_word in functions for segment in pipeline.segments):
            return True
        if place is not None and not statements.all[place].is_shared and not context.background:
            return True
    return False


def reason_against(text: str, dialect: Dialect) -> str | None:
    """Why a script is not traced, in words for the person; None where it can be.

    A tracer is a DEBUG trap: it cannot share the script's own, would stand in
    what `xtrace` prints, and would be seen in a list of functions or traps.
    """
    if dialect is Dialect.SH:
        return "Not traced: sh has nothing to trace lists with; zsh and bash have."
    code = [_COMMENT.sub("", piece) for piece in pieces(text)]
    if any(map(_traps_debug, code)):
        return "Not traced: the script has a DEBUG trap of its own."
    for found, reason in (
        (_DEBUG_TRAP, "the script has a DEBUG trap of its own."),
        (_FUNCTRACE, "the script has a DEBUG trap of its own."),
        (_XTRACE, "the script turns xtrace on, which would print the tracing as well."),
        (_RESTRICTED, "a restricted shell may not write down what it does."),
        (
            _LISTS,
            "the script lists its functions, traps or variables, where the tracing would show.",
        ),
    ):
        if any(map(found.search, code)):
            return f"Not traced: {reason}"
    return None


def _traps_debug(piece: str) -> bool:
    """Whether DEBUG stands behind `trap` on a line; as one expression it takes the square of the line."""
    for line in piece.split("\n"):
        trap = _TRAP.search(line)
        if trap is not None and _DEBUG.search(line, trap.end()):
            return True
    return False
