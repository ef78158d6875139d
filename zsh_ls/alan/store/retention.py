"""Deletes old rows in small steps, one with every 64th run, so that no run waits long (ALAN-5).

A run whose weight has fallen below 0.01 is deleted from the log. Patterns are kept
longer, those with less than RARE_RUNS runs for a shorter time.
"""

from __future__ import annotations

import sqlite3
from math import log2

import attrs

DAY_MS = 86_400_000
LEAST_WEIGHT = 0.01
LOG_CAP = 200_000
RARE_RUNS = 3
RARE_KEPT_MS = 90 * DAY_MS
PATTERN_KEPT_MS = 730 * DAY_MS
SESSION_KEPT_MS = 90 * DAY_MS
RUNS_A_SWEEP = 256
PATTERNS_A_SWEEP = 256
PAIRS_A_SWEEP = 256


def kept_in_log_ms(half_life_ms: float) -> float:
    """How long a run keeps a weight of at least 0.01."""
    return half_life_ms * -log2(LEAST_WEIGHT)


@attrs.define
class Sweeper:
    """Goes through the tables in bounded steps, within the caller's transaction."""

    half_life_ms: float
    log_cap: int = LOG_CAP
    pattern_cursor: int = -1
    pair_cursor: tuple[int, int] = (-1, -1)

    def sweep(self, connection: sqlite3.Connection, now_ms: int) -> None:
        """One step in each table."""
        self._sweep_log(connection, now_ms)
        self._sweep_patterns(connection, now_ms)
        self._sweep_pairs(connection, now_ms)
        oldest = connection.execute("SELECT id, at_ms FROM session ORDER BY id LIMIT 1").fetchone()
        if oldest and oldest[1] < now_ms - SESSION_KEPT_MS:
            connection.execute("DELETE FROM session_template WHERE session = ?", oldest[:1])
            connection.execute("DELETE FROM session WHERE id = ?", oldest[:1])
        # A closed circuit is only its timeouts, of which none counts after a day, and a text.
        connection.execute(
            """DELETE FROM circuit WHERE opened_at IS NULL
            AND json_extract(timeouts, '$[#-1]') < ?""",
            ((now_ms - DAY_MS) / 1000,),
        )

    def _sweep_log(self, connection: sqlite3.Connection, now_ms: int) -> None:
        (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()
        connection.execute(
            """DELETE FROM run WHERE id IN (SELECT id FROM run ORDER BY id LIMIT ?)
            AND (at_ms < ? OR id <= ?)""",
            (RUNS_A_SWEEP, now_ms - kept_in_log_ms(self.half_life_ms), newest - self.log_cap),
        )

    def _sweep_patterns(self, connection: sqlite3.Connection, now_ms: int) -> None:
        keys = connection.execute(
            "SELECT key FROM pattern WHERE key > ? ORDER BY key LIMIT ?",
            (self.pattern_cursor, PATTERNS_A_SWEEP),
        ).fetchall()
        if not keys:
            self.pattern_cursor = -1
            return
        first, self.pattern_cursor = self.pattern_cursor, keys[-1][0]
        # Patterns outlive the logged runs that refer to them.
        log_ms = 2 * kept_in_log_ms(self.half_life_ms)
        connection.execute(
            """DELETE FROM pattern WHERE key > ? AND key <= ?
            AND at_ms < CASE WHEN runs + unjudged < ? THEN ? ELSE ? END""",
            (
                first,
                self.pattern_cursor,
                RARE_RUNS,
                now_ms - max(RARE_KEPT_MS, log_ms),
                now_ms - max(PATTERN_KEPT_MS, log_ms),
            ),
        )
        connection.execute(
            """DELETE FROM own_pattern WHERE key > ? AND key <= ?
            AND key NOT IN (SELECT key FROM pattern WHERE key > ? AND key <= ?)""",
            (first, self.pattern_cursor, first, self.pattern_cursor),
        )

    def _sweep_pairs(self, connection: sqlite3.Connection, now_ms: int) -> None:
        """Delete pairs of remote command and host whose last run is older than PATTERN_KEPT_MS."""
        pairs = connection.execute(
            """SELECT remote, host, at_ms FROM ssh_pair WHERE (remote, host) > (?, ?)
            ORDER BY remote, host LIMIT ?""",
            (*self.pair_cursor, PAIRS_A_SWEEP),
        ).fetchall()
        self.pair_cursor = pairs[-1][:2] if pairs else (-1, -1)
        long_past = now_ms - PATTERN_KEPT_MS
        connection.executemany(
            "DELETE FROM ssh_pair WHERE remote = ? AND host = ?",
            [pair[:2] for pair in pairs if pair[2] < long_past],
        )
