"""Decodes the bytes of a terminal into keys."""

from __future__ import annotations

import codecs
import re

UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END = "up", "down", "page up", "page down", "home", "end"
ENTER, ESCAPE, BACKSPACE, END_OF_FILE = "enter", "escape", "backspace", "end of file"

# By the final character of a control sequence, or by its parameters if that is `~`.
_SEQUENCES = {
    "A": UP,
    "B": DOWN,
    "H": HOME,
    "F": END,
    "5~": PAGE_UP,
    "6~": PAGE_DOWN,
    "1~": HOME,
    "4~": END,
}
_SIGNS = {
    "\r": ENTER,
    "\n": ENTER,
    "\x1b": ESCAPE,
    "\x7f": BACKSPACE,
    "\b": BACKSPACE,
    "\x04": END_OF_FILE,
}
_PRESSED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])|.", re.DOTALL)


class Keys:
    """Decodes bytes into keys: names of `_SEQUENCES`, or the typed character."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def of(self, data: bytes) -> list[str]:
        """The keys in `data`; unknown sequences are ignored."""
        found = [_key(pressed[0]) for pressed in _PRESSED.finditer(self._decoder.decode(data))]
        return [key for key in found if key]


def _key(pressed: str) -> str:
    if len(pressed) > 1:
        tail = pressed[2:] if pressed.endswith("~") else pressed[-1]
        return _SEQUENCES.get(tail, "")
    if pressed in _SIGNS:
        return _SIGNS[pressed]
    return pressed if pressed.isprintable() else ""
