"""Settings as the client gives them: at `initialize`, when asked for, and whenever they change.

A wrong value keeps the one in force and is said once, however often it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zsh_ls.sidecar.options import Settings, changed

SECTION = "zshLs"
# Where a workspace's own files could send us elsewhere: not taken from one that is not trusted.
PATHS = ("database", "shell")


class Configuration:
    """The settings in force, and what has been said about wrong ones."""

    def __init__(self, settings: Settings, warn: Callable[[str], None]) -> None:
        self._first = settings
        self.settings = settings
        self._warn = warn
        self._said: set[str] = set()

    def started_with(self, options: Mapping[str, Any]) -> None:
        """The client gave `initializationOptions`; later settings go on from them."""
        given = options.get(SECTION, options)
        self._take(given)
        self._first = self.settings

    def came(self, given: object) -> None:
        """The client gave its settings whole; what it does not name is as it was at the start."""
        self.settings = self._first
        self._take(given)

    def say(self, problem: str) -> None:
        """Warn of something wrong with the settings, the first time."""
        if problem not in self._said:
            self._said.add(problem)
            self._warn(problem)

    def _take(self, given: object) -> None:
        if given is None:
            return
        if not isinstance(given, Mapping):
            self.say(f"zsh-ls: settings: expected an object, got {given!r}")
            return
        settings, problems = changed(self.settings, given)
        if not settings.trusted:
            allowed = {name: value for name, value in given.items() if name not in PATHS}
            settings, problems = changed(self.settings, allowed)
        self.settings = settings
        for problem in problems:
            self.say(f"zsh-ls: {problem}")
