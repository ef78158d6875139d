"""What memory says on the lines of a script (DOC-4): warnings as insights, numbers as hints.

Infos are never said by history alone, and where there is nothing to say nothing stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs

from zsh_ls.insights.numbers import percent, whole_seconds
from zsh_ls.insights.registry import Kind, rules_of
from zsh_ls.insights.suppression import without_ignored
from zsh_ls.model.context import PlacedPipeline
from zsh_ls.model.insight import Insight
from zsh_ls.model.past import Past
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Script, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.context import contexts

# Fewer successes than these, and quick ones, tell a reader nothing.
ENOUGH_RUNS = 3
WORTH_SAYING_S = 1.0


class Line(NamedTuple):
    """A command of a script that memory may know, and where it stands."""

    span: Span
    command: str


class Hint(NamedTuple):
    """Numbers to show behind a command: `~47s · 92% of 12`."""

    span: Span
    text: str


def commands_of(script: Script) -> list[Line]:
    """What to look up: every pipeline of simple commands, and every list of several, in order.

    A list stands before its parts.
    """
    found: list[Line] = []
    for placed in contexts(script):
        if _runs_something(placed.pipeline):
            found.append(_line(script, placed.pipeline.span))
        joined = _list_from(placed.siblings[placed.position :])
        if len(joined) > 1 and not _is_joined_to_the_one_before(placed):
            found.append(_line(script, Span(joined[0].span.start, joined[-1].span.end)))
    return sorted(found, key=lambda line: (line.span.start, -line.span.end))


def _list_from(pipelines: Sequence[Pipeline]) -> Sequence[Pipeline]:
    """Those at the beginning that `&&` and `||` join."""
    for index, pipeline in enumerate(pipelines):
        if pipeline.connector is Connector.NONE:
            return pipelines[: index + 1]
    return pipelines


def _is_joined_to_the_one_before(placed: PlacedPipeline) -> bool:
    before = placed.siblings[: placed.position]
    return bool(before) and before[-1].connector is not Connector.NONE


def _runs_something(pipeline: Pipeline) -> bool:
    return all(one.kind is SegmentKind.SIMPLE and one.words for one in pipeline.segments)


def _line(script: Script, span: Span) -> Line:
    return Line(span, script.source(span))


def on_history(
    lines: Sequence[Line], pasts: Sequence[Past | None], script: Script | None = None
) -> tuple[list[Insight], list[Hint]]:
    """Warnings and hints for `lines`, of which memory knows `pasts`, in the order of the text.

    What is known of a list stands for its parts. With `script`, its
    `# zsh-ls: ignore=…` comments silence warnings.
    """
    warnings: list[Insight] = []
    hints: list[Hint] = []
    told = Span(0, 0)
    for line, past in zip(lines, pasts, strict=True):
        if past is None or line.span.end <= told.end:
            continue
        warnings += _warnings(past, line.span)
        text = numbers(past)
        if text:
            hints.append(Hint(line.span, text))
            told = line.span
    return warnings if script is None else without_ignored(script, warnings), hints


def _warnings(past: Past, span: Span) -> list[Insight]:
    return [
        attrs.evolve(said, span=span)
        for rule in rules_of(Kind.BEFORE_RUN)
        if rule.on_lines
        for said in rule.insights(past)
        if said.level is Level.WARNING
    ]


def numbers(past: Past) -> str:
    """`~47s · 92% of 12`: the median where there is an estimate, else the mean; `""` for nothing."""
    duration_s = past.estimate.median_s if past.estimate else past.mean_duration_s
    parts = [f"~{whole_seconds(duration_s)}"] if duration_s >= WORTH_SAYING_S else []
    known = past.runs >= ENOUGH_RUNS or past.success_rate < 1
    if past.runs and (known or parts):
        parts.append(f"{percent(past.success_rate)} of {past.runs}")
    return " · ".join(parts)
