"""atuin's history.db: times and durations in nanoseconds, -1 for an unknown exit status or duration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from zsh_ls.alan.learning.recording import HistoryRow

from .found import Found, Left, foreign_database, known_ms, outcome_of_exit

NS_PER_MS = 1_000_000
DELETED = Left("deleted there")
EMPTY = Left("without a command")


def default_path(environment: Mapping[str, str]) -> str:
    """Where atuin keeps its history."""
    data = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return f"{data}/atuin/history.db"


def read(path: Path) -> Iterator[Found]:
    """Yield its runs, oldest first."""
    with foreign_database(path, "history") as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(history)")}
        deleted = "deleted_at" if "deleted_at" in columns else "NULL"
        rows = connection.execute(
            f"""SELECT id, command, exit, timestamp, duration, {deleted} FROM history
            ORDER BY timestamp"""
        )
        for name, command, exit_status, began_ns, lasted_ns, deleted_at in rows:
            if deleted_at is not None:
                yield DELETED
            elif not command.strip():
                yield EMPTY
            else:
                yield _run(name, command, exit_status, (began_ns, lasted_ns))


def _run(name: str, command: str, exit_status: int, times_ns: tuple[int, int]) -> HistoryRow:
    began_ns, lasted_ns = times_ns
    known_exit = None if exit_status < 0 else exit_status
    return HistoryRow(
        id=name,
        command=command,
        at_ms=(began_ns + max(0, lasted_ns)) // NS_PER_MS,
        outcome=outcome_of_exit(known_exit),
        exit=known_exit,
        duration_ms=known_ms(lasted_ns / NS_PER_MS),
    )
