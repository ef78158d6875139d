"""Histories that memory can be filled from, so that it knows something from the first day.

Each importer is one module: it reads a file and gives its runs, oldest first,
with what the source knows of them. What it does not know stays unknown: an
exit nobody recorded is no success, a duration nobody measured is no sample.
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
    """Where a program keeps its history by default, and how that is read."""

    read: Reader
    default_path: Callable[[Environment], str]


IMPORTERS: Mapping[str, Importer] = {
    "atuin": Importer(atuin.read, atuin.default_path),
    "zsh-history": Importer(zsh_history.read, zsh_history.default_path),
    "histdb": Importer(histdb.read, histdb.default_path),
    "zsh-tool": Importer(zsh_tool.read, zsh_tool.default_path),
}

__all__ = ["IMPORTERS", "Found", "Importer", "Summary", "UnreadableHistory", "fill"]
