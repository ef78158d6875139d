"""Cached option tables of man pages, valid until the page's file changes (MAN-2)."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime


def read(connection: sqlite3.Connection, page: str, page_mtime: float | None) -> str | None:
    """A page's cached table, None if there is none or its `page_mtime` is another."""
    row = connection.execute(
        "SELECT options_text, page_mtime FROM manopt_cache WHERE base_command = ?", (page,)
    ).fetchone()
    if row is None or page_mtime not in (None, row[1]):
        return None
    return str(row[0])


def write(
    connection: sqlite3.Connection, page: str, text: str, page_mtime: float | None, now: float
) -> None:
    """Cache a page's table."""
    connection.execute(
        """INSERT OR REPLACE INTO manopt_cache(base_command, options_text, created_at, page_mtime)
        VALUES(?, ?, ?, ?)""",
        (page, text, datetime.fromtimestamp(now, UTC).isoformat(), page_mtime),
    )
