"""The list of `zsh-ls history`: each key searches anew, Enter gives the line, nothing is run."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key, Paste, Resize
from textual.widgets import Static

from zsh_ls.cli.watching.driver import LenientDriver
from zsh_ls.model.recall import HistoryLine
from zsh_ls.model.words import Outcome
from zsh_ls.sidecar.history import History, Search
from zsh_ls.system.exiting import PATIENCE_S, leave_within

from .screen_row import screen_row

MOST_FOUND = 200
TERMINAL_EVERY_S = 0.5
# A search that takes longer than a key may goes on in steps, with time for keys between them.
FIRST_SEARCH_S, NEXT_SEARCH_S, BETWEEN_SEARCHES_S = 0.01, 0.01, 0.002
ENTER = ("enter", "ctrl+j")
BACKSPACE = ("backspace", "ctrl+h")
UP, DOWN = ("up", "ctrl+p"), ("down", "ctrl+n", "ctrl+r")
LEAVE = ("escape", "ctrl+g", "ctrl+d")
KEYS = "Enter takes the line · Tab this project or all · Escape leaves · nothing is run"


def pick(history: History, query: str) -> str | None:
    """The line that the person chose, None where they chose none."""
    # Where they are exported textual takes them for the size, whatever the terminal's is by now.
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    # What reads the lines meanwhile gives way within a millisecond.
    sys.setswitchinterval(0.001)
    picker = Picker(history, query)
    with _drawing_on_the_terminal():
        # The mouse stays the terminal's, to select text.
        return picker.run(mouse=False)


@contextlib.contextmanager
def _drawing_on_the_terminal() -> Iterator[None]:
    """Let standard output and error both be the terminal: textual draws on one, and measures the other."""
    terminal = 1 if os.isatty(1) else 2
    saved = [(number, os.dup(number)) for number in (1, 2)]
    for number, _ in saved:
        os.dup2(terminal, number)
    try:
        yield
    finally:
        for number, copy in saved:
            os.dup2(copy, number)
            os.close(copy)


class Picker(App[str | None], inherit_bindings=False):
    """The list; its result is the chosen line."""

    CSS = """
    Static { width: 100%; text-wrap: nowrap; text-overflow: ellipsis; }
    #head, #foot { height: 1; }
    #body { height: 1fr; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "leave", priority=True)]

    def __init__(self, history: History, query: str) -> None:
        super().__init__(driver_class=LenientDriver, ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours, on its own background
        self._history = history
        self._query = query
        self._here = history.only_here
        self._found: list[HistoryLine] = []
        self._at = 0
        self._top = 0
        self._loaded = 0
        self._is_whole = False
        self._search_now: Search | None = None

    def compose(self) -> ComposeResult:
        """From top to bottom: what is searched for, the lines, the keys."""
        yield Static(id="head")
        yield Static(id="body")
        yield Static(id="foot")

    def on_mount(self) -> None:
        """Show the newest lines at once, and read the others meanwhile."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self._hang_up)
        self.set_interval(TERMINAL_EVERY_S, self._look_for_terminal)
        self._found = self._history.newest(self._query.split(), self.size.height or 50)
        self._draw()
        self._history.load(lambda loaded: self.call_from_thread(self._more, loaded))

    def _more(self, loaded: int) -> None:
        self._is_whole = loaded < 0
        self._loaded = max(self._loaded, loaded)
        chosen = self._found[self._at].command if self._at and self._found else None
        self._search()
        self._at = next((at for at, it in enumerate(self._found) if it.command == chosen), 0)
        self._draw()

    def on_resize(self, _: Resize) -> None:
        """Draw for the new size."""
        self._draw()

    def on_key(self, event: Key) -> None:
        """Handle a key; every other one is a part of the line that is looked for."""
        key = event.key
        if key in LEAVE:
            self.exit(None)
        elif key in ENTER:
            if self._found:
                self.exit(self._found[self._at].command)
        elif key in UP:
            self._at -= 1
        elif key in DOWN:
            self._at += 1
        elif key in ("pageup", "pagedown"):
            self._at += self._room if key == "pagedown" else -self._room
        elif key == "tab":
            self._here = not self._here
            self._search()
        elif key in BACKSPACE:
            self._type(self._query[:-1])
        elif key == "ctrl+u":
            self._type("")
        elif key == "ctrl+w":
            self._type(" ".join(self._query.split()[:-1]))
        elif event.is_printable and event.character is not None:
            self._type(self._query + event.character)
        event.stop()
        self._at = min(max(0, self._at), max(0, len(self._found) - 1))
        self._draw()

    def on_paste(self, event: Paste) -> None:
        """Look for the first line that is pasted."""
        self._type(self._query + "".join(event.text.splitlines()[:1]))
        self._draw()

    def action_leave(self) -> None:
        """End without a line."""
        self.exit(None)

    def _look_for_terminal(self) -> None:
        # Closed, and no SIGHUP has come: a shell that waits for the line took it.
        if not os.isatty(0):
            self._hang_up()

    def _hang_up(self) -> None:
        # Writing to a terminal that is closed may block for good.
        leave_within(PATIENCE_S, 128 + signal.SIGHUP)
        self.exit(None)

    def _type(self, query: str) -> None:
        self._query = query
        self._search()

    def _search(self) -> None:
        self._search_now = self._history.search(self._query.split(), MOST_FOUND)
        self._at = self._top = 0
        self._search_on(FIRST_SEARCH_S)

    def _search_on(self, patience_s: float) -> None:
        """Show what is found within that time; what takes longer goes on between keys."""
        search = self._search_now
        if search is None:
            return
        search.go_on(patience_s)
        self._found = [
            line for line in search.lines if not self._here or line.project == self._history.project
        ]
        if not search.is_over:
            self.set_timer(BETWEEN_SEARCHES_S, partial(self._go_on_with, search))

    def _go_on_with(self, search: Search) -> None:
        if search is self._search_now:
            self._search_on(NEXT_SEARCH_S)
            self._draw()

    @property
    def _room(self) -> int:
        return max(1, self.size.height - 2)

    def _draw(self) -> None:
        now, width, room = time.time(), self.size.width, self._room
        self._top = min(max(self._top, self._at - room + 1), self._at)
        shown = Text(no_wrap=True)
        for at in range(self._top, min(self._top + room, len(self._found))):
            line = self._found[at]
            failed = line.outcome not in (None, Outcome.SUCCESS)
            style = "reverse" if at == self._at else "red" if failed else ""
            shown.append(screen_row(line, now, width - 1), style)
            shown.append("\n")
        if not self._found:
            shown.append("nothing that was run holds this", "dim")
        is_searching = self._search_now is not None and not self._search_now.is_over
        where = "this project" if self._here else "here first"
        reading = " · searching" if is_searching else "" if self._is_whole else " · still reading"
        count = f"{len(self._found)}{'+' if len(self._found) == MOST_FOUND else ''}"
        head = Text(f"> {self._query}▏", no_wrap=True)
        head.append(f"  {count} · {where}{reading}", "dim")
        for name, text in (("head", head), ("body", shown), ("foot", Text(KEYS, "dim"))):
            # The parts keep their places: nothing is to be laid out anew at a key.
            self.query_one(f"#{name}", Static).update(text, layout=False)
