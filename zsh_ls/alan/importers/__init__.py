"""Importers of other programs' histories, which fill a new memory.

Each reader yields the runs of a file, oldest first. What
the source did not record is None: a missing exit status is not counted as success,
a missing duration is no sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zsh_ls.lazy import attrs

from . import databases, zsh_history
from .filling import Found, Reader, Summary, UnreadableHistory, fill

Environment = Mapping[str, str]


@attrs.frozen
class Importer:
    """A history's reader, and the path where its program keeps it by default."""

    read: Reader
    default_path: Callable[[Environment], str]


IMPORTERS: Mapping[str, Importer] = {
    "atuin": Importer(databases.read_atuin, databases.atuin_path),
    "zsh-history": Importer(zsh_history.read, zsh_history.default_path),
    "histdb": Importer(databases.read_histdb, databases.histdb_path),
    "zsh-tool": Importer(databases.read_zsh_tool, databases.zsh_tool_path),
}

__all__ = ["IMPORTERS", "Found", "Importer", "Summary", "UnreadableHistory", "fill"]
