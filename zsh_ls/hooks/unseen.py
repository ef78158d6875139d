"""Tests and builds of which neither the exit nor the output reaches who reads the run (HOOK-1).

`pytest > out.txt; echo finished` ends with 0 and prints `finished`, however the tests went.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.script_words import unquoted
from zsh_ls.lazy import re
from zsh_ls.model.shown_command import shown_command
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Redirection, Script, Segment
from zsh_ls.model.terminal_text import render
from zsh_ls.shell.fates import Fate, FateKind, Rule, status_reads
from zsh_ls.verbosity.lines import RenderedLines
from zsh_ls.verbosity.operation import read_command
from zsh_ls.verbosity.runners import signs

THROWN_AWAY = "/dev/null"
LONGEST_COMMAND = 60
# What tests and linters find stands on standard output; a build writes its errors to the other stream.
_READ_STREAMS = {"test": ("1",), "lint": ("1",), "build": ("1", "2")}
_DESCRIPTOR = re.compile(r"\d+-?|-")
_TERMINALS = frozenset({"/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"})


def unseen(script: Script, unnoticed: Sequence[Fate], output: str) -> tuple[Fate, str] | None:
    """The first command of which nothing is known, and where its output went; None where there is none.

    `unnoticed` are the commands that may fail without the exit telling; `output` is what the run printed.
    """
    for fate in unnoticed:
        if fate.fate is not FateKind.UNNOTICED or fate.rule not in (
            Rule.NOBODY_LOOKS,
            Rule.OR,
            Rule.LAST_SEGMENT,
        ):
            continue
        operation = read_command(fate.command).operation
        files = [_file_of(script, fate.span, it) for it in _READ_STREAMS.get(operation, ())]
        if not files or None in files:
            continue
        file = files[0] or ""
        if _is_looked_at(script, fate, file) or signs(RenderedLines.of(render(output))).found:
            continue
        return fate, file
    return None


def sentence(fate: Fate, file: str, exit_status: int | None) -> str:
    """What is said of such a command."""
    subject = "The exit" if exit_status is None else f"Exit {exit_status}"
    where = "was thrown away" if file == THROWN_AWAY else f"is in {file}"
    shown = shown_command(fate.command, LONGEST_COMMAND)
    return (
        f"{subject} does not say whether `{shown}` succeeded: {fate.because}; its output {where}."
    )


def _is_looked_at(script: Script, fate: Fate, file: str) -> bool:
    """Whether the line itself looks at the file, or at the exit, or its last pipeline has that exit."""
    if fate.rule is Rule.LAST_SEGMENT and _holds(script.pipelines[-1].span, fate.span):
        return True
    if file != THROWN_AWAY:
        named = re.compile(rf"(?<![\w-]){re.escape(file)}(?![\w.-])")
        if len(named.findall(script.text, fate.span.end)) > _times_written(script, fate, file):
            return True
    return any(
        _holds(source.span, fate.span) for read in status_reads(script) for source in read.sources
    )


def _times_written(script: Script, fate: Fate, file: str) -> int:
    """How often redirections behind a command write its file: of what it is piped to, or stands in."""
    return sum(
        _target(script, it) == file
        for pipeline in script.every_pipeline()
        for segment in pipeline.segments
        for it in segment.redirections
        if it.span.start >= fate.span.end and _streams_of(script, it)
    )


def _file_of(script: Script, span: Span, stream: str) -> str | None:
    """The file that a stream of the command at `span` goes to; None where it goes to the reader."""
    for segment, pipeline in _around(script.pipelines, span):
        at = pipeline.segments.index(segment)
        stream, file = _redirected(script, segment, stream)
        behind = pipeline.segments[at + 1 :]
        if file is None and behind and (stream == "1" or pipeline.operators[at] == "|&"):
            if any(it.command_word == "tee" for it in behind):
                return None
            stream, file = _redirected(script, behind[-1], "1")
        if file is not None:
            return None if file in _TERMINALS else file
        if stream not in ("1", "2"):
            return None
    return None


def _redirected(script: Script, segment: Segment, stream: str) -> tuple[str, str | None]:
    """Which stream of what is around a segment a stream of its is, or the file that it goes to."""
    # The last one holds, and a copied stream is what it was before.
    for redirection in reversed(segment.redirections):
        if stream not in _streams_of(script, redirection):
            continue
        target = _target(script, redirection)
        if not _DESCRIPTOR.fullmatch(target):
            return stream, target
        stream = target
    return stream, None


def _around(pipelines: Sequence[Pipeline], span: Span) -> Iterator[tuple[Segment, Pipeline]]:
    """The segments that hold `span`, the innermost first, each with its pipeline."""
    for pipeline in pipelines:
        for segment in pipeline.segments:
            if _holds(segment.span, span):
                for body in segment.bodies:
                    yield from _around(body.pipelines, span)
                yield segment, pipeline


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _streams_of(script: Script, redirection: Redirection) -> tuple[str, ...]:
    operator = redirection.operator
    if ">" not in operator or operator.startswith("<"):
        return ()
    both = operator.startswith("&>") or (
        operator.startswith(">&") and not _DESCRIPTOR.fullmatch(_target(script, redirection))
    )
    return ("1", "2") if both else (redirection.descriptor or "1",)


def _target(script: Script, redirection: Redirection) -> str:
    return unquoted(script.source(redirection.target))
