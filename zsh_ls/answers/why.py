"""Why a command failed: its exits, what it printed, memory, names that are near, files (PROMPT-1, ANS-7)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise, takewhile

from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.completed_run import CompletedSegment
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome
from zsh_ls.shell.status.exit_codes import general_meaning, is_over_ssh
from zsh_ls.shell.status.program_exits import program_meaning
from zsh_ls.shell.words.wrappers import base_name

from .build import build, fallback
from .form import Sections
from .formatting import count, duration, ended, moment
from .markup import code_span, list_item

NOT_FOUND, CONNECTION_FAILED, USAGE = 127, 255, 64
SIGPIPE_EXIT = 141
SIGNALS_FROM = 128
_LAUNCHERS = frozenset({"python", "python3", "uv", "poetry", "pipenv", "hatch", "pdm"})
MOST_TOLD = 6
MOST_TESTS = 10


@attrs.frozen
class Failure:
    """A run that failed: `before` are the earlier runs of its text here, newest first.

    `near` is a command whose name is near to one that was not found, or empty. `told` are the lines of its
    output that say why, `tests` the failed ones by name, `machine` sentences about files that the output
    names, `changed` one about what changed since its text last passed; `task_id` is of its kept output,
    and `is_silent` says that there is nothing in it. `passed_since_at` is when its text last passed here
    after it failed, in Unix seconds.
    """

    run: RunEntry
    segments: Sequence[CompletedSegment] = ()
    before: Sequence[RunEntry] = ()
    near: str = ""
    told: Sequence[str] = ()
    tests: Sequence[str] = ()
    machine: Sequence[str] = ()
    changed: str = ""
    task_id: str | None = None
    is_silent: bool = False
    passed_since_at: float | None = None


def why(
    failure: Failure | None, last: RunEntry | None, now: datetime, *, later: str = ""
) -> Answer:
    """Why it failed; `last` is the run that ended last, where its exit is a known normal one.

    `later` is the text of one that came behind it and did not fail.
    """
    first = f"{code_span(later)} did not fail." if later else None
    if last is not None:
        first = f"{code_span(last.command)} {ended(last.outcome, last.exit)}: that is no failure."
    if failure is None:
        if first:
            return build("deterministic", Sections(first))
        ask = ProposedCommand("zsh-ls history --here")
        return fallback(
            "why it failed",
            reason="No failed run of this terminal or project is remembered.",
            missing="a run that failed",
            collect=(ask,),
        )
    lines = why_lines(failure, now)
    summary = why_summary(failure, now)
    if first:
        summary = f"{first}\nBefore it: {summary}"
    details = "\n".join(list_item(line) for line in lines if line)
    return build("deterministic", Sections(summary, details or None))


def why_lines(failure: Failure, now: datetime) -> list[str]:
    """What is known of it, a sentence each, the most telling first."""
    return [
        *_tests(failure),
        *(f"It printed: {code_span(line)}" for line in failure.told[:MOST_TOLD]),
        *failure.machine,
        _exit(failure),
        *_segments(failure),
        *_past(failure, now),
        *filter(None, [failure.changed]),
        *_kept(failure),
    ]


def _tests(failure: Failure) -> list[str]:
    if not failure.tests:
        return []
    shown = ", ".join(map(code_span, failure.tests[:MOST_TESTS]))
    more = len(failure.tests) - MOST_TESTS
    rest = f" and {count(more, 'other')}" if more > 0 else ""
    return [f"{count(len(failure.tests), 'test')} failed: {shown}{rest}."]


def _kept(failure: Failure) -> list[str]:
    if failure.is_silent:
        return ["It printed nothing."]
    if failure.task_id is None:
        return []
    return [f"All that it printed: {code_span(f'zsh-ls output {failure.task_id}')}"]


def why_summary(failure: Failure, now: datetime) -> str:
    """How it ended and when, a near name, or what a pipeline hid."""
    run = failure.run
    if failure.near:
        missing, near = code_span(_missing(failure)), code_span(failure.near)
        return f"{missing} was not found; {near} is near."
    # A search that found nothing hides it as well: its exit is no failure.
    hidden = _hidden(failure) if run.outcome is Outcome.SUCCESS else []
    if hidden:
        names = ", ".join(_named(segment, at) for at, segment in hidden)
        return f"{code_span(run.command)} exited {run.exit}, and hid that {names} failed."
    return f"{code_span(run.command)} {ended(run.outcome, run.exit)} {moment(run.at, now)}."


def _exit(failure: Failure) -> str:
    run = failure.run
    if run.exit is None or run.exit == 0:
        return f"It took {duration(run.duration_s)}."
    # With pipefail the exit is that of a segment before the last.
    gave = [it for it in failure.segments if it.exit == run.exit]
    last = gave[-1] if gave else None
    program = program_of(last) if last else ""
    meaning = general_meaning(run.exit) or program_meaning(program, run.exit)
    if run.exit > SIGNALS_FROM:  # git says wrong usage by 129
        meaning = program_meaning(program, run.exit) or meaning
    if run.exit == CONNECTION_FAILED and last and is_over_ssh(program, last.words):
        meaning = "the connection failed"
    elif run.exit == USAGE:
        meaning = "wrong usage"
    told = f"Exit {run.exit}: {meaning}." if meaning else f"Exit {run.exit} is the program's own."
    usage = ""
    if program and run.exit == USAGE:
        usage = f" Its options: {code_span(f'zsh-ls explain {shlex.quote(program)}')}."
    return f"{told} It took {duration(run.duration_s)}.{usage}"


def program_of(segment: CompletedSegment) -> str:
    """The program whose exits a segment gave: `pytest` for `python -m pytest`, `npx jest` is jest's."""
    words = segment.words
    for launcher, option in pairwise(words):
        if base_name(launcher) in _LAUNCHERS and option in ("-m", "run", "exec"):
            return next((it for it in words[words.index(option) + 1 :] if it[:1] != "-"), "")
        if base_name(launcher) == "npx" and not option.startswith("-"):
            return option
    return segment.command


