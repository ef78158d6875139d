"""Deletes old rows in small steps, one with every 64th run, so that no run waits long (ALAN-5).

A run whose weight has fallen below 0.01 is deleted from the log. Patterns are kept
longer, those with less than RARE_RUNS runs for a shorter time.
"""

from __future__ import annotations

import sqlite3
from math import log2

from zsh_ls.lazy import attrs

from .rows import ALL, PROJECT, twin_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .team import Kept


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
PLACES_A_SWEEP = 64
PLACE_IS_UNUSED = """NOT EXISTS (SELECT 1 FROM run WHERE run.project = place.id)
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.folder = place.id)
    AND NOT EXISTS (SELECT 1 FROM project_pattern WHERE kind = 1 AND project = place.id)
    AND NOT EXISTS (SELECT 1 FROM line WHERE line.project = place.id)
    AND NOT EXISTS (SELECT 1 FROM line WHERE line.folder = place.id)
    AND NOT EXISTS (SELECT 1 FROM test WHERE test.project = place.id)
    AND NOT EXISTS (SELECT 1 FROM team_sent WHERE team_sent.place = place.id)
    AND NOT EXISTS (SELECT 1 FROM project_circuit WHERE project = place.id)"""


def kept_in_log_ms(half_life_ms: float) -> float:
    """How long a run keeps a weight of at least 0.01."""
    return half_life_ms * -log2(LEAST_WEIGHT)


@attrs.define
class Sweeper:
    """Goes through the tables in bounded steps, within the caller's transaction."""

    half_life_ms: float
    log_cap: int = LOG_CAP
    pattern_cursors: dict[str, int] = attrs.Factory(lambda: {ALL: -1, PROJECT: -1})
    pair_cursor: tuple[int, int] = (-1, -1)
    place_cursor: int = -1

    def sweep(self, connection: sqlite3.Connection, now_ms: int) -> None:
        """One step in each table."""
        from .tests import sweep_tests  # noqa: PLC0415

        self._sweep_log(connection, now_ms)
        for table in (ALL, PROJECT):
            self._sweep_patterns(connection, now_ms, table)
        self._sweep_pairs(connection, now_ms)
        sweep_tests(connection, now_ms - PATTERN_KEPT_MS)
        self._sweep_places(connection)
        oldest = connection.execute("SELECT id, at_ms FROM session ORDER BY id LIMIT 1").fetchone()
        if oldest and oldest[1] < now_ms - SESSION_KEPT_MS:
            connection.execute("DELETE FROM session_template WHERE session = ?", oldest[:1])
            connection.execute("DELETE FROM session WHERE id = ?", oldest[:1])
        # A closed circuit is only its timeouts, of which none counts after a day, and a text.
        connection.execute(
            """DELETE FROM project_circuit WHERE opened_at IS NULL
            AND json_extract(timeouts, '$[#-1]') < ?""",
            ((now_ms - DAY_MS) / 1000,),
        )

    def _sweep_log(self, connection: sqlite3.Connection, now_ms: int) -> None:
        from .team import LONGEST_WAITING_MS, kept_for_team  # noqa: PLC0415

        (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()
        oldest_ms = now_ms - kept_in_log_ms(self.half_life_ms)
        over_cap = newest - self.log_cap
        kept = kept_for_team(connection)
        if kept is not None:
            self._let_go(connection, kept, over_cap, now_ms)
        # Runs that the team's server does not have yet outlive their weight (TEAM-3).
        connection.execute(
            """DELETE FROM run WHERE id IN (SELECT id FROM run ORDER BY id LIMIT ?)
            AND (id <= ? OR (at_ms < ? AND (id <= ? OR at_ms < ?)))""",
            (
                RUNS_A_SWEEP,
                over_cap,
                oldest_ms,
                newest if kept is None else kept.cursor,
                oldest_ms if kept is None else now_ms - LONGEST_WAITING_MS,
            ),
        )

        connection.execute(
            """DELETE FROM line WHERE key IN (SELECT key FROM line ORDER BY at_ms LIMIT ?)
            AND at_ms < ?""",
            (RUNS_A_SWEEP, now_ms - PATTERN_KEPT_MS),
        )

    def _let_go(
        self, connection: sqlite3.Connection, kept: Kept, over_cap: int, now_ms: int
    ) -> None:
        """Count the runs that the next deletion takes from what waits for the team's server."""
        from .team import LONGEST_WAITING_MS, note_dropped  # noqa: PLC0415

        last, leaving = connection.execute(
            """SELECT max(id), total(project IN (SELECT value FROM json_each(?))) FROM run
            WHERE id IN (SELECT id FROM run ORDER BY id LIMIT ?) AND id > ?
            AND (id <= ? OR at_ms < ?)""",
            (kept.places, RUNS_A_SWEEP, kept.cursor, over_cap, now_ms - LONGEST_WAITING_MS),
        ).fetchone()
        if last is not None:
            note_dropped(connection, last, int(leaving))

    def _sweep_patterns(self, connection: sqlite3.Connection, now_ms: int, table: str) -> None:
        first = self.pattern_cursors[table]
        keys = connection.execute(
            f"SELECT key FROM {table} WHERE key > ? ORDER BY key LIMIT ?",
            (first, PATTERNS_A_SWEEP),
        ).fetchall()
        if not keys:
            self.pattern_cursors[table] = -1
            return
        last = self.pattern_cursors[table] = keys[-1][0]
        # Patterns outlive the logged runs that refer to them.
        log_ms = 2 * kept_in_log_ms(self.half_life_ms)
        connection.execute(
            f"""DELETE FROM {table} WHERE key > ? AND key <= ?
            AND at_ms < CASE WHEN runs + unjudged < ? THEN ? ELSE ? END""",
            (
                first,
                last,
                RARE_RUNS,
                now_ms - max(RARE_KEPT_MS, log_ms),
                now_ms - max(PATTERN_KEPT_MS, log_ms),
            ),
        )
        if table == ALL:
            connection.execute(
                """DELETE FROM team_sent WHERE command > ? AND command <= ? AND command NOT IN
                (SELECT key FROM pattern WHERE key > ? AND key <= ?)""",
                (first, last, first, last),
            )
        connection.execute(
            f"""DELETE FROM {twin_of(table)} WHERE key > ? AND key <= ?
            AND key NOT IN (SELECT key FROM {table} WHERE key > ? AND key <= ?)""",
            (first, last, first, last),
        )

    def _sweep_places(self, connection: sqlite3.Connection) -> None:
        """Delete folders of which nothing is remembered any more."""
        places = connection.execute(
            "SELECT id FROM place WHERE id > ? ORDER BY id LIMIT ?",
            (self.place_cursor, PLACES_A_SWEEP),
        ).fetchall()
        self.place_cursor = places[-1][0] if places else -1
        connection.executemany(f"DELETE FROM place WHERE id = ? AND {PLACE_IS_UNUSED}", places)

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
