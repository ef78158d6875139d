"""The client's settings: given with `initialize`, on request, and whenever they change.

For a wrong value the previous one stays in force, and a warning is shown once. Trust is special: in
`initialize` any value but `true` means no trust, and later only `true` or `false` changes it, so that
a missing, invalid or late value cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from zsh_ls.sidecar.config import Settings, changed

from .client import SECTION, TRUSTED, trust_values

# Settings that could point to files of the workspace: ignored in one that is not trusted.
PATHS = ("database", "shell")


class Configuration:
    """The settings in force, and the warnings that have been shown."""

    def __init__(self, settings: Settings, warn: Callable[[str], None]) -> None:
        self._own = settings
        self._first = settings
        self.settings = settings
        self._warn = warn
        self._warned: set[str] = set()

    def started_with(self, options: Mapping[str, Any]) -> None:
        """Take `initializationOptions`, which are the defaults of later settings."""
        given = options.get(SECTION, options)
        trust = trust_values(options)
        for value in trust:
            if not isinstance(value, bool):
                self.say(f"{_WRONG_TRUST}, got {value!r}; the workspace is not trusted")
        if trust:
            is_trusted = all(value is True for value in trust)
            self.settings = attrs.evolve(self.settings, trusted=is_trusted)
        if isinstance(given, Mapping):
            given = {name: value for name, value in given.items() if name != TRUSTED}
        self.came(given)
        self._first = self.settings

    def came(self, given: object) -> None:
        """Take all settings of the client; those it does not name are as at the start.

        Only trust stays as it was before, if it is not named.
        """
        if given is None:
            self.settings = self._from(self._first, self.settings.trusted)
        elif isinstance(given, Mapping):
            self._take(given)
        else:
            self.say(f"zsh-ls: settings: expected an object, got {given!r}")

    def say(self, problem: str) -> None:
        """Show a warning, the first time."""
        if problem not in self._warned:
            self._warned.add(problem)
            self._warn(problem)

    def _take(self, given: Mapping[str, Any]) -> None:
        is_trusted, trust = self.settings.trusted, given.get(TRUSTED)
        if isinstance(trust, bool):
            is_trusted = trust
        elif trust is not None:
            self.say(f"{_WRONG_TRUST}, got {trust!r}; the value before stays in force")
        left_out = {TRUSTED} if is_trusted else {TRUSTED, *PATHS}
        given = {name: value for name, value in given.items() if name not in left_out}
        settings, problems = changed(self._from(self._first, is_trusted), given)
        if problems:
            settings, problems = changed(self._from(self.settings, is_trusted), given)
        self.settings = settings
        for problem in problems:
            self.say(f"zsh-ls: {problem}")

    def _from(self, settings: Settings, is_trusted: bool) -> Settings:
        """`settings` as defaults; without trust the paths are those of the environment."""
        if is_trusted:
            return attrs.evolve(settings, trusted=True)
        own = self._own
        return attrs.evolve(settings, trusted=False, database=own.database, shell=own.shell)


_WRONG_TRUST = f"zsh-ls: {TRUSTED}: expected true or false"