def _segments(failure: Failure) -> list[str]:
    """Each segment's exit, where there are several."""
    if len(failure.segments) < 2:
        return []
    told = ", ".join(
        f"{_named(segment, at)} {segment.exit}" for at, segment in enumerate(failure.segments, 1)
    )
    meanings = (
        f"Exit {segment.exit} of {_named(segment, at)}: {meaning}."
        for at, segment in _hidden(failure)
        if (meaning := program_meaning(segment.command, segment.exit))
    )
    return [f"Exits of the pipeline: {told}.", *meanings]


def _hidden(failure: Failure) -> list[tuple[int, CompletedSegment]]:
    return [
        (at, segment)
        for at, segment in enumerate(failure.segments[:-1], 1)
        if segment.exit not in (0, SIGPIPE_EXIT) and segment.normal_meaning is None
    ]


def hidden_segments(failure: Failure) -> str:
    """The segments whose failure the exit of the pipeline hid, with their exits; `""` where it hid none."""
    return ", ".join(
        f"{_named(segment, at)} (exit {segment.exit})" for at, segment in _hidden(failure)
    )


def _named(segment: CompletedSegment, at: int) -> str:
    return code_span(segment.command) if segment.command else f"segment {at}"


def _missing(failure: Failure) -> str:
    for segment in failure.segments:
        if segment.exit == NOT_FOUND and segment.command:
            return segment.command
    return failure.run.command


def _past(failure: Failure, now: datetime) -> list[str]:
    """What memory knows of the same text here."""
    if not failure.run.is_kept:
        return []
    if failure.passed_since_at is not None:
        return [f"It has passed here since: {moment(failure.passed_since_at, now)}."]
    failing = list(takewhile(lambda run: run.outcome is not Outcome.SUCCESS, failure.before))
    row = 1 + sum(run.outcome in (Outcome.FAILURE, Outcome.TIMEOUT) for run in failing)
    passed = failure.before[len(failing) : len(failing) + 1]
    if passed:
        since = f", {count(row, 'failure')} since" if row > 1 else ""
        return [f"It last passed here {moment(passed[0].at, now)}{since}."]
    if failing and row == 1:
        return ["No pass of it is remembered here."]
    if failing:
        return [f"It failed {count(row, 'time')} in a row here, and no pass is remembered."]
    return ["It is the first run of this text that is remembered here."]


__all__ = ["NOT_FOUND", "Failure", "why", "why_lines", "why_summary"]
