"""NEVERHANG: a command that timed out three times within an hour is blocked for a while (RUN-14).

The state is in the database, so that all servers of a user share it. A circuit is
closed (None), open, or, after OPEN_S, half-open: then a single trial may run.
Everything here runs within the caller's transaction.
"""

from __future__ import annotations

import json
import sqlite3

import attrs

from zsh_ls.alan.learning.keys import CommandKeys
from zsh_ls.model.results import Circuit, CircuitList
from zsh_ls.model.words import Outcome
from zsh_ls.shell.template.identity import NOT_KEPT, shown_command

TIMEOUTS_TO_OPEN = 3
COUNTED_S = 3600.0
OPEN_S = 300.0
TRIAL_ABANDONED_S = 900.0
"""A trial that has not ended by then (its server died) no longer prevents another."""


@attrs.frozen
class _Circuit:
    command: int
    text: str
    timeouts: tuple[float, ...] = ()
    opened_at: float | None = None
    trial_at: float | None = None

    def half_open(self, now: float) -> bool:
        return self.opened_at is not None and now >= self.opened_at + OPEN_S

    def shown(self, now: float) -> Circuit | None:
        if self.opened_at is None:
            return None
        return Circuit(
            command=shown_command(
                self.text
            ),  # stored by an earlier release, maybe with weaker redaction
            state="half-open" if self.half_open(now) else "open",
            timeouts=len(self.timeouts),
            opened_at=self.opened_at,
            retry_in_s=round(min(max(0.0, self.opened_at + OPEN_S - now), OPEN_S), 1),
        )


def state(connection: sqlite3.Connection, keys: CommandKeys, now: float) -> Circuit | None:
    """The command's circuit, None if it is closed."""
    circuit = _read(connection, keys)
    return circuit.shown(now) if circuit else None


def all_open(connection: sqlite3.Connection, now: float) -> CircuitList:
    """The circuits that are not closed, the latest first."""
    rows = connection.execute(
        """SELECT command, text, timeouts, opened_at, trial_at FROM circuit
        WHERE opened_at IS NOT NULL ORDER BY opened_at DESC"""
    )
    shown = [_circuit_of(row).shown(now) for row in rows]
    return CircuitList(tuple(circuit for circuit in shown if circuit))


def claim_trial(connection: sqlite3.Connection, keys: CommandKeys, now: float) -> bool:
    """Claim the single trial of a half-open circuit; False if it is claimed, or the circuit is open.

    True for a closed circuit: it needs no trial.
    """
    circuit = _read(connection, keys)
    if circuit is None or circuit.opened_at is None:
        return True
    is_claimed = circuit.trial_at is not None and now < circuit.trial_at + TRIAL_ABANDONED_S
    if is_claimed or not circuit.half_open(now):
        return False
    _write(connection, attrs.evolve(circuit, trial_at=now))
    return True


def note_outcome(
    connection: sqlite3.Connection, keys: CommandKeys, outcome: Outcome | None, now: float
) -> None:
    """Update the command's circuit after a run that ended at `now`, in Unix seconds."""
    circuit = _read(connection, keys)
    if outcome is Outcome.TIMEOUT:
        known = circuit or _Circuit(keys.command_key, keys.preview or NOT_KEPT)
        recent = (*(at for at in known.timeouts if at > now - COUNTED_S), now)
        # A trial that timed out opens the circuit again, whenever the others were.
        opens = known.opened_at is not None or len(recent) >= TIMEOUTS_TO_OPEN
        _write(
            connection,
            attrs.evolve(known, timeouts=recent, opened_at=now if opens else None, trial_at=None),
        )
    elif circuit is not None and circuit.trial_at is not None:
        if outcome is Outcome.SUCCESS:
            _delete(connection, keys.command_key)
        else:
            _write(connection, attrs.evolve(circuit, trial_at=None))


def reset(connection: sqlite3.Connection, keys: CommandKeys | None) -> None:
    """Close the command's circuit and forget its timeouts, or those of all commands."""
    if keys is None:
        connection.execute("DELETE FROM circuit")
    else:
        _delete(connection, keys.command_key)


def _read(connection: sqlite3.Connection, keys: CommandKeys) -> _Circuit | None:
    row = connection.execute(
        "SELECT command, text, timeouts, opened_at, trial_at FROM circuit WHERE command = ?",
        (keys.command_key,),
    ).fetchone()
    return _circuit_of(row) if row else None


def _circuit_of(row: tuple[int, str, str, float | None, float | None]) -> _Circuit:
    command, text, timeouts, opened_at, trial_at = row
    return _Circuit(command, text, tuple(json.loads(timeouts)), opened_at, trial_at)


def _write(connection: sqlite3.Connection, circuit: _Circuit) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO circuit VALUES(?,?,?,?,?)",
        (
            circuit.command,
            circuit.text,
            json.dumps(circuit.timeouts),
            circuit.opened_at,
            circuit.trial_at,
        ),
    )


def _delete(connection: sqlite3.Connection, command: int) -> None:
    connection.execute("DELETE FROM circuit WHERE command = ?", (command,))
