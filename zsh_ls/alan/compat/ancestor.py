"""Compatibility with the ancestor, zsh-tool, which may go on writing to the same database file.

The ancestor creates indexes on its tables at every start, so they must stay
tables rather than become views. Triggers copy our runs into them under ids
that begin with `zsh-ls:`, so that the agreed names (ALAN-3) show the runs of
both programs; rows that the ancestor adds are imported the next time the file
is opened, each id once. What the ancestor prunes is only a copy. Its weights
were decayed wrongly and are ignored: weights are computed from a row's age.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from zsh_ls.alan.learning.keys import CommandKeys, keys_of
from zsh_ls.alan.learning.recording import HistoryRow, unix_ms
from zsh_ls.alan.store.schema import ORIGINS, SOURCES, VIEWS, outcome_case
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.words import Origin, Outcome

SOURCE = "zsh-tool"
OUR_ID = "zsh-ls:"
COPY_SUFFIX = ".before-zsh-ls"
_ALWAYS_THERE = {"id", "command_hash", "command_preview", "exit_code", "duration_ms", "created_at"}
# Its tables as of 0.5.1, created in files of earlier versions that lack them.
_TABLES = (
    """CREATE TABLE IF NOT EXISTS recent_commands(
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, command_hash TEXT NOT NULL,
        command_template TEXT, command_preview TEXT, timestamp REAL NOT NULL, duration_ms INTEGER,
        exit_code INTEGER, timed_out INTEGER DEFAULT 0, success INTEGER DEFAULT 1)""",
    """CREATE TABLE IF NOT EXISTS streaks(
        command_hash TEXT PRIMARY KEY, current_streak INTEGER DEFAULT 0,
        longest_success_streak INTEGER DEFAULT 0, longest_fail_streak INTEGER DEFAULT 0,
        last_result INTEGER, last_updated REAL)""",
    """CREATE TABLE IF NOT EXISTS ssh_observations(
        id TEXT PRIMARY KEY, observation_id TEXT, host TEXT NOT NULL, remote_command TEXT,
        remote_command_template TEXT, exit_code INTEGER, exit_type TEXT, duration_ms INTEGER,
        timed_out INTEGER DEFAULT 0, weight REAL DEFAULT 1.0, created_at TEXT NOT NULL)""",
)
# Columns that it designed but never shipped, that it added late, and `origin`, which is ours.
_COLUMNS = {
    "observations": {
        "command_template": "TEXT",
        "outcome_type": "TEXT",
        "kill_elapsed_ms": "INTEGER",
        "pipestatus": "TEXT",
        "session_id": "TEXT",
        "origin": "TEXT",
    },
    "recent_commands": {"outcome_type": "TEXT", "origin": "TEXT"},
}
# Agreed name -> our table whose new rows are copied into it, and the condition on the rows to copy.
_MIRRORS = {
    "observations": ("run", f"NEW.origin <> {ORIGINS.index(Origin.IMPORT)}"),
    "recent_commands": ("run", f"NEW.origin <> {ORIGINS.index(Origin.IMPORT)}"),
    "ssh_observations": ("run", f"NEW.origin <> {ORIGINS.index(Origin.IMPORT)}"),
    "streaks": ("pattern", "NEW.kind = 0 AND NEW.streak <> 0"),
}
AGREED_TABLES = tuple(_MIRRORS)
_ROW_OF = {"run": "run.id = NEW.id", "pattern": "command.key = NEW.key"}


def is_ancestor(connection: sqlite3.Connection) -> bool:
    """Whether the file has the ancestor's table of observations."""
    if not _columns(connection, "observations") >= _ALWAYS_THERE:
        return False
    # Of a file of ours that name may be a view.
    query = "SELECT 1 FROM sqlite_master WHERE name = 'observations' AND type = 'table'"
    return connection.execute(query).fetchone() is not None


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def copy_beside(path: Path) -> Path:
    """The path of the copy of the file as the ancestor left it, unredacted."""
    return path.with_name(path.name + COPY_SUFFIX)


