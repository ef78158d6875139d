"""All that decides which lines are shown."""

from __future__ import annotations

import attrs

from .lines import RenderedLines
from .operation import CommandLine
from .outcome import JudgedOutcome
from .values import ResolverInput


@attrs.frozen
class RenderContext:
    """An execution with what was found out about it."""

    recorded: ResolverInput
    line: CommandLine
    operation: str
    outcome: JudgedOutcome
    lines: RenderedLines

    @property
    def total(self) -> int:
        """How many lines there are to show."""
        return len(self.lines)
