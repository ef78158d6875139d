"""Judges how an execution went: its state, and whether the exit status hides a failure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from zsh_ls.lazy import attrs
from zsh_ls.shell.status.exit_codes import is_normal_exit

from .lines import RenderedLines
from .operation import CommandLine
from .programs import Program
from .rules import rules
from .runners import Signs
from .salience import has_marker
from .values import ResolverInput

State = Literal["running", "success", "failed", "timed out"]
SIGPIPE_EXIT = 141


@attrs.frozen
class JudgedOutcome:
    """The state; `masked` if the exit status does not show a failure."""

    state: State
    masked: bool = False


def outcome(
    recorded: ResolverInput, line: CommandLine, operation: str, runner: Signs, lines: RenderedLines
) -> JudgedOutcome:
    """The outcome of an execution whose output is `lines`."""
    if recorded.timed_out:
        return JudgedOutcome("timed out")
    if recorded.still_running:
        return JudgedOutcome("running")
    if recorded.exit and not _is_normal(recorded, line, lines.text):
        return JudgedOutcome("failed")
    # From here on the exit status is 0, a normal one, or unknown.
    if _segment_failed(recorded.pipestatus[:-1], line.programs):
        return JudgedOutcome("failed", masked=True)
    # Of 97 recorded failed test runs 8 exit with 0, and of 33 that passed 5 print "fail": the
    # output counts only where the exit is hidden, and then a runner's verdict, not a word.
    if recorded.exit is None or line.hidden:
        failed = runner.failed if operation == "test" else False
        if operation in ("build", "lint"):
            failed = has_marker(lines, rules().hidden_failure)
        if failed:
            return JudgedOutcome("failed", masked=True)
    return JudgedOutcome("success")


def _is_normal(recorded: ResolverInput, line: CommandLine, text: str) -> bool:
    """Whether a non-zero exit status is a known normal one (ALAN-9), with nothing on stderr."""
    if recorded.stderr and recorded.stderr.strip():
        return False
    status = recorded.exit or 0
    # With pipefail the exit is a segment's though the last one succeeded.
    if recorded.pipestatus and recorded.pipestatus[-1] == 0:
        return not _segment_failed(recorded.pipestatus, line.programs)
    asked = [program for program in line.programs if program.exit_shows and not program.nested]
    if asked and is_normal_exit(asked[-1].name, status):
        return True
    return not text.strip() and any(is_normal_exit(program.name, status) for program in asked)


def _segment_failed(statuses: Sequence[int], found: Sequence[Program]) -> bool:
    """Whether a segment of the last pipeline failed, normal exits and SIGPIPE excepted."""
    names: list[str] = []  # of the programs of the last pipeline, first to last
    for program in reversed([program for program in found if not program.nested]):
        if names and not program.piped:
            break
        names.insert(0, program.name)
    for at, status in enumerate(statuses):
        name = names[at] if at < len(names) else ""
        if status not in (0, SIGPIPE_EXIT) and not is_normal_exit(name, status):
            return True
    return False
