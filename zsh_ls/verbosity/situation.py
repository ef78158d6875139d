"""All that decides which lines are shown."""

from __future__ import annotations

import attrs

from .lines import Lines
from .operation import CommandLine
from .outcome import Outcome
from .recorded import Recorded


@attrs.frozen
class Situation:
    """An execution with what was found out about it."""

    recorded: Recorded
    line: CommandLine
    operation: str
    outcome: Outcome
    lines: Lines

    @property
    def total(self) -> int:
        """How many lines there are to show."""
        return len(self.lines)
