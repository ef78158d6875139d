"""Numbers in messages, and colours of the program's own text (ALAN-12).

Seconds have one decimal or are whole, rates are whole percent. A command's output is
never coloured.
"""

from __future__ import annotations

from enum import Enum

from zsh_ls.model.words import Level, Status

SIGNALS = range(1, 65)


class Colour(Enum):
    """SGR codes."""

    DIM = 2
    RED = 31
    GREEN = 32
    YELLOW = 33
    CYAN = 36


STATUS = {
    Status.RUNNING: Colour.CYAN,
    Status.TIMEOUT: Colour.YELLOW,
    Status.KILLED: Colour.RED,
    Status.ERROR: Colour.RED,
}
LEVEL = {Level.WARNING: Colour.YELLOW, Level.INFO: Colour.DIM}


def paint(text: str, tint: Colour, colour: bool) -> str:
    """`text` in its tint if there is `colour`, else unchanged."""
    return f"\x1b[{tint.value}m{text}\x1b[0m" if colour else text


def of_exit(code: int) -> Colour:
    """Green for success, yellow for a lost connection (255) or a signal (128+N), red for the rest."""
    if code == 0:
        return Colour.GREEN
    return Colour.YELLOW if code == 255 or code - 128 in SIGNALS else Colour.RED


def of_status(status: Status, exit_status: int | None) -> Colour:
    """The colour of a status word; that of a completed task depends on how it ended."""
    if status is Status.COMPLETED:
        return Colour.RED if exit_status else Colour.GREEN
    return STATUS[status]


def seconds(duration_s: float) -> str:
    """`47.0s`."""
    return f"{duration_s:.1f}s"


def whole_seconds(duration_s: float) -> str:
    """`47s`."""
    return f"{duration_s:.0f}s"


def percent(rate: float) -> str:
    """`92%`."""
    return f"{rate:.0%}"
