"""Recomputes the log's keys when the rules of templates and redaction have changed (`RULES_VERSION`).

The log is processed from its newest run to its oldest, a few runs per
transaction, so that new runs do not wait long to be written. Texts are redacted
again, and a run whose hash or template has changed is counted under the new one
too. What was learnt under the old keys stays until it fades. Runs whose text was
truncated or not kept keep their keys.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from zsh_ls.alan.learning.keys import PREVIEW_LENGTH, CommandKeys, PatternKey
from zsh_ls.alan.learning.pattern import Observation, PatternKind
from zsh_ls.alan.learning.recording import teach
from zsh_ls.alan.store.rows import reading
from zsh_ls.alan.store.schema import OUTCOMES
from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.template.identity import RULES_VERSION

RUNS_A_STEP, LINES_A_STEP = 32, 64
_VERSION, _CURSOR, _LINES = "rules_version", "renewed_down_to", "lines_renewed_up_to"
_COLUMNS = """id, at_ms, template, command, outcome, neutral, exit, duration_ms, preview,
    (SELECT path FROM place WHERE place.id = run.project)"""


class _RenewedRow(NamedTuple):
    id: int
    at_ms: int
    template: int
    command: int
    outcome: int | None
    neutral: int
    exit: int | None
    duration_ms: int | None
    preview: str
    scope: str | None

    @property
    @reading("a run of the log")
    def observation(self) -> Observation:
        return Observation(
            at_ms=self.at_ms,
            outcome=None if self.outcome is None else OUTCOMES[self.outcome],
            exit=self.exit,
            duration_ms=self.duration_ms,
            neutral=bool(self.neutral),
            from_history=True,
        )


def step(
    connection: sqlite3.Connection, keys_of: Callable[[str], CommandKeys], half_life_ms: float
) -> bool:
    """Renew RUNS_A_STEP runs within the caller's transaction; True while more are left."""
    rows = connection.execute(
        f"""SELECT {_COLUMNS} FROM run WHERE id < ? AND preview IS NOT NULL
        ORDER BY id DESC LIMIT ?""",
        (int(_meta(connection, _CURSOR) or 2**62), RUNS_A_STEP),
    ).fetchall()
    for run in map(_RenewedRow._make, rows):
        _renew(connection, run, keys_of(run.preview), half_life_ms)
    if rows:
        _set_meta(connection, _CURSOR, str(rows[-1][0]))
        return True
    lines = connection.execute(
        "SELECT key, text FROM line WHERE key > ? ORDER BY key LIMIT ?",
        (int(_meta(connection, _LINES) or -1), LINES_A_STEP),
    ).fetchall()
    for key, text in lines:
        keys = keys_of(text)
        connection.execute(
            "UPDATE line SET text = ?, command = ? WHERE key = ?",
            (keys.identity.text, keys.command_key, key),
        )
    if lines:
        _set_meta(connection, _LINES, str(lines[-1][0]))
        return True
    connection.execute("DELETE FROM meta WHERE key IN (?, ?)", (_CURSOR, _LINES))
    _set_meta(connection, _VERSION, str(RULES_VERSION))
    return False


def _renew(
    connection: sqlite3.Connection, run: _RenewedRow, keys: CommandKeys, half_life_ms: float
) -> None:
    whole = len(run.preview) < PREVIEW_LENGTH
    template = keys.template_key if whole else run.template
    command = keys.command_key if whole else run.command
    if (keys.preview, template, command) == (run.preview, run.template, run.command):
        return
    connection.execute(
        "UPDATE run SET preview = ?, template = ?, command = ? WHERE id = ?",
        (keys.preview, template, command, run.id),
    )
    changed = []
    if template != run.template:
        changed.append(PatternKey(PatternKind.TEMPLATE, keys.identity.template))
    if command != run.command:
        changed.append(PatternKey(PatternKind.COMMAND, keys.identity.hash))
    if run.scope is not None:
        changed += [attrs.evolve(key, scope=run.scope) for key in changed]
    teach(connection, [(key, run.observation) for key in changed], half_life_ms)


def _meta(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", (key, value))
