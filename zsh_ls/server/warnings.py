"""What this program warns of while it runs, for the person at the editor: stderr is read by nobody.

A record of level WARNING is made for them: the database that cannot be written, the socket that
cannot be had. What is worse is a mistake of this program and stands in the log with its traceback.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

OURS = "zsh_ls"


class Warnings(logging.Handler):
    """Hands the warnings of every thread to `say`, on the event loop; until `begin` they wait."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self.addFilter(lambda record: record.levelno == logging.WARNING)

    def attach(self) -> None:
        """Listen from now on; the log goes to stderr as before."""
        logger = logging.getLogger(OURS)
        logger.addHandler(self)
        logger.addHandler(logging.StreamHandler())

    def begin(self) -> None:
        """The client listens: tell it what came until now, and what comes."""
        self.acquire()
        self._loop = asyncio.get_running_loop()
        waiting, self._waiting = self._waiting, []
        self.release()
        for warning in waiting:
            self._say(warning)

    def emit(self, record: logging.LogRecord) -> None:
        """Called in the thread that warns, under the handler's lock."""
        warning = f"zsh-ls: {record.getMessage()}"
        if self._loop is None:
            self._waiting.append(warning)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._say, warning)
