"""What Ctrl-C ended was once counted as a duration sample; older files are put right (POLL-4).

The log says which runs those were. Rings have durations alone, so an entry is known by its
milliseconds and by its bit of a failure; what the log has let go stays until it leaves the ring.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections import Counter

from zsh_ls.alan.learning.pattern import CENSORED_BIT, FAILED_BIT, INTERRUPTED_EXIT, LONGEST_MS

_PATTERNS = ("pattern", "own_pattern", "project_pattern", "own_project_pattern")
FAILURE = 1
"""The code of the outcome in the log."""


def censor_interrupted(connection: sqlite3.Connection) -> None:
    """Mark the durations of interrupted runs as those of runs that were cut short."""
    rows = connection.execute(
        """SELECT duration_ms, count(*) FROM run
        WHERE exit = ? AND outcome = ? AND neutral = 0 AND duration_ms IS NOT NULL GROUP BY duration_ms""",
        (INTERRUPTED_EXIT, FAILURE),
    )
    interrupted = {
        min(duration_ms, LONGEST_MS) << 1 | FAILED_BIT: count for duration_ms, count in rows
    }
    if not interrupted:
        return
    for table in _PATTERNS:
        changed = []
        for key, ring in connection.execute(f"SELECT key, ring FROM {table} WHERE ring <> x''"):
            entries = array("I", ring)
            if sys.byteorder != "little":
                entries.byteswap()
            if interrupted.keys().isdisjoint(entries):
                continue
            gone = _censored(entries, Counter(interrupted))
            if sys.byteorder != "little":
                entries.byteswap()
            changed.append((entries.tobytes(), sum(gone), len(gone), key))
        connection.executemany(
            f"""UPDATE {table} SET ring = ?, total_ms = max(0, total_ms - ?),
            samples = max(0, samples - ?) WHERE key = ?""",
            changed,
        )


def _censored(entries: array[int], left: Counter[int]) -> list[int]:
    """Set the bit of those that are `left` to be found; the milliseconds of each one."""
    found = []
    for at in reversed(range(len(entries))):
        if left[entries[at]] > 0:
            left[entries[at]] -= 1
            found.append(entries[at] >> 1 & LONGEST_MS)
            entries[at] |= CENSORED_BIT
    return found
