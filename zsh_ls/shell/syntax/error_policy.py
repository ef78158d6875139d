"""Decides which shells' syntax errors to report for a text, and for which part of it.

A file without an interpreter line is sourced by another script, and its dialect is a guess from its
name: errors are reported only if all shells that may read it find one. A shell that is not asked (ksh,
busybox) may accept what others reject. Text after a line at which a script replaces itself
(`exec wish "$0" "$@"`) or exits before its data (`exit 0`) is not checked, nor is a template
(FATE-11), a text with gaps that a reader or a program fills in (`ssh <host>`), XML, settings of tmux, a
part that others are put together from, a copy that was put aside, a makefile, or what a test framework
rewrites.
What `#!/bin/sh` starts is bash on many systems: such a script is wrong where bash refuses it too.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from zsh_ls.lazy import re
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Script,
    Segment,
    SegmentKind,
    pipelines_within,
)

from .dialect import interpreter_of, is_preprocessed, name_dialect
from .lines import LONGEST_LINE, pieces
from .templates import is_template

ASKED = {"zsh", "rzsh", "bash", "rbash", "sh", "dash"}
UNASKED_SUFFIXES = {".ksh", ".mksh"}
FAMILY = (Dialect.SH, Dialect.BASH, Dialect.ZSH)
ARM = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*\(?[^\s()]+(?:[ \t]*\|(?:\\\n)?[ \t]*[^\s()]+)*[ \t]*\)"
)
OTHER_SHELL = re.compile(r"\b(?:bash|zsh|ksh)[\d.-]*[\"']?$")
OTHER_LANGUAGE = re.compile(
    r"\b(?:python|pypy|perl|ruby|node|php|lua|tclsh|wish|expect|guile|ocaml|scala|groovy)[\d.-]*[\"']?$"
)
# `<your.time.server>` at the end of a line is for a reader to fill in: no shell takes it.
FILL_IN = re.compile(
    r"^[^#'\"\n]*(?<![<>&])<[A-Za-z](?:[^<>|&;()'\"\n]*[^\s<>|&;()'\"\n])?>[ \t]*$", re.MULTILINE
)
# What Python's `format` fills in (Jenkins Job Builder): `{branch}`, with the shell's own braces doubled.
DOUBLED = re.compile(r"\(\)[ \t]*\{\{[ \t]*$", re.MULTILINE)
CLOSED = re.compile(r"^[ \t]*\}\}[ \t]*$", re.MULTILINE)
FILLED_IN = re.compile(r"(?<![\w${])\{[a-z][\w-]*\}(?!\})")
MARKUP = re.compile(r"\s*<(?:\?xml|!DOCTYPE)\b", re.IGNORECASE)
# tmux's own `set -g`, which no shell has: its settings are named for a shell for the sake of colours.
TMUX = re.compile(r"^[ \t]*(?:set|setw|set-option)[ \t]+-s?g[aqu]*[ \t]+[a-z@]", re.MULTILINE)
# `#!/bin/sh /usr/share/dpatch/dpatch-run`: the shell reads that script, and this file is its data.
READ_BY_A_SCRIPT = re.compile(r"#![ \t]*/\S+(?<!env)[ \t]+/\S+")
ALIAS = re.compile(r"^alias[ \t]+[\w.-]+=", re.MULTILINE)
# shove, a framework for tests, makes subshells of these.
SHOVE = re.compile(r"^T_SUB[ \t]+[^\n]*[ \t]\(\([ \t]*$", re.MULTILINE)
# Notes that are named like a script begin with the address of what they are about.
ADDRESS = re.compile(r"\s*https?://\S+[ \t]*\n")
# The folders and names of what no shell reads as it is.
FOLDER_OF_PARTS = re.compile(r"fragments?", re.IGNORECASE)
TEMPLATE_NAME = re.compile(r"(?:.*[-_.])?template(?:[-_.].*)?", re.IGNORECASE)
# A copy that an editor or a person has put aside.
PUT_ASIDE = re.compile(r".*(?:~|[._-](?:bak|backup|orig|old|save)\d*)", re.IGNORECASE)
# A target of make's with a command of its own kind: `date:` and behind a tabulator `@echo …`.
RECIPE = re.compile(r"^[\w.-]+:[^=\n]*\n\t@", re.MULTILINE)
OWN_NAME = re.compile(r"\$(?:0\b|\{0\b|BASH_SOURCE\b|\{BASH_SOURCE\b)")


def syntax_authorities(text: str, dialect: Dialect, name: str | None = None) -> tuple[Dialect, ...]:
    """The shells that must all reject `text`, that of `dialect` first; empty if no error is reported."""
    interpreter = interpreter_of(text)
    if is_preprocessed(text, name) or PurePosixPath(name or "").suffix in UNASKED_SUFFIXES:
        return ()
    if is_template(text, name) or (interpreter is not None and interpreter.name not in ASKED):
        return ()
    if READ_BY_A_SCRIPT.match(text):
        return ()
    if _is_a_part(name) or ADDRESS.match(text) or _is_put_aside(name):
        return ()
    if (
        MARKUP.match(text)
        or any(map(SHOVE.search, pieces(text, LONGEST_LINE)))
        or any(map(TMUX.search, pieces(text, LONGEST_LINE)))
        or any(map(RECIPE.search, pieces(text, LONGEST_LINE)))
        or all(
            any(map(sign.search, pieces(text, LONGEST_LINE)))
            for sign in (DOUBLED, CLOSED, FILLED_IN)
        )
        or any(map(FILL_IN.search, pieces(text, LONGEST_LINE)))
    ):
        return ()
    named = name_dialect(name)
    if interpreter is not None:
        # The first line of a file that is named for another shell is for editors: that shell sources it.
        others = [] if named in {None, Dialect.SH, dialect} else [named]
        if interpreter.name == "sh":
            others.append(Dialect.BASH)
        # Aliases are for a person's shell, which may be zsh, and a script of bash has no use for them.
        if dialect is Dialect.BASH and any(map(ALIAS.search, pieces(text, LONGEST_LINE))):
            others.append(Dialect.ZSH)
        return tuple(dict.fromkeys((dialect, *filter(None, others))))
    if dialect is Dialect.ZSH or named is dialect is Dialect.BASH:
        return (dialect,)
    return (dialect, *(other for other in FAMILY if other is not dialect))


def _is_put_aside(name: str | None) -> bool:
    """Whether a file is a copy of before, which nobody runs."""
    return PUT_ASIDE.fullmatch(PurePosixPath(name or "").name) is not None


def _is_a_part(name: str | None) -> bool:
    """Whether a file is to be put together with others, by its path."""
    path = PurePosixPath(name or "")
    in_folder = FOLDER_OF_PARTS.fullmatch(path.parent.name) is not None
    return in_folder or TEMPLATE_NAME.fullmatch(path.stem) is not None


def is_case_arm(text: str) -> bool:
    """Whether `text` begins with an arm of a `case`, which another file includes."""
    return not text.startswith("#!") and ";;" in text and ARM.match(text) is not None


def lines_read(script: Script) -> int:
    """How many lines of a script its shell certainly reads, all without an interpreter line."""
    if script.text.startswith("#!"):
        before: Pipeline | None = None
        for pipeline in script.pipelines:
            sure = before is None or before.connector is Connector.NONE
            restarts = _restarts_in(script, pipeline, OTHER_SHELL) or _is_other_language(
                script, pipeline
            )
            if (sure and _leaves(pipeline)) or restarts:
                return script.text.count("\n", 0, pipeline.span.end) + 1
            before = pipeline
    return script.text.count("\n") + 1


def lines_of_shell(script: Script) -> int:
    """How many lines of a script are a shell's: behind `exec python3 "$0" "$@"` come those of Python."""
    text = script.text
    if "exec" in text and text.startswith("#!") and OWN_NAME.search(text):
        for pipeline in script.pipelines:
            if _is_other_language(script, pipeline):
                return text.count("\n", 0, pipeline.span.end) + 1
    return text.count("\n") + 1


