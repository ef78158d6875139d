"""The memory of this user for commands that work on it directly: import, forget.

No server need run, and what is done here is seen by every server that does: they share the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from zsh_ls.alan import Store
from zsh_ls.alan.compat.ancestor import copy_beside
from zsh_ls.alan.importers import IMPORTERS, Summary, UnreadableHistory, fill
from zsh_ls.alan.learning.reading_ahead import ReadingAhead
from zsh_ls.alan.store.database import (
    DATABASE_ERROR,
    Unusable,
    explained,
    local_path,
    open_database,
)
from zsh_ls.alan.terminal import spool_beside
from zsh_ls.model.errors import SidecarError
from zsh_ls.system.projects import scope_of

from .config import Places, Settings


class MemoryUnavailable(SidecarError):
    """The memory, or the history to be imported, cannot be used; the message says why."""


def import_history(
    settings: Settings,
    source: str,
    file: str | None,
    environment: Mapping[str, str],
    progress: Callable[[Summary], None] | None = None,
) -> tuple[Summary, Path]:
    """Take in the history `file` of the program `source`, by default where that program has it.

    Gives what was taken and where it was. Raises MemoryUnavailable, KeyError for a `source` that
    is not in IMPORTERS.
    """
    importer = IMPORTERS[source]
    path = Path(file or importer.default_path(environment)).expanduser()
    with opened(settings) as (store, ahead):
        found = importer.read(path)
        return fill(store, source, found, progress, ahead.prepare), path


def project_meant(folder: str) -> str:
    """The folder by which memory counts what runs in `folder`: of a worktree that of its repository."""
    return scope_of(os.path.realpath(folder))


def forget(
    settings: Settings,
    *,
    command: str | None = None,
    since: float | None = None,
    project: str | None = None,
) -> tuple[int, Path | None]:
    """Remove the runs of `command`, those `since` a Unix time or of a folder's project, or else all.

    Gives how many runs, and the copy of a zsh-tool database that went with all of them. Raises
    MemoryUnavailable.
    """
    with opened(settings) as (store, _):
        if command is not None:
            return store.forget(command), None
        if since is not None:
            return store.forget_since(since), None
        if project is not None:
            return store.forget_project(project_meant(project)), None
        count = store.forget_all()
    copy = copy_beside(path_of(settings))
    if not copy.exists():
        return count, None
    copy.unlink()
    return count, copy


@contextmanager
def opened(settings: Settings) -> Iterator[tuple[Store, ReadingAhead]]:
    """The store, with what reads the commands of a long history ahead for it."""
    ahead = ReadingAhead(tuple(settings.redact))
    path = path_of(settings)
    try:
        connection = open_database(path)
        store = Store(connection, half_life_h=settings.half_life_h, keys_of=ahead.keys_of)
        try:
            store.import_ancestor_rows()
            store.import_terminal_runs(spool_beside(path_chosen(settings)))
            yield store, ahead
        finally:
            ahead.close()
            store.close()
    except (Unusable, UnreadableHistory) as error:
        raise MemoryUnavailable(str(error)) from error
    except DATABASE_ERROR as error:
        raise MemoryUnavailable(explained(path, error)) from error


def path_of(settings: Settings) -> Path:
    """The database file, where SQLite can use it."""
    return local_path(path_chosen(settings))


def path_chosen(settings: Settings) -> Path:
    """The database file, as it was asked for."""
    return settings.database_path(Places.of_this_user())


__all__ = ["MemoryUnavailable", "Summary", "forget", "import_history"]
