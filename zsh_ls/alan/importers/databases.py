"""Histories that other programs keep in SQLite: atuin's, zsh-histdb's and the ancestor's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from zsh_ls.alan.compat import ancestor
from zsh_ls.alan.learning.recording import HistoryRow

from .filling import (
    WITHOUT_TIME,
    Found,
    Left,
    UnreadableHistory,
    known_folder,
    known_ms,
    outcome_of_exit,
)

NS_PER_MS = 1_000_000
DELETED = Left("deleted there")
EMPTY = Left("without a command")


@contextmanager
def foreign_database(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """Another program's database, opened read-only; raises UnreadableHistory if it lacks `table`."""
    if not path.is_file():
        raise UnreadableHistory(f"{path} is not there")
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=5)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            if not connection.execute(f"PRAGMA table_info({table})").fetchall():
                raise UnreadableHistory(
                    f"{path} has no table {table!r}: it is another kind of file"
                )
            yield connection
    except sqlite3.Error as error:
        raise UnreadableHistory(f"{path} cannot be read: {error}") from error


def atuin_path(environment: Mapping[str, str]) -> str:
    """Where atuin keeps its history."""
    data = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return f"{data}/atuin/history.db"


def read_atuin(path: Path) -> Iterator[Found]:
    """Yield atuin's runs, oldest first; times are in nanoseconds, -1 is an unknown status or duration."""
    with foreign_database(path, "history") as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(history)")}
        deleted = "deleted_at" if "deleted_at" in columns else "NULL"
        folder = "cwd" if "cwd" in columns else "NULL"
        rows = connection.execute(
            f"""SELECT id, command, exit, timestamp, duration, {folder}, {deleted} FROM history
            ORDER BY timestamp"""
        )
        for name, command, exit_status, began_ns, lasted_ns, cwd, deleted_at in rows:
            if deleted_at is not None:
                yield DELETED
            elif not command.strip():
                yield EMPTY
            else:
                known_exit = None if exit_status < 0 else exit_status
                yield HistoryRow(
                    id=name,
                    command=command,
                    at_ms=(began_ns + max(0, lasted_ns)) // NS_PER_MS,
                    outcome=outcome_of_exit(known_exit),
                    exit=known_exit,
                    duration_ms=known_ms(lasted_ns / NS_PER_MS),
                    folder=known_folder(cwd),
                )


def histdb_path(environment: Mapping[str, str]) -> str:
    """Where histdb keeps its history."""
    return environment.get("HISTDB_FILE") or "~/.histdb/zsh-history.db"


def read_histdb(path: Path) -> Iterator[Found]:
    """Yield zsh-histdb's runs, oldest first; times are in whole seconds, NULL where no end was recorded.

    Uses `rowid`, because its first versions had no column `id`.
    """
    with foreign_database(path, "history") as connection, foreign_database(path, "commands"):
        has_places = bool(connection.execute("PRAGMA table_info(places)").fetchall())
        folder = "(SELECT CAST(dir AS TEXT) FROM places WHERE places.rowid = history.place_id)"
        rows = connection.execute(
            f"""SELECT history.rowid, CAST(argv AS TEXT), exit_status, start_time, duration,
            {folder if has_places else "NULL"}
            FROM history JOIN commands ON commands.rowid = history.command_id
            ORDER BY start_time"""
        )
        for row, command, exit_status, began_s, lasted_s, cwd in rows:
            if not began_s:
                yield WITHOUT_TIME
                continue
            yield HistoryRow(
                id=f"{row}:{began_s}",
                command=command,
                at_ms=(began_s + max(0, lasted_s or 0)) * 1000,
                outcome=outcome_of_exit(exit_status),
                exit=exit_status,
                duration_ms=known_ms(lasted_s and lasted_s * 1000),
                folder=known_folder(cwd),
            )


def zsh_tool_path(environment: Mapping[str, str]) -> str:
    """Where the ancestor keeps its memory."""
    return "~/.claude/plugins/zsh-tool/data/alan.db"


def read_zsh_tool(path: Path) -> Iterator[Found]:
    """Yield the ancestor's runs, oldest first, with the pipeline segments that it stores as rows.

    If memory uses the same file, `compat.ancestor` imports its rows already.
    """
    with foreign_database(path, "observations") as connection:
        if not ancestor.is_ancestor(connection):
            raise UnreadableHistory(f"{path} is no database of zsh-tool")
        yield from ancestor.rows_of(connection)
