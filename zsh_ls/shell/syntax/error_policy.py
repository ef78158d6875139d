"""Which shells may say that a text is wrong, and of which part of it.

A file without an interpreter line is read by another script: what its name says is a guess, and an
error only where all the shells that may read it refuse it. A shell that we do not ask (ksh, busybox)
may take what others refuse. A script that hands itself over (`exec wish "$0" "$@"`) or ends before
its data (`exit 0`) is not read beyond that line.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Script, SegmentKind, pipelines_within

from .dialect import is_preprocessed, name_dialect
from .shebang import interpreter_of

ASKED = {"zsh", "rzsh", "bash", "rbash", "sh", "dash"}
UNASKED_SUFFIXES = {".ksh", ".mksh"}
FAMILY = (Dialect.SH, Dialect.BASH, Dialect.ZSH)
ARM = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*\(?[^\s()]+(?:[ \t]*\|(?:\\\n)?[ \t]*[^\s()]+)*[ \t]*\)"
)
OTHER_SHELL = re.compile(r"\b(?:bash|zsh|ksh)[\d.-]*[\"']?$")


def syntax_authorities(text: str, dialect: Dialect, name: str | None = None) -> tuple[Dialect, ...]:
    """The shells that must all refuse `text`, that of `dialect` first; none where nobody can tell."""
    interpreter = interpreter_of(text)
    if is_preprocessed(text, name) or PurePosixPath(name or "").suffix in UNASKED_SUFFIXES:
        return ()
    if interpreter is not None:
        return (dialect,) if interpreter.name in ASKED else ()
    if dialect is Dialect.ZSH or name_dialect(name) is dialect is Dialect.BASH:
        return (dialect,)
    return (dialect, *(other for other in FAMILY if other is not dialect))


def is_a_piece(text: str) -> bool:
    """Whether `text` begins with the arm of a `case` that another file puts around it."""
    return not text.startswith("#!") and ";;" in text and ARM.match(text) is not None


def lines_read(script: Script) -> int:
    """How many lines of a script with an interpreter line its shell reads, whatever they do."""
    if script.text.startswith("#!"):
        before: Pipeline | None = None
        for pipeline in script.pipelines:
            sure = before is None or before.connector is Connector.NONE
            if (sure and _leaves(pipeline)) or _becomes_another_shell(script, pipeline):
                return script.text.count("\n", 0, pipeline.span.end) + 1
            before = pipeline
    return script.text.count("\n") + 1


def _leaves(pipeline: Pipeline) -> bool:
    """Whether nothing of the script is read behind it: it becomes another program, or ends."""
    alone = len(pipeline.segments) == 1 and pipeline.connector is Connector.NONE
    if not alone or pipeline.background or pipeline.negated:
        return False
    segment = pipeline.segments[0]
    becomes = segment.command_word == "exec" and len(segment.words) > 1
    return becomes or segment.command_word == "exit"


def _becomes_another_shell(script: Script, pipeline: Pipeline) -> bool:
    """Whether the script starts itself anew with the shell it is written for: `exec bash "$0" "$@"`."""
    defines = any(one.kind is SegmentKind.FUNCTION for one in pipeline.segments)
    if defines or "exec" not in script.source(pipeline.span):
        return False
    return any(
        segment.command_word == "exec"
        and any(OTHER_SHELL.search(script.source(word)) for word in segment.words[1:3])
        for inner in pipelines_within((pipeline,))
        for segment in inner.segments
    )
