"""Classifies a kill: early, late, normal, or a problem of the pattern (KILL-2…4)."""

from __future__ import annotations

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.history import KillHistory
from zsh_ls.model.results import KillInsight

from .formatting import Colour, paint, percent, seconds

MIN_PROBLEM_KILLS = 3
MIN_PROBLEM_RATE = 0.5
EARLY_SHARE_OF_MEDIAN = 0.5
LATE_SHARE_OF_MEDIAN = 2.0
MIN_REPORTED_SILENCE_S = 10.0

UNKNOWN = "UNKNOWN"

COLOURS = {
    "EARLY_KILL": Colour.YELLOW,
    "PATTERN_PROBLEM": Colour.YELLOW,
    "LATE_KILL": Colour.RED,
}


class Judgement(NamedTuple):
    """A category of KILL-2 and its words."""

    category: str
    message: str


def judge_kill(
    past: KillHistory,
    estimate: Estimate | None,
    elapsed_s: float,
    idle_s: float,
    *,
    is_server: bool = False,
) -> KillInsight:
    """The insight about a kill after `elapsed_s`, of which the last `idle_s` were without output.

    `past` includes this kill; `estimate` is the task's own, from before it ran. A development
    server is killed because it is done with: that says nothing of its pattern, nor does its silence.
    """
    if is_server:
        message = f"Killed after {seconds(elapsed_s)}."
        return KillInsight(past.template, round(elapsed_s * 1000), UNKNOWN, message)
    if past.killed >= MIN_PROBLEM_KILLS and past.killed > MIN_PROBLEM_RATE * past.runs:
        category, message = _problem_of(past.template, past.killed, past.runs)
    elif past.session_killed >= MIN_PROBLEM_KILLS:
        category, message = _problem_of(past.template, past.session_killed, past.session_runs)
    else:
        category, message = _by_duration(past.template, estimate, elapsed_s)
    if idle_s >= MIN_REPORTED_SILENCE_S:
        message += f" Command produced no output for {seconds(idle_s)} before kill."
    return KillInsight(past.template, round(elapsed_s * 1000), category, message)


def _problem_of(template: str, killed: int, runs: int) -> Judgement:
    rate = percent(killed / max(runs, killed))
    return Judgement(
        "PATTERN_PROBLEM",
        f"'{template}' gets killed {rate} of the time ({killed}/{runs}). "
        "This pattern may need a different approach.",
    )


def _by_duration(template: str, estimate: Estimate | None, elapsed_s: float) -> Judgement:
    after = seconds(elapsed_s)
    if estimate is None:
        return Judgement(UNKNOWN, f"Killed after {after}. Not enough history to classify.")
    median_s = estimate.median_s
    median = seconds(median_s)
    if elapsed_s < EARLY_SHARE_OF_MEDIAN * median_s:
        return Judgement(
            "EARLY_KILL",
            f"Killed '{template}' at {after}. Median completion is {median}. "
            "This command likely needs more time.",
        )
    if elapsed_s > LATE_SHARE_OF_MEDIAN * median_s:
        return Judgement(
            "LATE_KILL",
            f"Killed '{template}' after {after}. Median is {median}. "
            "Something is wrong — this isn't normal duration.",
        )
    return Judgement("NORMAL_KILL", f"Killed '{template}' at {after} (median: {median}).")


def formatted_insight(insight: KillInsight, *, colour: bool) -> str:
    """`[A.L.A.N.: …]`, with `colour` in the colour of the category (KILL-4)."""
    line = f"[A.L.A.N.: {insight.message}]"
    return paint(line, COLOURS.get(insight.category, Colour.DIM), colour)
