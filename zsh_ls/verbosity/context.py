"""The input of the views that choose lines."""

from __future__ import annotations

import attrs

from .lines import RenderedLines
from .operation import CommandLine
from .outcome import JudgedOutcome
from .values import ResolverInput


@attrs.frozen
class RenderContext:
    """A recorded execution with its operation, outcome and rendered lines."""

    recorded: ResolverInput
    line: CommandLine
    operation: str
    outcome: JudgedOutcome
    lines: RenderedLines

    @property
    def total(self) -> int:
        """How many lines there are to show."""
        return len(self.lines)
