"""Importers of other programs' histories, which fill a new memory.

Each importer is a module that reads a file and yields its runs, oldest first. What
the source did not record is None: a missing exit status is not counted as success,
a missing duration is no sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from . import atuin, histdb, zsh_history, zsh_tool
from .filling import Summary, fill
from .found import Found, Reader, UnreadableHistory

Environment = Mapping[str, str]


@attrs.frozen
class Importer:
    """A history's reader, and the path where its program keeps it by default."""

    read: Reader
    default_path: Callable[[Environment], str]


IMPORTERS: Mapping[str, Importer] = {
    "atuin": Importer(atuin.read, atuin.default_path),
    "zsh-history": Importer(zsh_history.read, zsh_history.default_path),
    "histdb": Importer(histdb.read, histdb.default_path),
    "zsh-tool": Importer(zsh_tool.read, zsh_tool.default_path),
}

__all__ = ["IMPORTERS", "Found", "Importer", "Summary", "UnreadableHistory", "fill"]
