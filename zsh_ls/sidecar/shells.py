"""The shells of this machine, looked for once and again when none was found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from zsh_ls.tasks import FoundShell, find_shells


class Shells:
    """Kinds, executables and versions of the shells that are there."""

    def __init__(self) -> None:
        self._found: tuple[FoundShell, ...] = ()
        self._forgotten = 0

    async def paths(self) -> Mapping[str, str]:
        """The executable of each kind, in the order in which they stand in for each other."""
        return {shell.kind: shell.path for shell in await self._all()}

    async def versions(self) -> Mapping[str, str]:
        """The version of each kind that tells one, `""` for one that does not."""
        return {shell.kind: shell.version for shell in await self._all()}

    def forget(self) -> None:
        """Look again: what may be started has changed."""
        self._found = ()
        self._forgotten += 1

    async def _all(self) -> tuple[FoundShell, ...]:
        if self._found:
            return self._found
        forgotten = self._forgotten
        found = await asyncio.to_thread(
            find_shells
        )  # each is asked for its version: seconds, perhaps
        if forgotten != self._forgotten:
            return await self._all()
        self._found = found
        return self._found