def keep_copy(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the file as the ancestor left it to `copy_beside(path)`, unless there is a copy already."""
    kept = copy_beside(path)
    if kept.exists():
        return
    draft = kept.with_name(f"{kept.name}.{os.getpid()}")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(draft)) as copy:
        connection.backup(copy)
    draft.replace(kept)


def complete_tables(connection: sqlite3.Connection) -> None:
    """Create the tables and columns of the agreed names that the file lacks."""
    for statement in _TABLES:
        connection.execute(statement)
    for table, wanted in _COLUMNS.items():
        there = _columns(connection, table)
        for column, kind in wanted.items():
            if column not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")


def mirror_into_tables(connection: sqlite3.Connection) -> None:
    """Create the triggers that copy our new rows into the ancestor's tables."""
    for name, (table, condition) in _MIRRORS.items():
        columns = [column for column in VIEWS[name] if name != "recent_commands" or column != "id"]
        values = ", ".join(VIEWS[name][column] for column in columns)
        where = "AND" if "WHERE" in SOURCES[name] else "WHERE"
        connection.execute(
            f"""CREATE TRIGGER zsh_ls_{name} AFTER INSERT ON {table} WHEN {condition} BEGIN
            INSERT OR IGNORE INTO {name}({", ".join(columns)})
            SELECT {values} {SOURCES[name]} {where} {_ROW_OF[table]}; END"""
        )


class _Observation(NamedTuple):
    row: int
    id: str
    text: str
    exit: int | None
    duration_ms: int | None
    created_at: str
    outcome: str


def rows_of(connection: sqlite3.Connection) -> Iterator[HistoryRow]:
    """The ancestor's observations that were not imported yet, oldest first.

    The ancestor stores a pipeline's segments as rows of duration 0 after the pipeline's own row;
    they are given with `is_segment` set.
    """
    pipeline = ""
    for it in _observations(connection):
        is_segment = it.duration_ms == 0 and it.text.strip() in pipeline
        if not is_segment:
            pipeline = it.text if "|" in it.text else ""
        yield HistoryRow(
            id=it.id,
            command=it.text,
            at_ms=unix_ms(it.created_at),
            outcome=Outcome(it.outcome),
            exit=it.exit,
            duration_ms=it.duration_ms or None,
            is_segment=is_segment,
        )


def _observations(connection: sqlite3.Connection) -> list[_Observation]:
    there = _columns(connection, "observations")
    killed_after = "kill_elapsed_ms" if "kill_elapsed_ms" in there else "NULL"
    unseen = "origin IS NULL" if "origin" in there else f"id NOT LIKE '{OUR_ID}%'"
    # A row that does not name its outcome tells it by other columns.
    outcome = outcome_case("timed_out", "exit_code")
    if "outcome_type" in there:
        outcome = f"coalesce(outcome_type, {outcome})"
    rows = connection.execute(
        f"""SELECT rowid, coalesce(id, 'row:' || rowid), coalesce(command_preview, ''), exit_code,
            coalesce({killed_after}, duration_ms), created_at, {outcome}
        FROM observations WHERE {unseen} ORDER BY created_at, rowid"""
    )
    return [_Observation(*row) for row in rows]


def clean_in_place(connection: sqlite3.Connection) -> None:
    """Redact the rows that the ancestor wrote, delete their output snippets, set origin and outcome."""
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute(
        "UPDATE observations SET output_snippet = NULL, error_snippet = NULL WHERE origin IS NULL"
    )
    for table in ("observations", "recent_commands"):
        _redact_previews(connection, table)
        connection.execute(
            f"""UPDATE {table} SET origin = '{Origin.IMPORT.value}', outcome_type =
            coalesce(outcome_type, {outcome_case("timed_out", "exit_code")}) WHERE origin IS NULL"""
        )
    _redact_remotes(connection)


def _redact_previews(connection: sqlite3.Connection, table: str) -> None:
    texts = connection.execute(
        f"""SELECT DISTINCT command_preview FROM {table}
        WHERE origin IS NULL AND command_preview IS NOT NULL"""
    ).fetchall()
    cleaned = [(keys_of(text), text) for (text,) in texts]
    connection.executemany(
        f"""UPDATE {table} SET command_preview = ?, command_template = ?
        WHERE origin IS NULL AND command_preview = ?""",
        [(keys.preview, keys.told(keys.identity.template), text) for keys, text in cleaned],
    )


def _redact_remotes(connection: sqlite3.Connection) -> None:
    """Delete remote commands' texts, which we never store, and compute their templates from them anew."""
    rows = connection.execute(
        "SELECT id, remote_command FROM ssh_observations WHERE remote_command IS NOT NULL"
    ).fetchall()
    cleaned: list[tuple[CommandKeys, str]] = [(keys_of(text), row) for row, text in rows]
    connection.executemany(
        """UPDATE ssh_observations SET remote_command = NULL, remote_command_template = ?
        WHERE id = ?""",
        [(keys.identity.template, row) for keys, row in cleaned],
    )


def forget(connection: sqlite3.Connection, matches: Callable[[str], bool]) -> None:
    """Remove the rows of a shared file whose command text `matches`."""
    for table in ("observations", "recent_commands"):
        texts = connection.execute(
            f"SELECT DISTINCT command_preview FROM {table} WHERE command_preview IS NOT NULL"
        ).fetchall()
        connection.executemany(
            f"DELETE FROM {table} WHERE command_preview = ?",
            [row for row in texts if matches(row[0])],
        )
    _drop_orphans(connection)


def forget_since(connection: sqlite3.Connection, at_ms: int) -> None:
    """Remove the rows of a shared file that are of `at_ms` (Unix milliseconds) or later."""
    since = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    connection.execute("DELETE FROM observations WHERE created_at >= ?", (since,))
    connection.execute("DELETE FROM recent_commands WHERE timestamp >= ?", (at_ms / 1000,))
    _drop_orphans(connection)


def _drop_orphans(connection: sqlite3.Connection) -> None:
    """Remove ssh rows and streaks whose observations no longer exist."""
    connection.execute(
        "DELETE FROM ssh_observations WHERE observation_id NOT IN (SELECT id FROM observations)"
    )
    connection.execute(
        "DELETE FROM streaks WHERE command_hash NOT IN (SELECT command_hash FROM observations)"
    )
