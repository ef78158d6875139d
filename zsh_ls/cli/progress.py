"""A line on standard error that says how far a command is, while it works."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .screen import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading

# A command that is done sooner says nothing; later ones say it within the first second.
FIRST_AFTER_S = 0.5
AGAIN_AFTER_S = 0.2
ERASE = "\r\x1b[K"


class ProgressLine:
    """Shows `text` on standard error until the end of its context; nothing where that is no terminal.

    It is drawn by a thread of its own: what the command does may take long at a time.
    """

    def __init__(self) -> None:
        self.text = ""
        self._shown = ""
        self._drawing = allocate_lock()
        self._ended: threading.Event | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> ProgressLine:
        """Begin to draw."""
        if sys.stderr.isatty():
            import threading  # a check that finds all results again does without, where nobody looks on

            self._ended = threading.Event()
            wait = self._ended.wait
            self._thread = threading.Thread(
                target=self._draw_until_the_end, args=(wait,), daemon=True
            )
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Erase the line."""
        if self._ended is not None and self._thread is not None:
            self._ended.set()
            self._thread.join()
        self._draw("")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """In this context the line is not there, so that something else can be printed."""
        with self._drawing:
            self._show("")
            yield

    def _draw_until_the_end(self, is_ended_within: Callable[[float], bool]) -> None:
        wait_s = FIRST_AFTER_S
        while not is_ended_within(wait_s):
            self._draw(self.text)
            wait_s = AGAIN_AFTER_S

    def _draw(self, text: str) -> None:
        with self._drawing:
            self._show(text)

    def _show(self, text: str) -> None:
        # Of a line that goes on in the next one only the end would be erased.
        text = text[: columns(sys.stderr) - 1]
        if text != self._shown:
            sys.stderr.write(ERASE + text)
            sys.stderr.flush()
            self._shown = text
