"""The environment that commands run in, and the shells that are installed.

The environment is this process's own, or the one the user's login shell would
give: a server that a terminal started has the user's environment already; one
that a desktop started (no TERM) asks the login shell once, and the first run
waits a moment for the answer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.tasks import FoundShell


PATIENCE_S = 3.0


class CachedEnvironment:
    """The environment, asked for at most once."""

    def __init__(self) -> None:
        self._asked: asyncio.Task[Mapping[str, str] | None] | None = None
        self._problem: str | None = None

    def ask(self, *, resolve: bool) -> None:
        """Begin to find out, where that is wanted and needed."""
        if resolve and self._asked is None and "TERM" not in os.environ:
            self._asked = asyncio.get_running_loop().create_task(self._resolved())

    async def variables(self) -> Mapping[str, str] | None:
        """The user's variables; None where this process's own serve."""
        return await asyncio.shield(self._asked) if self._asked is not None else None

    def notices(self) -> tuple[Insight, ...]:
        """What went wrong, said once."""
        problem, self._problem = self._problem, None
        return (Insight(Level.WARNING, problem, "user-environment"),) if problem else ()

    async def _resolved(self) -> Mapping[str, str] | None:
        from zsh_ls.machine.environment import user_environment  # noqa: PLC0415

        found = await asyncio.to_thread(user_environment, time_limit_s=PATIENCE_S)
        if found.problem:
            self._problem = f"The environment of {found.shell} was not had: {found.problem}"
            return None
        return {**os.environ, **found.variables}


class Shells:
    """Kinds, executables and versions of the shells that are there."""

    def __init__(self) -> None:
        self._found: tuple[FoundShell, ...] = ()
        self._paths: Mapping[str, str] = {}
        self._forgotten = 0

    async def paths(self) -> Mapping[str, str]:
        """The executable of each kind, in the order in which they stand in for each other."""
        from zsh_ls.tasks import find_paths  # noqa: PLC0415

        if self._found:
            return {shell.kind: shell.path for shell in self._found}
        # A run needs no version, and to ask for one starts each shell.
        if not self._paths:
            self._paths = await asyncio.to_thread(find_paths)
        return self._paths

    async def versions(self) -> Mapping[str, str]:
        """The version of each kind that tells one, `""` for one that does not."""
        return {shell.kind: shell.version for shell in await self._all()}

    def forget(self) -> None:
        """Look again: what may be started has changed."""
        self._found, self._paths = (), {}
        self._forgotten += 1

    async def _all(self) -> tuple[FoundShell, ...]:
        from zsh_ls.tasks import find_shells  # noqa: PLC0415

        if self._found:
            return self._found
        forgotten = self._forgotten
        # Each is asked for its version, which may take seconds.
        found = await asyncio.to_thread(find_shells)
        if forgotten != self._forgotten:
            return await self._all()
        self._found = found
        return self._found
