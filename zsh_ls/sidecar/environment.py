"""The environment commands run in: this process's own, or the one the user's login shell would give.

A server that a terminal started has the user's environment already. One that a
desktop started (no TERM) asks the login shell once, beside everything else, and
the first run waits a moment for the answer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping

from zsh_ls.machine.environment import user_environment
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

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
        found = await asyncio.to_thread(user_environment, time_limit_s=PATIENCE_S)
        if found.problem:
            self._problem = f"The environment of {found.shell} was not had: {found.problem}"
            return None
        return {**os.environ, **found.variables}
