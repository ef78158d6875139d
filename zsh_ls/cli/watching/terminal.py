"""The terminal while a full-screen view has it, and as it was before whenever the view has not.

Signals stay with the person: Ctrl-C and Ctrl-Z are signals still. What is
drawn goes out by changed lines, each frame at once, so that nothing flickers.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import termios
import tty
from collections.abc import Sequence

# The other screen, no cursor, no wrapping of long lines; and back.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
# Terminals that know it show a frame only when it is whole; others ignore it.
_FRAME, _END_OF_FRAME = "\x1b[?2026h", "\x1b[?2026l"
_IFLAG = 0


class Terminal:
    """A terminal by its two descriptors: keys come from one, frames go to the other."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming = incoming
        self._outgoing = outgoing
        self._before: list[object] | None = None
        self._shown: list[str] = []
        self._size = (0, 0)

    @property
    def is_ours(self) -> bool:
        """Whether the view has it."""
        return self._before is not None

    @property
    def is_in_front(self) -> bool:
        """Whether this process may use it: it is no background job."""
        try:
            return os.tcgetpgrp(self.incoming) == os.getpgrp()
        except OSError:
            return False

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows now."""
        try:
            return tuple(os.get_terminal_size(self._outgoing))  # type: ignore[return-value]
        except OSError:
            return tuple(shutil.get_terminal_size())  # type: ignore[return-value]

    def take(self) -> None:
        """Have it for the view."""
        if self.is_ours:
            return
        self._before = termios.tcgetattr(self.incoming)
        tty.setcbreak(self.incoming, termios.TCSANOW)
        changed = termios.tcgetattr(self.incoming)
        changed[_IFLAG] &= ~termios.IXON  # Ctrl-S must not hold up what restores the terminal
        termios.tcsetattr(self.incoming, termios.TCSANOW, changed)
        self._shown = []
        self._write(_ENTER)

    def give_back(self) -> None:
        """Leave it as it was; nothing where the view has it not, or the terminal has gone."""
        if self._before is None:
            return
        before, self._before = self._before, None
        with contextlib.suppress(OSError, termios.error):
            self._write(_LEAVE)
            termios.tcsetattr(self.incoming, termios.TCSADRAIN, before)  # type: ignore[arg-type]

    def draw(self, lines: Sequence[str]) -> None:
        """Show `lines`, of which each fits the width, from the top; only what has changed is sent."""
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
