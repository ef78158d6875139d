"""Decides which shells' syntax errors to report for a text, and for which part of it.

A file without an interpreter line is sourced by another script, and its dialect is a guess from its
name: errors are reported only if all shells that may read it find one. A shell that is not asked (ksh,
busybox) may accept what others reject. Text after a line at which a script replaces itself
(`exec wish "$0" "$@"`) or exits before its data (`exit 0`) is not checked.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Script, SegmentKind, pipelines_within

from .dialect import interpreter_of, is_preprocessed, name_dialect

ASKED = {"zsh", "rzsh", "bash", "rbash", "sh", "dash"}
UNASKED_SUFFIXES = {".ksh", ".mksh"}
FAMILY = (Dialect.SH, Dialect.BASH, Dialect.ZSH)
ARM = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*\(?[^\s()]+(?:[ \t]*\|(?:\\\n)?[ \t]*[^\s()]+)*[ \t]*\)"
)
OTHER_SHELL = re.compile(r"\b(?:bash|zsh|ksh)[\d.-]*[\"']?$")


def syntax_authorities(text: str, dialect: Dialect, name: str | None = None) -> tuple[Dialect, ...]:
    """The shells that must all reject `text`, that of `dialect` first; empty if no error is reported."""
    interpreter = interpreter_of(text)
    if is_preprocessed(text, name) or PurePosixPath(name or "").suffix in UNASKED_SUFFIXES:
        return ()
    if interpreter is not None:
        return (dialect,) if interpreter.name in ASKED else ()
    if dialect is Dialect.ZSH or name_dialect(name) is dialect is Dialect.BASH:
        return (dialect,)
    return (dialect, *(other for other in FAMILY if other is not dialect))


def is_case_arm(text: str) -> bool:
    """Whether `text` begins with an arm of a `case`, which another file includes."""
    return not text.startswith("#!") and ";;" in text and ARM.match(text) is not None


def lines_read(script: Script) -> int:
    """How many lines of a script its shell certainly reads, all without an interpreter line."""
    if script.text.startswith("#!"):
        before: Pipeline | None = None
        for pipeline in script.pipelines:
            sure = before is None or before.connector is Connector.NONE
            if (sure and _leaves(pipeline)) or _restarts_in_other_shell(script, pipeline):
                return script.text.count("\n", 0, pipeline.span.end) + 1
            before = pipeline
    return script.text.count("\n") + 1


def _leaves(pipeline: Pipeline) -> bool:
    """Whether the script ends with this pipeline: `exec` with a program, or `exit`."""
    alone = len(pipeline.segments) == 1 and pipeline.connector is Connector.NONE
    if not alone or pipeline.background or pipeline.negated:
        return False
    segment = pipeline.segments[0]
    replaced = segment.command_word == "exec" and len(segment.words) > 1
    return replaced or segment.command_word == "exit"


def _restarts_in_other_shell(script: Script, pipeline: Pipeline) -> bool:
    """Whether the script restarts itself with another shell: `exec bash "$0" "$@"`."""
    defines = any(one.kind is SegmentKind.FUNCTION for one in pipeline.segments)
    if defines or "exec" not in script.source(pipeline.span):
        return False
    return any(
        segment.command_word == "exec"
        and any(OTHER_SHELL.search(script.source(word)) for word in segment.words[1:3])
        for inner in pipelines_within((pipeline,))
        for segment in inner.segments
    )
