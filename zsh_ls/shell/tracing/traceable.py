"""Decides from a script's text whether tracing would change what it does; false positives are harmless."""

from __future__ import annotations

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect, Script, SegmentKind
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


# A trap given as text is parsed with the script's options, which these change, and sets $pipestatus.
_AFFECTS_TRAPS = re.compile(
    r"ksh_?arrays|\bemulate\b|\bset[ \t]+-\w*k|pipestatus"
    r"|\b(?:source|eval|autoload)\b|(?:^|[;&|])[ \t]*\.[ \t]",
    re.IGNORECASE | re.MULTILINE,
)


# What could do otherwise under xtrace, or hide from it what it does, and code that is not in the text.
_AFFECTS_XTRACE = re.compile(
    r"\b(?:source|eval|trap|ulimit|exec|enable|alias|time|PS4|BASH_XTRACEFD|SHELLOPTS|PIPESTATUS)\b"
    r"|\bset\b[^\n;&|]*\+\w*x|`|\$-|\$\{-|\$\{!|\$\{\w+@|\bset\b[^\n;&|]*[-+]o[ \t]*(?:$|[|;&>)])"
    r"|(?:^|[;&|({!]|\b(?:builtin|command|do|then|else))[ \t]*\.[ \t]",
    re.MULTILINE,
)


def needs_a_full_trap(script: Script) -> bool:
    """Whether the cheap way of tracing would not tell all of what a script does.

    In zsh that is a trap given as text rather than a function: a third of the cost, but subshells drop it,
    so that lists there on separate lines and functions called there are not reported, and it overwrites
    `$pipestatus`. In bash it is xtrace, a quarter of the cost of a trap: it tells of a command
    after its words are expanded, so what they run would be taken for the command before, and not of
    how a subshell ends.
    """
    if script.dialect is Dialect.BASH:
        return _leaves_its_process(script) or any(map(_AFFECTS_XTRACE.search, pieces(script.text)))
    if any(map(_AFFECTS_TRAPS.search, pieces(script.text))):
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


def _leaves_its_process(script: Script) -> bool:
    """Whether any of the script's own code runs in another process than the shell that reads it."""
    for pipeline in script.every_pipeline():
        if len(pipeline.segments) > 1 or pipeline.background or pipeline.coproc or pipeline.negated:
            return True
        segment = pipeline.segments[0]
        if segment.kind is SegmentKind.SUBSHELL or segment.substitutions:
            return True
    return any(heredoc.substitutions for heredoc in script.heredocs)


def reason_against(text: str, dialect: Dialect) -> str | None:
    """Why a script is not traced, as a message for the user; None if it can be.

    A tracer is a DEBUG trap: it would replace the script's own, be printed by
    `xtrace`, and appear in lists of functions or traps.
    """
    if dialect is Dialect.SH:
        return "Not traced: sh has nothing to trace lists with; zsh and bash have."
    code = [_COMMENT.sub("", piece) for piece in pieces(text)]
    # DEBUG behind `trap` on a line, in two searches: one expression would take quadratic time.
    for line in (line for piece in code for line in piece.split("\n")):
        trap = _TRAP.search(line)
        if trap is not None and _DEBUG.search(line, trap.end()):
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
