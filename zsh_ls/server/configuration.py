"""The client's settings: given with `initialize`, on request, and whenever they change.

For a wrong value the previous one stays in force, and a warning is shown once. Trust is special: in
`initialize` any value but `true` means no trust, and later only `true` or `false` changes it, so that
a missing, invalid or late value cannot.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

import attrs

from zsh_ls.sidecar.config import Settings, changed

from .client import SECTION, TRUSTED, trust_values

# Settings that could point to files of the workspace: ignored in one that is not trusted.
PATHS = ("database", "shell")
# How long commands wait for the client's settings; a later response does not count.
PATIENCE_S = 2.0
# After a late response they are requested again: how often, and how much longer to wait each time.
ASKED_AGAIN = 3
MORE_PATIENCE = 4

log = logging.getLogger(__name__)


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


class SettingsRequests:
    """Requests the client's settings, and lets wait who needs them."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[object]],
        came: Callable[[object], None],
        in_background: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`ask` requests the settings and gives them, `came` applies them."""
        self._ask = ask
        self._came = came
        self._in_background = in_background
        self._known = asyncio.Event()
        self._latest = 0

    def are_known(self) -> None:
        """Nobody needs to wait: the client gives no settings on request."""
        self._known.set()

    async def wait(self) -> None:
        """Wait for the settings that are requested, at most PATIENCE_S."""
        if not self._known.is_set():
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._known.wait()
            except TimeoutError:
                self._known.set()

    def renew(self) -> None:
        """Request the settings, which have changed; commands wait a moment for them."""
        self._known.clear()
        self._request(PATIENCE_S, ASKED_AGAIN)

    def _request(self, patience_s: float, again: int) -> None:
        self._latest += 1
        self._in_background(self._pull(self._latest, patience_s, again))

    async def _pull(self, number: int, patience_s: float, again: int) -> None:
        """Request the settings and apply them, if they come in time and answer the latest request.

        A late response may be older than the settings in force: it must not restore trust that was
        withdrawn in between.
        """
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        try:
            is_given, given = True, await self._ask()
        except Exception as refused:  # clients send all kinds of errors; the settings in force stay
            log.info("no settings from the client: %s", refused)
            is_given, given = False, None
        if number != self._latest:
            return
        is_late = loop.time() - asked_at > patience_s
        if is_given and not is_late:
            self._came(given)
        self._known.set()
        if is_given and is_late and again:
            self._request(patience_s * MORE_PATIENCE, again - 1)
