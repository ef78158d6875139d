"""The shells of this machine, looked for once and again when none was found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from zsh_ls.tasks import FoundShell, find_shells


class Shells:
    """Kinds, executables and versions of the shells that are there."""

    def __init__(self) -> None:
        self._found: tuple[FoundShell, ...] = ()

    async def paths(self) -> Mapping[str, str]:
        """The executable of each kind, in the order in which they stand in for each other."""
        return {shell.kind: shell.path for shell in await self._all()}

    async def versions(self) -> Mapping[str, str]:
        """The version of each kind that tells one, `""` for one that does not."""
        return {shell.kind: shell.version for shell in await self._all()}

    async def _all(self) -> tuple[FoundShell, ...]:
        if not self._found:  # each is asked for its version, which may take seconds
            self._found = await asyncio.to_thread(find_shells)
        return self._found
