"""Clocks, which tests replace."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """The source of time; the layers below the frontends never ask the system themselves."""

    def now(self) -> float:
        """Unix time in seconds."""
        ...

    def monotonic(self) -> float:
        """Seconds that only grow, for durations."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        """Unix time in seconds."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that only grow, for durations."""
        return time.monotonic()
