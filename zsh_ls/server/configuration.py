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
        self.came(options.get(SECTION, options))
        self._first = self.settings

    def came(self, given: object) -> None:
        """The client gave its settings whole; what it does not name is as it was at the start."""
        if given is None:
            self.settings = self._first
        elif isinstance(given, Mapping):
            self._take(given)
        else:
            self.say(f"zsh-ls: settings: expected an object, got {given!r}")

    def say(self, problem: str) -> None:
        """Warn of something wrong, the first time."""
        if problem not in self._said:
            self._said.add(problem)
            self._warn(problem)

    def _take(self, given: Mapping[str, Any]) -> None:
        settings, problems = _changed(self._first, given)
        if problems:
            settings, problems = _changed(self.settings, given)
        self.settings = settings
        for problem in problems:
            self.say(f"zsh-ls: {problem}")


def _changed(settings: Settings, given: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """`settings` with those given; the paths among them only from a workspace that is trusted."""
    found, problems = changed(settings, given)
    if found.trusted:
        return found, problems
    return changed(settings, {name: value for name, value in given.items() if name not in PATHS})
