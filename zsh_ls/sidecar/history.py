"""What was run, for `zsh-ls history`: read beside whatever else uses the file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from zsh_ls.alan.store.database import open_reader
from zsh_ls.alan.store.lines import LineIndex, Search, newest_lines
from zsh_ls.model.recall import HistoryLine
from zsh_ls.system.projects import scope_of

from .config import Settings
from .memory import opened, path_of

STEP_LINES = 50_000
# Between chunks the thread that draws gets its turn at once, and after a key it has some time for itself.
BREATH_S = 0.001
QUIET_AFTER_KEY_S = 0.06


class History:
    """The lines of a user's memory, those of the project of `folder` first."""

    def __init__(self, settings: Settings, folder: str, *, only_here: bool) -> None:
        # What terminals have written down until now is a part of it.
        with opened(settings):
            pass
        self._path = Path(path_of(settings))
        self._connection = open_reader(self._path)
        self.project = scope_of(folder)
        self.only_here = only_here
        self.index = LineIndex(self.project, only_here)
        self._quiet_until_s = 0.0

    def newest(self, words: Sequence[str], limit: int) -> list[HistoryLine]:
        """The newest lines that hold all words."""
        return newest_lines(
            self._connection,
            words,
            project=self.project,
            only_here=self.only_here,
            limit=limit,
        )

    def load(self, when_more: Callable[[int], None]) -> threading.Thread:
        """Fill the index on a thread; `when_more` is told there how many lines it has, now and then."""

        def work() -> None:
            connection = open_reader(self._path)
            told = 0
            for loaded in self.index.load(connection):
                time.sleep(max(BREATH_S, self._quiet_until_s - time.monotonic()))
                if not told or loaded >= told + STEP_LINES:
                    told = loaded
                    when_more(loaded)
            when_more(-1)
            connection.close()

        thread = threading.Thread(target=work, name="history", daemon=True)
        thread.start()
        return thread

    def search(self, words: Sequence[str], limit: int) -> Search:
        """A search of what is loaded for the first lines that hold all words; reading rests for it."""
        self._quiet_until_s = time.monotonic() + QUIET_AFTER_KEY_S
        return Search(self._connection, self.index, words, limit)


__all__ = ["History", "Search"]
