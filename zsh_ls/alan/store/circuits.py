"""NEVERHANG: a command that timed out three times within an hour in a project is blocked there (RUN-14).

The state is in the database, so that all servers of a user share it. A circuit is
closed (None), open, or, after OPEN_S, half-open: then a single trial may run.
Everything here runs within the caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3

from zsh_ls.alan.learning.keys import CommandKeys, scoped
from zsh_ls.lazy import attrs
from zsh_ls.model.words import Outcome
from zsh_ls.shell.template.identity import NOT_KEPT, shown_command

from .rows import place_id, stored_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.reports import Circuit, CircuitList


TIMEOUTS_TO_OPEN = 3
COUNTED_S = 3600.0
OPEN_S = 300.0
TRIAL_ABANDONED_S = 900.0
"""A trial that has not ended by then (its server died) no longer prevents another."""

MOST_KEPT = 1000
"""More circuits than this are not kept in memory, see `closed`."""


@attrs.frozen
class _Circuit:
    command: int
    project: str
    text: str
    timeouts: tuple[float, ...] = ()
    opened_at: float | None = None
    trial_at: float | None = None

    def half_open(self, now: float) -> bool:
        return self.opened_at is not None and now >= self.opened_at + OPEN_S

    def shown(self, now: float) -> Circuit | None:
        from zsh_ls.model.reports import Circuit  # noqa: PLC0415

        if self.opened_at is None:
            return None
        return Circuit(
            command=shown_command(
                self.text
            ),  # stored by an earlier release, maybe with weaker redaction
            project=self.project or None,
            state="half-open" if self.half_open(now) else "open",
            timeouts=len(self.timeouts),
            opened_at=self.opened_at,
            retry_in_s=round(min(max(0.0, self.opened_at + OPEN_S - now), OPEN_S), 1),
        )


def state(
    connection: sqlite3.Connection, keys: CommandKeys, now: float, scope: str
) -> Circuit | None:
    """The command's circuit in a project, None if it is closed."""
    circuit = _read(connection, keys, scope)
    return circuit.shown(now) if circuit else None


@attrs.frozen
class Closed:
    """Which circuits were closed at one moment: all but those that are written down."""

    written: frozenset[int]

    def has(self, keys: CommandKeys, scope: str) -> bool:
        """Whether the command's circuit in a project was closed."""
        return scoped(keys.command_key, scope) not in self.written


def closed(connection: sqlite3.Connection) -> Closed | None:
    """Which circuits are closed; None where too many are written down to be read each time."""
    rows = connection.execute("SELECT command FROM project_circuit LIMIT ?", (MOST_KEPT + 1,))
    written = frozenset(key for (key,) in rows)
    return Closed(written) if len(written) <= MOST_KEPT else None


def all_open(connection: sqlite3.Connection, now: float, scope: str | None = None) -> CircuitList:
    """The circuits that are not closed, the latest first: those of a project, or all."""
    from zsh_ls.model.reports import CircuitList  # noqa: PLC0415

    rows = connection.execute(
        f"""{_SELECT} WHERE opened_at IS NOT NULL AND (?1 IS NULL OR place.path = ?1)
        ORDER BY opened_at DESC""",
        (None if scope is None else stored_path(scope),),
    )
    shown = [_circuit_of(row).shown(now) for row in rows]
    return CircuitList(tuple(circuit for circuit in shown if circuit))


def claim_trial(connection: sqlite3.Connection, keys: CommandKeys, now: float, scope: str) -> bool:
    """Claim the single trial of a half-open circuit; False if it is claimed, or the circuit is open.

    True for a closed circuit: it needs no trial.
    """
    circuit = _read(connection, keys, scope)
    if circuit is None or circuit.opened_at is None:
        return True
    is_claimed = circuit.trial_at is not None and now < circuit.trial_at + TRIAL_ABANDONED_S
    if is_claimed or not circuit.half_open(now):
        return False
    _write(connection, attrs.evolve(circuit, trial_at=now))
    return True


def note_outcome(
    connection: sqlite3.Connection,
    keys: CommandKeys,
    outcome: Outcome | None,
    now: float,
    scope: str,
) -> None:
    """Update the command's circuit after a run in a project that ended at `now`, in Unix seconds."""
    circuit = _read(connection, keys, scope)
    if outcome is Outcome.TIMEOUT:
        key = scoped(keys.command_key, scope)
        known = circuit or _Circuit(key, scope, keys.preview or NOT_KEPT)
        recent = (*(at for at in known.timeouts if at > now - COUNTED_S), now)
        # A trial that timed out opens the circuit again, whenever the others were.
        opens = known.opened_at is not None or len(recent) >= TIMEOUTS_TO_OPEN
        _write(
            connection,
            attrs.evolve(known, timeouts=recent, opened_at=now if opens else None, trial_at=None),
        )
    elif circuit is not None and circuit.trial_at is not None:
        if outcome is Outcome.SUCCESS:
            _delete(connection, circuit.command)
        else:
            _write(connection, attrs.evolve(circuit, trial_at=None))


def reset(
    connection: sqlite3.Connection, keys: CommandKeys | None, scope: str | None = None
) -> None:
    """Close the circuits of a command or of all, in a project or in all, and forget their timeouts."""
    (places,) = (
        connection.execute("SELECT json_group_array(path) FROM place").fetchone()
        if scope is None
        else (json.dumps([stored_path(scope)]),)
    )
    for path in json.loads(places):
        if keys is None:
            connection.execute(
                """DELETE FROM project_circuit
                WHERE project = (SELECT id FROM place WHERE path = ?)""",
                (path,),
            )
        else:
            _delete(connection, scoped(keys.command_key, path))


_SELECT = """SELECT command, place.path, text, timeouts, opened_at, trial_at
    FROM project_circuit JOIN place ON place.id = project"""


def _read(connection: sqlite3.Connection, keys: CommandKeys, scope: str) -> _Circuit | None:
    key = scoped(keys.command_key, scope)
    row = connection.execute(f"{_SELECT} WHERE command = ?", (key,)).fetchone()
    return _circuit_of(row) if row else None


def _circuit_of(row: tuple[int, str, str, str, float | None, float | None]) -> _Circuit:
    command, project, text, timeouts, opened_at, trial_at = row
    return _Circuit(command, project, text, tuple(json.loads(timeouts)), opened_at, trial_at)


def _write(connection: sqlite3.Connection, circuit: _Circuit) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO project_circuit VALUES(?,?,?,?,?,?)",
        (
            circuit.command,
            place_id(connection, circuit.project),
            circuit.text,
            json.dumps(circuit.timeouts),
            circuit.opened_at,
            circuit.trial_at,
        ),
    )


def _delete(connection: sqlite3.Connection, command: int) -> None:
    connection.execute("DELETE FROM project_circuit WHERE command = ?", (command,))
