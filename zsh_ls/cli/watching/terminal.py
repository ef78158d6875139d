"""The terminal of a full-screen view, restored whenever the view does not use it.

Ctrl-C and Ctrl-Z still send signals. Only changed lines are drawn, each frame in
one write, so that nothing flickers.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import termios
import tty
from collections.abc import Sequence

# Alternate screen, no cursor, no wrapping of long lines; and back.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
# Synchronized output: terminals that support it show a complete frame at once, others ignore it.
_FRAME, _END_OF_FRAME = "\x1b[?2026h", "\x1b[?2026l"
_IFLAG = 0


class Terminal:
    """A terminal by its two descriptors, one for keys and one for frames."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self._outgoing = outgoing
        self._before: list[object] | None = None
        self._shown: list[str] = []
        self._size = (0, 0)

    @property
    def is_ours(self) -> bool:
        """Whether the view uses it."""
        return self._before is not None

    @property
    def is_in_front(self) -> bool:
        """Whether this process is in the foreground and may use it."""
        try:
            return os.tcgetpgrp(self.incoming) == os.getpgrp()
        except OSError:
            return False

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and rows."""
        try:
            return tuple(os.get_terminal_size(self._outgoing))  # type: ignore[return-value]
        except OSError:
            return tuple(shutil.get_terminal_size())  # type: ignore[return-value]

    def take(self) -> None:
        """Set it up for the view."""
        if self.is_ours:
            return
        self._before = termios.tcgetattr(self.incoming)
        tty.setcbreak(self.incoming, termios.TCSANOW)
        changed = termios.tcgetattr(self.incoming)
        changed[_IFLAG] &= ~termios.IXON  # Ctrl-S would block the output that restores the terminal
        termios.tcsetattr(self.incoming, termios.TCSANOW, changed)
        self._shown = []
        self._write(_ENTER)

    def give_back(self) -> None:
        """Restore it, if the view uses it and it has not been closed."""
        if self._before is None:
            return
        before, self._before = self._before, None
        with contextlib.suppress(OSError, termios.error):
            self._write(_LEAVE)
            termios.tcsetattr(self.incoming, termios.TCSADRAIN, before)  # type: ignore[arg-type]

    def draw(self, lines: Sequence[str]) -> None:
        """Show `lines`, none wider than the terminal, from the top; only changed ones are sent."""
        if self.size != self._size:
            self._size, self._shown = self.size, []
            changed = ["\x1b[2J"]
        else:
            changed = []
        rows = [*lines[: self._size[1]], *[""] * (self._size[1] - len(lines))]
        shown = [*self._shown, *[""] * (len(rows) - len(self._shown))]
        changed += [
            f"\x1b[{number};1H{line}\x1b[0m\x1b[K"
            for number, (line, before) in enumerate(zip(rows, shown, strict=False), 1)
            if line != before
        ]
        self._shown = rows
        if changed:
            self._write(f"{_FRAME}{''.join(changed)}{_END_OF_FRAME}")

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._outgoing, data) :]
