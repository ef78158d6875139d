"""The shells of this machine, looked for once and again when none was found."""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.tasks import FoundShell, find_shells


class Shells:
    """Kinds, executables and versions of the shells that are there."""

    def __init__(self) -> None:
        self._found: tuple[FoundShell, ...] = ()

    def paths(self) -> Mapping[str, str]:
        """The executable of each kind, in the order in which they stand in for each other."""
        return {shell.kind: shell.path for shell in self._all()}

    def versions(self) -> Mapping[str, str]:
        """The version of each kind that tells one, `""` for one that does not."""
        return {shell.kind: shell.version for shell in self._all()}

    def _all(self) -> tuple[FoundShell, ...]:
        self._found = self._found or find_shells()
        return self._found
