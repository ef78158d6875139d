"""What a person feels at a prompt, measured by typing, as zsh-bench defines it (START-5).

Nothing that is typed is a command: Enter on an empty line, and letters that are never entered. So no history
has anything to write.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable

from zsh_ls.lazy import attrs

from .shell_start import Started, StartPlan

_LINES = 8
_LETTERS = 12
_PATIENCE_S = 5.0
_QUIET_S = 0.15
# What is still written for the key before is not the answer to the next.
_REST_S = 0.01
# The line on which a letter is typed is as long as a usual command.
_BEFORE = b": some words of a command that is already fairly long "
_LETTER = b"a"
_OPENS = b"\x1b[?2004h"
_ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-Za-z]|[=>78cMDEH])"
    rb"|[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]"
)


@attrs.frozen
class MeasuredLag:
    """Milliseconds: to the prompt, to the first command that was typed ahead, of an Enter, of a letter."""

    first_prompt: float
    first_command: float
    command: float
    input: float


def measured_lag(
    plan: StartPlan, is_stopped: Callable[[], bool] = lambda: False
) -> MeasuredLag | None:
    """Two shells, typed into; None where their line editor does not say when it is ready, or when stopped."""
    with Started(plan) as started:
        ready_at = started.prompt_comes(started.began_at + plan.limit_s, is_stopped)
        if ready_at is None or _OPENS not in started.output:
            return None
        _settle(started)
        prompt_s = (_shown_at(started) or ready_at) - started.began_at
        enters = [_answered(started, b"\r", _OPENS) for _ in range(_LINES) if not is_stopped()]
        _answered(started, _BEFORE, None)
        _settle(started)
        letters = [_answered(started, _LETTER, None) for _ in range(_LETTERS) if not is_stopped()]
    with Started(plan) as started:
        # The shell takes what is typed ahead once it is ready, and shows a second prompt.
        started.type(b"\n")
        ready_at = started.prompt_comes(started.began_at + plan.limit_s, is_stopped)
        if ready_at is None or not _comes(started, _OPENS, 2):
            return None
        second_s = started.output_at[-1] - started.began_at
    told = [it for it in enters if it is not None], [it for it in letters if it is not None]
    if not all(told):
        return None
    enter_s, letter_s = (statistics.median(it) for it in told)
    first_s = max(prompt_s, second_s - enter_s)
    return MeasuredLag(*(round(it * 1000, 3) for it in (prompt_s, first_s, enter_s, letter_s)))


def _answered(started: Started, typed: bytes, sign: bytes | None) -> float | None:
    """Seconds from typing to the sign, None for any output; None if it does not come."""
    while started.reads(_REST_S):
        pass
    began, seen = time.time(), len(started.output)
    started.type(typed)
    while time.time() - began < _PATIENCE_S:
        came = started.reads(_PATIENCE_S)
        if came is None:
            return None
        if len(started.output) > seen and (sign is None or sign in started.output[seen:]):
            return started.output_at[-1] - began
    return None


def _comes(started: Started, sign: bytes, count: int) -> bool:
    until = time.time() + _PATIENCE_S
    while started.output.count(sign) < count:
        if time.time() > until or started.reads(0.05) is None:
            return False
    return True


def _settle(started: Started) -> None:
    """Read until nothing has come for a moment: a prompt may be drawn again, or what was put off is done."""
    until = time.time() + _PATIENCE_S
    while time.time() < until and started.reads(_QUIET_S):
        pass


def _shown_at(started: Started) -> float | None:
    """When the last line of the prompt stood on the screen first: an instant prompt is there early."""
    prompt = _last_line(bytes(started.output))
    if not prompt:
        return None
    for at, length in zip(started.output_at, started.lengths, strict=True):
        if prompt in _ESCAPES.sub(b"", bytes(started.output[:length])):
            return at
    return None


def _last_line(output: bytes) -> bytes:
    """The text of the last line that has one, without what only moves or colours."""
    lines = [it.strip() for it in _ESCAPES.sub(b"", output).replace(b"\r", b"\n").split(b"\n")]
    return next((it for it in reversed(lines) if it), b"")
