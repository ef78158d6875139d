"""Where a pipeline stands: who looks at its status, in what it runs, and which options hold there."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from .syntax import Pipeline, SubstitutionKind


class StatusCheck(StrEnum):
    """Who looks at a pipeline's status, so that `errexit` does not act on it.

    What is said of a list holds for everything that runs within it, function
    bodies called from there excepted. MASKED: it runs in a segment whose status
    a later one hides.
    """

    NONE = "none"
    CONDITION = "condition"
    NEGATED = "negated"
    AND = "and"
    OR = "or"
    MASKED = "masked"


class Setting(StrEnum):
    """Whether an option holds. MAYBE: it depends on what ran before, or on who calls."""

    OFF = "off"
    ON = "on"
    MAYBE = "maybe"


class Context(NamedTuple):
    """Where a pipeline stands.

    `function` is the name of the function around it, `"()"` for an anonymous
    one, None outside. `substitution` is the innermost one around it within that
    function. `subshell`: what it changes is lost. `background`: nobody waits.
    """

    checked: StatusCheck = StatusCheck.NONE
    function: str | None = None
    substitution: SubstitutionKind | None = None
    subshell: bool = False
    background: bool = False
    errexit: Setting = Setting.OFF
    pipefail: Setting = Setting.OFF


class PlacedPipeline(NamedTuple):
    """A pipeline with its context; `siblings[position]` is the pipeline itself, in its own list."""

    pipeline: Pipeline
    context: Context
    siblings: tuple[Pipeline, ...]
    position: int
