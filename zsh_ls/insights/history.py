"""Warnings and hints from memory for lines of a script that is not running (DOC-4).

Infos are never shown on a line from history alone, and most lines have no hint.
"""

from __future__ import annotations

from zsh_ls.lazy import attrs
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level

from .formatting import percent, seconds, whole_seconds
from .registry import RuleKind, rules_of

MIN_SHOWN_S = 1.0
MIN_RUNS_FOR_RATE = 3
MIN_RUNS_FOR_TIMEOUTS = 5
MIN_FAILED_STREAK = 2


def on_history(past: CommandHistory, span: Span) -> list[Insight]:
    """The warnings from memory about the command at `span` of a script."""
    return [
        attrs.evolve(insight, span=span)
        for rule in rules_of(RuleKind.BEFORE_RUN)
        if rule.on_lines
        for insight in rule.insights(past)
        if insight.level is Level.WARNING
        if insight.rule != "frequent-timeouts" or past.runs >= MIN_RUNS_FOR_TIMEOUTS
    ]


def hint(past: CommandHistory) -> str | None:
    """`~47s · 92% of 12`: the usual duration if it is a second or more, and the success rate."""
    facts = []
    if past.estimate is not None and past.estimate.median_s >= MIN_SHOWN_S:
        facts.append(f"~{whole_seconds(past.estimate.median_s)}")
    # That a short command always succeeds is what everybody expects.
    usual = past.usual
    if usual.runs >= MIN_RUNS_FOR_RATE and (facts or usual.success_rate < 1.0):
        facts.append(f"{percent(usual.success_rate)} of {usual.runs}")
    return " · ".join(facts) or None


def lens(past: CommandHistory) -> str:
    """`median 12.0s · 3 fails in a row`: what to know before the next run; `""` if nothing."""
    facts = []
    if past.estimate is not None and past.estimate.median_s >= MIN_SHOWN_S:
        facts.append(f"median {seconds(past.estimate.median_s)}")
    if past.streak <= -MIN_FAILED_STREAK:
        facts.append(f"{-past.streak} fails in a row")
    return " · ".join(facts)
