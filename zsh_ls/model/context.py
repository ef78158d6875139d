"""The context of a pipeline: where its status is checked, what it runs in, and which options are set."""

from __future__ import annotations

from enum import StrEnum

from zsh_ls.lazy.typing import NamedTuple

from .syntax import Pipeline, SubstitutionKind


class StatusCheck(StrEnum):
    """Where a pipeline's status is checked, so that `errexit` ignores it.

    The check of a list applies to everything in it, except to the bodies of functions
    that it calls. MASKED means that a later segment's status hides it.
    """

    NONE = "none"
    CONDITION = "condition"
    NEGATED = "negated"
    AND = "and"
    OR = "or"
    MASKED = "masked"


class Setting(StrEnum):
    """Whether an option is set. MAYBE: it depends on branches or callers."""

    OFF = "off"
    ON = "on"
    MAYBE = "maybe"


class Context(NamedTuple):
    """The context of a pipeline.

    `function` is the name of the function around it, `"()"` for an anonymous
    one, None outside. `substitution` is the innermost one around it within that
    function. `subshell` means that its changes are lost, `background` that the script
    does not wait for it.
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
