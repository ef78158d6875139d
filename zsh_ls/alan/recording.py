"""How one run changes memory: its row in the log, and a lesson for each of its patterns.

Everything here happens within the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import attrs

from zsh_ls.model.execution import Execution
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.exits import is_normal_exit

from .footprint import Footprint, Mark
from .pattern import Kind, Lesson, Pattern
from .rows import read_patterns, write_patterns
from .schema import KILLED_EXIT, ORIGINS, OUTCOMES, TIMEOUT_EXIT

SIGPIPE_STATUS = 141
SSH_CANNOT_CONNECT = 255
ENDED = (Outcome.SUCCESS, Outcome.FAILURE)


@attrs.frozen
class RunRecord:
    """One run as the log keeps it; `outcome` and `duration_ms` are None where nobody knows them."""

    footprint: Footprint
    at_ms: int
    session: str
    origin: Origin
    outcome: Outcome | None
    exit: int | None
    pipestatus: tuple[int, ...] = ()
    duration_ms: int | None = None

    @property
    def neutral(self) -> bool:
        """Whether the failure is a known normal exit of the command that gave it (ALAN-4)."""
        return (
            self.outcome is Outcome.FAILURE
            and self.exit is not None
            and self.last_exit == self.exit
            and is_normal_exit(self.footprint.identity.command, self.exit)
        )

    @property
    def last_exit(self) -> int | None:
        """What the last segment returned; `pipefail` may have made another exit of it."""
        return self.pipestatus[-1] if self.pipestatus else self.exit

    @property
    def lesson(self) -> Lesson:
        """What the whole run teaches."""
        return Lesson(
            at_ms=self.at_ms,
            outcome=self.outcome,
            exit=self.exit,
            duration_ms=self.duration_ms,
            neutral=self.neutral,
            from_history=self.origin is Origin.IMPORT,
        )


def record_of(execution: Execution, footprint: Footprint) -> RunRecord:
    """The record of an execution, at the moment it ended; exits as ALAN-2 says."""
    stored_exit = {Outcome.KILLED: KILLED_EXIT, Outcome.TIMEOUT: TIMEOUT_EXIT}
    return RunRecord(
        footprint=footprint,
        at_ms=round((execution.started_at + execution.duration_s) * 1000),
        session=execution.session,
        origin=execution.origin,
        outcome=execution.outcome,
        exit=stored_exit.get(execution.outcome, execution.exit),
        pipestatus=execution.pipestatus if execution.ended_by_itself else (),
        duration_ms=round(execution.duration_s * 1000),
    )


def add_run(connection: sqlite3.Connection, run: RunRecord, half_life_ms: float) -> None:
    """Write one run with all it teaches."""
    session = session_id(connection, run.session, run.at_ms)
    names = run.footprint.identity
    unspoken = "" if names.keeps_text else names.text
    teach(connection, list(lessons_of(run)), half_life_ms, unspoken=unspoken)
    _append_to_log(connection, run, session)
    _count_in_session(connection, run, session)
    _pair_host(connection, run)


def session_id(connection: sqlite3.Connection, name: str, at_ms: int) -> int:
    """The number of a session, given one if it has none."""
    row = connection.execute("SELECT id FROM session WHERE name=?", (name,)).fetchone()
    if row is not None:
        return int(row[0])
    added = connection.execute("INSERT INTO session(name, at_ms) VALUES(?, ?)", (name, at_ms))
    return int(added.lastrowid or 0)


def lessons_of(run: RunRecord) -> Iterator[tuple[Mark, Lesson]]:
    """Each pattern the run belongs to, with what it learns."""
    names = run.footprint.identity
    yield Mark(Kind.COMMAND, names.hash), run.lesson
    yield Mark(Kind.TEMPLATE, names.template), run.lesson
    yield Mark(Kind.BASE, names.base), run.lesson
    yield from _segment_lessons(run)
    yield from _ssh_lessons(run)


def _segment_lessons(run: RunRecord) -> Iterator[tuple[Mark, Lesson]]:
    segments = run.footprint.identity.segments
    if len(run.pipestatus) < 2 or len(segments) != len(run.pipestatus):
        return
    for segment, status in zip(segments, run.pipestatus, strict=True):
        went_well = status in (0, SIGPIPE_STATUS)
        lesson = Lesson(
            at_ms=run.at_ms,
            outcome=Outcome.SUCCESS if went_well else Outcome.FAILURE,
            exit=status,
            neutral=not went_well and is_normal_exit(segment.partition(" ")[0], status),
            from_history=run.origin is Origin.IMPORT,
        )
        yield Mark(Kind.SEGMENT, segment), lesson


def _ssh_lessons(run: RunRecord) -> Iterator[tuple[Mark, Lesson]]:
    """The host by whether it could be reached, the remote command by its own exit (ALAN-6).

    A connection cut short says nothing of either.
    """
    trace = run.footprint
    if trace.host is None or run.outcome not in ENDED:
        return
    connected, went_well = run.last_exit != SSH_CANNOT_CONNECT, run.last_exit == 0
    yield Mark(Kind.HOST, trace.host), _judged(run, well=connected)
    if trace.remote and connected:
        yield Mark(Kind.REMOTE, trace.remote), _judged(run, well=went_well)


def _judged(run: RunRecord, *, well: bool) -> Lesson:
    outcome = Outcome.SUCCESS if well else Outcome.FAILURE
    return attrs.evolve(run.lesson, outcome=outcome, neutral=False)


def teach(
    connection: sqlite3.Connection,
    lessons: Sequence[tuple[Mark, Lesson]],
    half_life_ms: float,
    *,
    unspoken: str = "",
) -> None:
    """One lesson after another, because both segments of `grep a | grep b` teach `grep *`.

    A pattern that stands word for word in `unspoken`, a text that is not to be
    kept (ALAN-7), is learnt under its key alone.
    """
    keys = [mark.key for mark, _ in lessons]
    patterns = read_patterns(connection, keys)
    for key, (mark, lesson) in zip(keys, lessons, strict=True):
        name = "" if mark.text in unspoken else mark.text
        known = patterns.get(key) or Pattern(key, mark.kind, name, lesson.at_ms)
        named = known if known.text else attrs.evolve(known, text=name)
        patterns[key] = named.after(lesson, half_life_ms)
    write_patterns(connection, patterns.values())


def _append_to_log(connection: sqlite3.Connection, run: RunRecord, session: int) -> None:
    trace = run.footprint
    connection.execute(
        """INSERT INTO run(at_ms, session, template, command, outcome, neutral, exit, duration_ms,
            pipestatus, origin, host, remote, preview) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)""",
        (
            run.at_ms,
            session,
            trace.template_key,
            trace.command_key,
            None if run.outcome is None else OUTCOMES.index(run.outcome),
            run.neutral,
            run.exit,
            run.duration_ms,
            " ".join(map(str, run.pipestatus)) or None,
            ORIGINS.index(run.origin),
            trace.host if trace.identity.keeps_text else None,
            trace.remote,
            trace.preview,
        ),
    )


def _count_in_session(connection: sqlite3.Connection, run: RunRecord, session: int) -> None:
    """Kills (KILL-2) and failures in a row (MAN-1) of the template within the session.

    A success ends the row of failures; a kill, a timeout and a known normal exit are passed over.
    """
    succeeded = run.outcome is Outcome.SUCCESS
    failed = run.outcome is Outcome.FAILURE and not run.neutral
    killed = run.outcome is Outcome.KILLED
    connection.execute(
        """INSERT INTO session_template VALUES(?1, ?2, 1, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET runs = runs + 1, succeeded = succeeded + ?3, killed = killed + ?4,
            failures_in_row = CASE WHEN ?3 THEN 0 ELSE failures_in_row + ?5 END""",
        (session, run.footprint.template_key, succeeded, killed, failed),
    )


def _pair_host(connection: sqlite3.Connection, run: RunRecord) -> None:
    """Remember on which hosts a remote command has been judged."""
    trace = run.footprint
    judged = run.outcome in ENDED and run.last_exit != SSH_CANNOT_CONNECT
    if judged and trace.host_key is not None and trace.remote_key is not None:
        connection.execute(
            "INSERT OR REPLACE INTO ssh_pair(remote, host, at_ms) VALUES(?, ?, ?)",
            (trace.remote_key, trace.host_key, run.at_ms),
        )
