"""What is remembered of tests: how the last runs of each went, by project and name (PLACE-3).

A row begins with a test's first failure, or the first time that it is named. Everything runs within the
caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.alan.learning.keys import key_in, key_of
from zsh_ls.model.places import TestHistory, TestResult
from zsh_ls.shell.redaction.redact import redact

from .rows import find_place, place_id

REMEMBERED_RUNS = 10
MOST_NAMED = 5_000
MOST_TESTS = 50_000
LONGEST_NAME_CHARS = 500
_BITS = (1 << REMEMBERED_RUNS) - 1


def known_tests(
    connection: sqlite3.Connection, scope: str, command_key: int, names: Iterable[str]
) -> list[TestHistory]:
    """What is known of the tests of those names in a project, and of those that a command ran last."""
    project = find_place(connection, scope)
    if project is None:
        return []
    keys = [_key(redact(name), scope) for name in list(names)[:MOST_NAMED]]
    rows = connection.execute(
        """SELECT name, runs, recent, failed_at_ms, healed, command FROM test WHERE key IN
            (SELECT value FROM json_each(?)) OR (project = ? AND command = ?) LIMIT ?""",
        (json.dumps(keys), project, command_key, 2 * MOST_NAMED),
    )
    return [
        TestHistory(
            name=str(name),
            failed=tuple(bool(recent >> at & 1) for at in range(min(runs, REMEMBERED_RUNS))),
            failed_at=None if failed_at_ms is None else failed_at_ms / 1000,
            passed_unchanged=healed is not None and runs - healed < REMEMBERED_RUNS,
            is_of_command=command == command_key,
        )
        for name, runs, recent, failed_at_ms, healed, command in rows.fetchall()
    ]


def note_tests(
    connection: sqlite3.Connection,
    scope: str,
    command_key: int,
    ended_ms: int,
    tests: Sequence[TestResult],
) -> None:
    """Add how tests went; one that fails for the first time passed in the command's earlier runs."""
    if not tests:
        return
    project = place_id(connection, scope)
    failed_first = sorted(tests, key=lambda it: it.passed)[:MOST_NAMED]
    known = _rows(connection, [_key(redact(it.name), scope) for it in failed_first])
    earlier = _earlier_runs(connection, project, command_key)
    written = []
    for test in failed_first:
        name = redact(test.name)[:LONGEST_NAME_CHARS]
        key = _key(redact(test.name), scope)
        runs, recent, failed_at_ms, healed = known.get(key, (earlier, 0, None, None))
        runs += 1
        recent = (recent << 1 | (not test.passed)) & _BITS
        if not test.passed:
            failed_at_ms = ended_ms
        if test.unchanged:
            healed = runs
        written.append(
            (key, project, name, command_key, ended_ms, runs, recent, failed_at_ms, healed)
        )
    connection.executemany("INSERT OR REPLACE INTO test VALUES(?,?,?,?,?,?,?,?,?)", written)


def sweep_tests(connection: sqlite3.Connection, oldest_ms: float) -> None:
    """Drop tests that did not run since, and the oldest of too many."""
    connection.execute("DELETE FROM test WHERE at_ms < ?", (oldest_ms,))
    connection.execute(
        """DELETE FROM test WHERE key IN (SELECT key FROM test ORDER BY at_ms
            LIMIT max(0, (SELECT count(*) FROM test) - ?))""",
        (MOST_TESTS,),
    )


def _rows(
    connection: sqlite3.Connection, keys: Sequence[int]
) -> Mapping[int, tuple[int, int, int | None, int | None]]:
    rows = connection.execute(
        """SELECT key, runs, recent, failed_at_ms, healed FROM test
            WHERE key IN (SELECT value FROM json_each(?))""",
        (json.dumps(list(keys)),),
    )
    return {key: (runs, recent, failed_at, healed) for key, runs, recent, failed_at, healed in rows}


def _earlier_runs(connection: sqlite3.Connection, project: int, command_key: int) -> int:
    """How many of the last runs of a command there were before this one, which is in the log already."""
    rows = connection.execute(
        """SELECT count(*) FROM (SELECT 1 FROM run WHERE project = ? AND command = ?
            AND outcome IN (0, 1) ORDER BY at_ms DESC LIMIT ?)""",
        (project, command_key, REMEMBERED_RUNS),
    )
    return max(0, int(rows.fetchone()[0]) - 1)


def _key(name: str, scope: str) -> int:
    return key_in(key_of(name, b"test"), scope)
