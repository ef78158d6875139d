"""The ancestor's database. If memory uses the same file, `compat.ancestor` imports its rows already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from zsh_ls.alan.compat import ancestor

from .found import Found, UnreadableHistory, foreign_database


def default_path(environment: Mapping[str, str]) -> str:
    """Where the ancestor keeps its memory."""
    return "~/.claude/plugins/zsh-tool/data/alan.db"


def read(path: Path) -> Iterator[Found]:
    """Yield its runs, oldest first, with the pipeline segments that it stores as rows."""
    with foreign_database(path, "observations") as connection:
        if not ancestor.is_ancestor(connection):
            raise UnreadableHistory(f"{path} is no database of zsh-tool")
        yield from ancestor.rows_of(connection)
