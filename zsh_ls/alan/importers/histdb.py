"""zsh-histdb: times in whole seconds, NULL for a command whose end was not recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from zsh_ls.alan.learning.recording import HistoryRow

from .found import WITHOUT_TIME, Found, foreign_database, known_ms, outcome_of_exit


def default_path(environment: Mapping[str, str]) -> str:
    """Where histdb keeps its history."""
    return environment.get("HISTDB_FILE") or "~/.histdb/zsh-history.db"


def read(path: Path) -> Iterator[Found]:
    """Yield its runs, oldest first. Uses `rowid`, because its first versions had no column `id`."""
    with foreign_database(path, "history") as connection, foreign_database(path, "commands"):
        rows = connection.execute(
            """SELECT history.rowid, CAST(argv AS TEXT), exit_status, start_time, duration
            FROM history JOIN commands ON commands.rowid = history.command_id
            ORDER BY start_time"""
        )
        for row, command, exit_status, began_s, lasted_s in rows:
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
            )
