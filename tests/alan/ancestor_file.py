"""Database files as the ancestor writes them."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import attrs

SCHEMAS = Path(__file__).parent / "schemas"


def make(path: Path, *scripts: str) -> Ancestor:
    """Create a file of the ancestor with the tables of `scripts`."""
    with sqlite3.connect(path) as connection:
        for script in scripts:
            connection.executescript((SCHEMAS / f"{script}.sql").read_text())
    return Ancestor(path)


@attrs.define
class Ancestor:
    """Writes runs to a file as the ancestor does, with a connection for each run."""

    path: Path
    written: int = 0

    def start(self) -> None:
        """What it does at every start; this must not fail on a file we have opened."""
        with sqlite3.connect(self.path) as connection:
            script = (SCHEMAS / "ancestor-0.5.1.sql").read_text()
            script = script.replace("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ")
            script = script.replace("CREATE INDEX ", "CREATE INDEX IF NOT EXISTS ")
            connection.executescript(script)

    def record(
        self,
        command: str,
        exit_code: int,
        duration_ms: int,
        *,
        at: float,
        segments: tuple[tuple[str, int], ...] = (),
        timed_out: bool = False,
        output: str | None = None,
    ) -> None:
        """A run, and its segments as rows with a duration of 0."""
        with sqlite3.connect(self.path) as connection:
            self._observe(connection, (command, exit_code, duration_ms, timed_out, output), at)
            for segment, status in segments:
                self._observe(connection, (segment, status, 0, False, None), at)

    def _observe(
        self,
        connection: sqlite3.Connection,
        row: tuple[str, int, int, bool, str | None],
        at: float,
    ) -> None:
        self.written += 1
        connection.execute(
            """INSERT INTO observations(id, command_hash, command_preview, exit_code, duration_ms,
                timed_out, output_snippet, weight, created_at)
            VALUES(?, '0123456789abcdef', ?, ?, ?, ?, ?, 0.0001, ?)""",
            (f"uuid-{self.written}", *row, datetime.fromtimestamp(at, UTC).isoformat()),
        )

    def record_recent(self, command: str, exit_code: int, at: float) -> None:
        with sqlite3.connect(self.path) as connection:
            connection.execute(
                """INSERT INTO recent_commands(session_id, command_hash, command_preview, timestamp,
                    duration_ms, exit_code, success) VALUES('abcd1234', '0123', ?, ?, 5, ?, ?)""",
                (command, at, exit_code, exit_code == 0),
            )

    def prune(self) -> None:
        """Its pruning: every row whose weight it has decayed away goes."""
        with sqlite3.connect(self.path) as connection:
            connection.execute("DELETE FROM observations WHERE weight < 0.01")
