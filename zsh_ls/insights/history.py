"""What memory says of a line nobody is running: its warnings, and its numbers as a hint (DOC-4).

Infos never stand on a line by history alone, and a line about which there is
nothing worth knowing has no hint.
"""

from __future__ import annotations

import attrs

from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level

from .numbers import percent, seconds, whole_seconds
from .registry import RuleKind, rules_of

WORTH_WAITING_FOR_S = 1.0
RUNS_OF_A_RATE = 3
FAILS_OF_A_STREAK = 2


def on_history(past: CommandHistory, span: Span) -> list[Insight]:
    """The warnings of history about the command that stands at `span` of a script."""
    return [
        attrs.evolve(said, span=span)
        for rule in rules_of(RuleKind.BEFORE_RUN)
        if rule.on_lines
        for said in rule.insights(past)
        if said.level is Level.WARNING
    ]


def hint(past: CommandHistory) -> str | None:
    """`~47s · 92% of 12`: the usual duration from a second up, and how often it succeeds."""
    facts = [fact for fact in (_duration(past), _success(past)) if fact]
    return " · ".join(facts) or None


def lens(past: CommandHistory) -> str:
    """`median 12.0s · 3 fails in a row`: what to know before running it once more; often nothing."""
    facts = []
    if past.estimate is not None and past.estimate.median_s >= WORTH_WAITING_FOR_S:
        facts.append(f"median {seconds(past.estimate.median_s)}")
    if past.streak <= -FAILS_OF_A_STREAK:
        facts.append(f"{-past.streak} fails in a row")
    return " · ".join(facts)


def _duration(past: CommandHistory) -> str | None:
    if past.estimate is None or past.estimate.median_s < WORTH_WAITING_FOR_S:
        return None
    return f"~{whole_seconds(past.estimate.median_s)}"


def _success(past: CommandHistory) -> str | None:
    if past.runs < RUNS_OF_A_RATE:
        return None
    always = past.success_rate >= 1.0
    return (
        None
        if always and _duration(past) is None
        else f"{percent(past.success_rate)} of {past.runs}"
    )
