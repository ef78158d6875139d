"""Settings as the client gives them: at `initialize`, when asked for, and whenever they change.

A wrong value keeps the one in force and is said once, however often it comes. Trust is apart: what
`initialize` says of it in any other way than `true` is no trust, and later only a plain `true` or
`false` changes it, so that nothing that is missing, damaged or late can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from zsh_ls.sidecar.config import Settings, changed

from .client import SECTION, TRUSTED, trust_said

# Where a workspace's own files could send us elsewhere: not taken from one that is not trusted.
PATHS = ("database", "shell")


class Configuration:
    """The settings in force, and what has been said about wrong ones."""

    def __init__(self, settings: Settings, warn: Callable[[str], None]) -> None:
        self._own = settings
        self._first = settings
        self.settings = settings
        self._warn = warn
        self._said: set[str] = set()

    def started_with(self, options: Mapping[str, Any]) -> None:
        """The client gave `initializationOptions`; later settings go on from them."""
        given = options.get(SECTION, options)
        said = trust_said(options)
        for value in said:
            if not isinstance(value, bool):
                self.say(f"{_WRONG_TRUST}, got {value!r}; the workspace is not trusted")
        if said:
            is_trusted = all(value is True for value in said)
            self.settings = attrs.evolve(self.settings, trusted=is_trusted)
        if isinstance(given, Mapping):
            given = {name: value for name, value in given.items() if name != TRUSTED}
        self.came(given)
        self._first = self.settings

    def came(self, given: object) -> None:
        """The client gave its settings whole; what it does not name is as it was at the start.

        Trust is as it was before, unless it is named.
        """
        if given is None:
            self.settings = self._from(self._first, self.settings.trusted)
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
        is_trusted, said = self.settings.trusted, given.get(TRUSTED)
        if isinstance(said, bool):
            is_trusted = said
        elif said is not None:
            self.say(f"{_WRONG_TRUST}, got {said!r}; the value before stays in force")
        left_out = {TRUSTED} if is_trusted else {TRUSTED, *PATHS}
        given = {name: value for name, value in given.items() if name not in left_out}
        settings, problems = changed(self._from(self._first, is_trusted), given)
        if problems:
            settings, problems = changed(self._from(self.settings, is_trusted), given)
        self.settings = settings
        for problem in problems:
            self.say(f"zsh-ls: {problem}")

    def _from(self, settings: Settings, is_trusted: bool) -> Settings:
        """`settings` to go on from; without trust, with no path but this process's own."""
        if is_trusted:
            return attrs.evolve(settings, trusted=True)
        own = self._own
        return attrs.evolve(settings, trusted=False, database=own.database, shell=own.shell)


_WRONG_TRUST = f"zsh-ls: {TRUSTED}: expected true or false"
