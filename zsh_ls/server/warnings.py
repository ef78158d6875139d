"""Shows logged warnings in the editor, where nobody reads stderr.

A record of level WARNING is meant for the user, such as a database that cannot be written or a socket
that cannot be opened. Records of higher levels are bugs, and only go to the log with their traceback.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

OURS = "zsh_ls"


class Warnings(logging.Handler):
    """Passes warnings of all threads to `say`, on the event loop; until `begin` they are kept."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self.addFilter(lambda record: record.levelno == logging.WARNING)

    def attach(self) -> None:
        """Start to receive log records; they go to stderr as before."""
        logger = logging.getLogger(OURS)
        logger.addHandler(self)
        logger.addHandler(logging.StreamHandler())

    def begin(self) -> None:
        """Show the warnings so far, and from now on each one at once."""
        self.acquire()
        self._loop = asyncio.get_running_loop()
        waiting, self._waiting = self._waiting, []
        self.release()
        for warning in waiting:
            self._say(warning)

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a warning on; called in the thread that logs it, with the handler's lock held."""
        warning = f"zsh-ls: {record.getMessage()}"
        if self._loop is None:
            self._waiting.append(warning)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._say, warning)