def _is_other_language(script: Script, pipeline: Pipeline) -> bool:
    """Whether the script has itself read by another language's interpreter: `exec python3 "$0"`."""
    return _restarts_in(script, pipeline, OTHER_LANGUAGE) and bool(
        OWN_NAME.search(script.source(pipeline.span))
    )


def _leaves(pipeline: Pipeline) -> bool:
    """Whether the script ends with this pipeline: `exec` with a program, or `exit`."""
    alone = len(pipeline.segments) == 1 and pipeline.connector is Connector.NONE
    if not alone or pipeline.background or pipeline.negated:
        return False
    segment = pipeline.segments[0]
    replaced = _is_exec(segment) and len(segment.words) > 1
    return replaced or segment.command_word == "exit"


def _is_exec(segment: Segment) -> bool:
    """Whether the segment's first word is `exec`, also in the quotes of a polyglot: `"exec"`, `''''exec`."""
    return segment.command_word.replace('"', "").replace("'", "") == "exec"


def _restarts_in(script: Script, pipeline: Pipeline, interpreters: re.Pattern[str]) -> bool:
    """Whether the script restarts itself with one of `interpreters`: `exec bash "$0" "$@"`."""
    defines = any(one.kind is SegmentKind.FUNCTION for one in pipeline.segments)
    if defines or "exec" not in script.source(pipeline.span):
        return False
    return any(
        _is_exec(segment)
        and any(interpreters.search(script.source(word)) for word in segment.words[1:3])
        for inner in pipelines_within((pipeline,))
        for segment in inner.segments
    )
