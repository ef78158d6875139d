"""What `zsh-ls run` says of a run, whether it ran here or in a server."""

from __future__ import annotations

import contextlib
import sys

from zsh_ls.insights.display import insight_lines_of, status_line
from zsh_ls.model.words import Status

from .screen import columns, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.insights.display import Result

QUIET_START_S = 2.0
_EXITS = {Status.TIMEOUT: 124, Status.KILLED: 137, Status.ERROR: 126}


def exit_of(result: Result) -> int:
    """The exit status for this process: that of the command, if it has one."""
    return result.exit if result.exit is not None else _EXITS.get(result.status, 1)


def tell(result: Result, *, after_open_line: bool) -> None:
    """Print the status line and the insights, on standard error."""
    colour = wants_colour(sys.stderr)
    error = [f"[error] {result.error}"] if result.error else []
    lines = [*error, status_line(result, colour=colour)]
    lines += insight_lines_of(result.insights or {}, colour=colour)
    text = "\n".join(lines)
    with contextlib.suppress(OSError):  # nobody reads it, and the command is over
        print(f"\n{text}" if after_open_line else text, file=sys.stderr, flush=True)


class SlowLine:
    """One line on a terminal's standard error while a command is slow."""

    def __init__(self) -> None:
        self._is_shown = False

    def show(self, elapsed_s: float, usual_s: float | None, output: str) -> None:
        """Show how long it has taken, and the last line it printed; nothing within the first seconds."""
        if elapsed_s < QUIET_START_S or not wants_colour(sys.stderr):
            return
        usual = f" · usually ~{usual_s:.0f}s" if usual_s is not None else ""
        last = output.rstrip("\n").rpartition("\n")[2]
        cut = f"{elapsed_s:.0f}s{usual}  {last}"[: columns(sys.stderr) - 1]
        print(f"\r\x1b[K\x1b[2m{cut}\x1b[0m", end="", file=sys.stderr, flush=True)
        self._is_shown = True

    def erase(self) -> None:
        """Erase the line."""
        if self._is_shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
