"""Memory on one SQLite connection, synchronous, to be used by one thread at a time.

It implements `model.History`. The caller passes times, so that tests can fix them.
Errors of SQLite are raised: `FallbackStore` handles them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from math import isfinite
from pathlib import Path

from zsh_ls.alan.learning.keys import CommandKeys, keys_of
from zsh_ls.alan.learning.lookup import (
    Known,
    basis_of,
    is_known,
    kill_past_of,
    normal_rate,
    past_of,
    patterns_of,
    read_known,
)
from zsh_ls.alan.learning.observations import record_of
from zsh_ls.alan.learning.recording import HistoryRow, add_run, import_rows, is_new
from zsh_ls.alan.terminal import read_entries, sweep, waiting_files
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory, KillHistory
from zsh_ls.shell.status.exit_codes import has_normal_exits
from zsh_ls.system.projects import project_of

from . import circuits
from .database import Patience, Transaction
from .handoff import HANDED_ON, handoff_files, read_handoff
from .retention import LOG_CAP, Sweeper
from .rows import PatternReader, stored_path
from .schema import has_keys_of_these_rules, is_shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.estimate import Estimate
    from zsh_ls.model.places import TestHistory
    from zsh_ls.model.recall import HistoryLine, Recall
    from zsh_ls.model.reports import Circuit, CircuitList, CommandStats, MemoryStats
    from zsh_ls.model.startup import MeasuredStart
    from zsh_ls.model.team import HashKeys, TeamFigure

    from .team import TeamTables


HOUR_MS = 3_600_000
DEFAULT_HALF_LIFE_H = 24.0
RUNS_BETWEEN_SWEEPS = 64
MOST_UNSWEPT = 4 * RUNS_BETWEEN_SWEEPS
"""After so many runs without `tidy`, the next one to be recorded sweeps."""
TERMINAL = "terminal"

KeysOf = Callable[[str], CommandKeys]

# Of each shell; older measurements say little of a start-up file of today.
STARTS_KEPT = 50


@attrs.frozen
class SharedByProcess:
    """A team, by its fingerprint and its keys."""

    team: str
    hashes: HashKeys


class Store:
    """Memory on a connection that `database` has opened."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        half_life_h: float = DEFAULT_HALF_LIFE_H,
        keys_of: KeysOf = keys_of,
        log_cap: int = LOG_CAP,
    ) -> None:
        self._connection = connection
        self._keys_of = keys_of
        valid = isfinite(half_life_h) and half_life_h > 0
        self._half_life_ms = (half_life_h if valid else DEFAULT_HALF_LIFE_H) * HOUR_MS
        self._sweeper = Sweeper(self._half_life_ms, log_cap)
        self._unswept, self._latest_ms = 0, 0
        self.recorded: CompletedRun | None = None
        """The run that was recorded last; what is raised after that is no reason to record it again."""
        self._patterns = PatternReader(connection)
        self.patience = Patience()
        self.shared_by_process: Callable[[], SharedByProcess | None] = lambda: None
        """The team that this process alone is in, for as long as it lives (TEAM-3)."""

    @cached_property
    def team(self) -> TeamTables:
        """What is kept of the sharing with a team."""
        from .team import TeamTables  # noqa: PLC0415  most are in none

        return TeamTables(self._connection, self._transaction)

    def _has_rows(self, table: str, condition: str = "1", *values: int | str) -> bool:
        query = f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1"
        return self._connection.execute(query, values).fetchone() is not None

    def _transaction(self) -> Transaction:
        return Transaction(self._connection, self.patience)

    def record(self, run: CompletedRun) -> None:
        """Record one run that has ended."""
        with self._transaction():
            self._add_all((run,))
        self.recorded = run

    def record_all(self, runs: Iterable[CompletedRun]) -> None:
        """Record runs in their order, all or none."""
        with self._transaction():
            self._add_all(runs)

    def _add_all(self, runs: Iterable[CompletedRun]) -> None:
        for run in runs:
            record = record_of(run, self._keys_of(run.command))
            add_run(self._connection, record, self._half_life_ms)
            if run.tests and record.keys.identity.keeps_text and record.scope is not None:
                from .tests import note_tests  # noqa: PLC0415  most runs name none

                note_tests(
                    self._connection,
                    record.scope,
                    record.keys.command_key,
                    record.at_ms,
                    run.tests,
                )
            ended_at = record.at_ms / 1000
            circuits.note_outcome(
                self._connection, record.keys, record.outcome, ended_at, record.scope or ""
            )
            self._unswept, self._latest_ms = self._unswept + 1, record.at_ms
            if self._unswept >= MOST_UNSWEPT:
                self._sweep()

    def _sweep(self) -> None:
        while self._unswept >= RUNS_BETWEEN_SWEEPS:
            self._unswept -= RUNS_BETWEEN_SWEEPS
            self._sweeper.sweep(self._connection, self._latest_ms)

    @property
    def is_untidy(self) -> bool:
        """Whether `tidy` has something to do."""
        return self._unswept >= RUNS_BETWEEN_SWEEPS

    def tidy(self) -> None:
        """Do what recording leaves for a moment when nobody waits: old rows and SQLite's log."""
        if self.is_untidy:
            with self._transaction():
                self._sweep()
            self.checkpoint()

    def past(
        self, command: str, *, session: str, now: float, project: str = "", own: bool = False
    ) -> CommandHistory:
        """What is known before `command` runs in `session` and `project` at Unix time `now`.

        `project` is the folder by which runs are counted (`CompletedRun.scope`), `""` that of
        runs of which no folder is known. `own` leaves out runs from elsewhere (`Origin.is_elsewhere`).
        """
        keys = self._keys_of(command)
        past = past_of(keys, self._known([keys], session, now, project, own=own))
        if past.is_known_here and self._has_rows("test", "command = ?", keys.command_key):
            past = attrs.evolve(past, has_tests=True)
        is_new_here = past.everywhere.runs and not past.is_known_here
        if not is_new_here or not has_normal_exits(keys.identity.command):
            return past
        rate = normal_rate(self._connection, self._patterns, keys, self._half_life_ms, own=own)
        return attrs.evolve(past, everywhere=attrs.evolve(past.everywhere, normal_rate=rate))

    def pasts(
        self,
        commands: Sequence[str],
        *,
        session: str,
        now: float,
        project: str = "",
        own: bool = False,
    ) -> list[CommandHistory | None]:
        """What is known of each command, None for an unknown one; the same few queries for all."""
        all_keys = {command: self._keys_of(command) for command in commands}
        known = self._known(list(all_keys.values()), session, now, project, own=own)
        histories = {
            command: past_of(keys, known) if is_known(keys, known) else None
            for command, keys in all_keys.items()
        }
        return [histories[command] for command in commands]

    def kills(
        self, command: str, *, session: str, project: str = "", own: bool = False
    ) -> KillHistory:
        """The kills of the command's template in `project`, in total and in `session`."""
        keys = self._keys_of(command)
        return kill_past_of(keys, self._known([keys], session, 0.0, project, own=own))

    def _known(
        self, all_keys: Sequence[CommandKeys], session: str, now: float, project: str, *, own: bool
    ) -> Known:
        return read_known(
            self._connection,
            self._patterns,
            all_keys,
            session=session,
            now_ms=round(now * 1000),
            scope=stored_path(project),
            own=own,
            team=self._told_by_team(all_keys, stored_path(project)),
        )

    def tests(self, command: str, names: Iterable[str], *, project: str) -> list[TestHistory]:
        """What is known of tests: of those names, and of those that `command` ran last."""
        from .tests import known_tests  # noqa: PLC0415

        key = self._keys_of(command).command_key
        return known_tests(self._connection, stored_path(project), key, names)

    def estimate(self, command: str, *, project: str = "", own: bool = False) -> Estimate | None:
        """How long the command takes in `project`, by the first basis of POLL-4 that can tell."""
        keys, scope = self._keys_of(command), stored_path(project)
        patterns = patterns_of(self._patterns, [keys], scope, own=own)
        return basis_of(keys, patterns, scope, self._told_by_team([keys], scope)).estimate

    def _told_by_team(
        self, all_keys: Sequence[CommandKeys], scope: str
    ) -> Mapping[int, TeamFigure]:
        """What the team knows of the commands' templates in a project; nothing without a team."""
        if not self._has_rows("team_figure"):
            return {}
        from zsh_ls.system.remotes import known_remote  # noqa: PLC0415  most are in no team

        from .team import figures_are_of, hash_keys, read_figures  # noqa: PLC0415

        shared, hashes = self.shared_by_process(), hash_keys(self._connection)
        if shared is not None:
            hashes = shared.hashes if figures_are_of(self._connection, shared.team) else None
        remote = None if hashes is None else known_remote(scope)
        if hashes is None or remote is None:
            return {}
        templates = {keys.template_key for keys in all_keys}
        return read_figures(self._connection, hashes.project_hash(remote), templates)

    def command_stats(
        self, command: str, *, project: str | None = None, own: bool = False
    ) -> CommandStats:
        """What is known of one command, in `project` where it has enough runs, else everywhere."""
        from zsh_ls.alan.learning import statistics  # noqa: PLC0415

        keys, scope = self._keys_of(command), None if project is None else stored_path(project)
        return statistics.command_stats(self._connection, keys, scope=scope, own=own)

    def memory_stats(self, session: str, now: float, project: str | None = None) -> MemoryStats:
        """Figures about memory as a whole, or about one project."""
        from zsh_ls.alan.learning import statistics  # noqa: PLC0415

        return statistics.memory_stats(
            self._connection,
            session,
            now_ms=round(now * 1000),
            half_life_ms=self._half_life_ms,
            scope=None if project is None else stored_path(project),
        )

    def history(
        self, words: Sequence[str], *, project: str | None = None, limit: int
    ) -> list[HistoryLine]:
        """The newest lines that hold all words, of `project` or of everywhere (PROMPT-2)."""
        from .lines import newest_lines  # noqa: PLC0415

        only_here = project is not None
        return newest_lines(
            self._connection, words, project=project, only_here=only_here, limit=limit
        )

    def recall(self, *, own: bool = False) -> Recall:
        """Queries about runs, templates and hosts, for the question families; `own` is for estimates."""
        from .recall import StoredRecall  # noqa: PLC0415

        return StoredRecall(
            self._connection,
            lambda command, project: self.estimate(command, project=project, own=own),
        )

    def observations(self) -> int:
        """How many runs the log holds."""
        from zsh_ls.alan.learning import statistics  # noqa: PLC0415

        return statistics.observations(self._connection)

    def circuit_state(self, command: str, now: float, project: str = "") -> Circuit | None:
        """The command's circuit in `project`, None where it is closed."""
        keys = self._keys_of(command)
        return circuits.state(self._connection, keys, now, stored_path(project))

    def closed_circuits(self) -> circuits.Closed | None:
        """Which circuits are closed; None where that are too many to be read each time."""
        return circuits.closed(self._connection)

    def circuits(self, now: float, project: str | None = None) -> CircuitList:
        """The circuits that are not closed, in `project` or in all."""
        return circuits.all_open(self._connection, now, project)

    def claim_trial(self, command: str, now: float, project: str = "") -> bool:
        """Claim the single trial of the command's half-open circuit in `project`."""
        keys = self._keys_of(command)
        with self._transaction():
            return circuits.claim_trial(self._connection, keys, now, stored_path(project))

    def reset_circuit(self, command: str | None, project: str | None = None) -> None:
        """Close the command's circuits, or all, in `project` or in all."""
        with self._transaction():
            keys = self._keys_of(command) if command else None
            circuits.reset(self._connection, keys, project)

    def manopt(self, page: str, page_mtime: float | None = None) -> str | None:
        """A man page's cached option table; None if its `page_mtime` is another."""
        row = self._connection.execute(
            "SELECT options_text, page_mtime FROM manopt_cache WHERE base_command = ?",
            (stored_path(page),),
        ).fetchone()
        if row is None or page_mtime not in (None, row[1]):
            return None
        return str(row[0])

    def store_manopt(self, page: str, text: str, page_mtime: float | None, now: float) -> None:
        """Cache the option table of a man page with its file's modification time."""
        self._connection.execute(
            """INSERT OR REPLACE INTO
            manopt_cache(base_command, options_text, created_at, page_mtime) VALUES(?, ?, ?, ?)""",
            (stored_path(page), text, datetime.fromtimestamp(now, UTC).isoformat(), page_mtime),
        )

    def starts(self, shell: str) -> list[MeasuredStart]:
        """The measured starts of a shell, the earliest first."""
        from zsh_ls.model.startup import MeasuredStart, StartLine  # noqa: PLC0415

        rows = self._connection.execute(
            "SELECT at_ms, file, line, text, own_ms FROM start_line WHERE shell = ? ORDER BY at_ms",
            (shell,),
        )
        return [
            MeasuredStart(at_ms / 1000, tuple(StartLine(*row[1:]) for row in group))
            for at_ms, group in groupby(rows, key=lambda row: row[0])
        ]

    def store_start(self, shell: str, start: MeasuredStart) -> None:
        """Keep what the lines took in a start of a shell; of each shell the latest `STARTS_KEPT`."""
        at_ms = round(start.at * 1000)
        with self._transaction():
            self._connection.executemany(
                "INSERT INTO start_line VALUES(?, ?, ?, ?, ?, ?)",
                [(at_ms, shell, it.file, it.line, it.text, it.own_ms) for it in start.lines],
            )
            self._connection.execute(
                """DELETE FROM start_line WHERE shell = ? AND at_ms < (SELECT min(at_ms) FROM (
                SELECT DISTINCT at_ms FROM start_line WHERE shell = ? ORDER BY at_ms DESC LIMIT ?))""",
                (shell, shell, STARTS_KEPT),
            )

    def import_terminal_runs(self, spool: Path) -> int:
        """Import the runs that shells wrote to the spool folder; returns their number."""
        imported = 0
        for entry in waiting_files(spool):
            runs = [_in_its_project(run) for run in read_entries(entry.path)]
            # A file is marked in the same transaction: a process that dies before it removes
            # the file leaves it for the next one, which then only removes it.
            with self._transaction():
                if is_new(self._connection, TERMINAL, entry.name):
                    self._add_all(runs)
                    imported += len(runs)
            entry.path.unlink(missing_ok=True)
        sweep(spool)
        return imported

    def import_handoff(self, folder: Path) -> None:
        """Import the runs that other processes could not write when they ended."""
        for path in handoff_files(folder):
            runs = read_handoff(path)
            with self._transaction():
                if is_new(self._connection, HANDED_ON, path.name):
                    self._add_all(runs)
            path.unlink(missing_ok=True)

    def redacted(self, run: CompletedRun) -> CompletedRun | None:
        """The run as it may be stored in a file; None if its text must not be kept (ALAN-7)."""
        identity = self._keys_of(run.command).identity
        if not identity.keeps_text:
            return None
        return attrs.evolve(run.without_texts(), command=identity.text)

    def checkpoint(self) -> None:
        """Copy the log's content to the database; raises sqlite3.Error if the log is damaged."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def rebuild_log_index(self, renew: Callable[[], bool]) -> bool:
        """Have SQLite rebuild the index of its log, if `renew` has invalidated it; returns whether it has."""
        with Transaction(self._connection, Patience(self.patience.seconds, self.patience.hurry)):
            is_renewed = renew()
        self.is_open()
        return is_renewed

    def import_ancestor_rows(self) -> int:
        """Import what the ancestor added to a shared file; returns how many rows."""
        connection = self._connection
        if not is_shared(connection):
            return 0
        from zsh_ls.alan.compat import ancestor  # noqa: PLC0415  few files are

        first = connection.execute("SELECT 1 FROM taken_in LIMIT 1").fetchone() is None
        with self._transaction():
            imported = self._import(ancestor.SOURCE, list(ancestor.rows_of(connection)))
            ancestor.clean_in_place(connection)
        if first:
            # Free pages may contain secrets that were deleted. VACUUM fails while others read.
            with suppress(sqlite3.OperationalError):
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return imported

    def import_rows(self, source: str, rows: Sequence[HistoryRow]) -> int:
        """Import rows of another program's history, each once; returns how many were new."""
        with self._transaction():
            return self._import(source, rows)

    def _import(self, source: str, rows: Sequence[HistoryRow]) -> int:
        return import_rows(
            self._connection, source, rows, keys_of=self._keys_of, half_life_ms=self._half_life_ms
        )

    def forget(self, command: str) -> int:
        """Forget a command and what was learnt from it; returns how many runs were counted."""
        from . import forgetting  # noqa: PLC0415  a run never forgets

        keys = self._keys_of(command)
        return self._forgotten(
            lambda: forgetting.forget_command(
                self._connection, keys, keys_of=self._keys_of, half_life_ms=self._half_life_ms
            )
        )

    def forget_since(self, at: float) -> int:
        """Forget what ran since a Unix time; returns how many runs of the log that were."""
        from . import forgetting  # noqa: PLC0415

        return self._forgotten(
            lambda: forgetting.forget_since(
                self._connection,
                round(at * 1000),
                keys_of=self._keys_of,
                half_life_ms=self._half_life_ms,
            )
        )

    def forget_project(self, folder: str) -> int:
        """Forget what ran in the project of `folder`; returns how many runs of the log that were."""
        from . import forgetting  # noqa: PLC0415

        return self._forgotten(
            lambda: forgetting.forget_project(
                self._connection,
                stored_path(folder),
                keys_of=self._keys_of,
                half_life_ms=self._half_life_ms,
            )
        )

    def forget_all(self) -> int:
        """Forget everything; returns how many runs the log held."""
        from . import forgetting  # noqa: PLC0415

        return self._forgotten(lambda: forgetting.forget_all(self._connection))

    def _forgotten(self, forget: Callable[[], int]) -> int:
        """Run `forget` so that deleted content is overwritten in the file, not only unlinked."""
        self._connection.execute("PRAGMA secure_delete=ON")
        with self._transaction():
            forgotten = forget()
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return forgotten

    def renew_some(self) -> bool:
        """Recompute a few keys if the rules have changed; True while more are left."""
        if has_keys_of_these_rules(self._connection):
            return False
        from zsh_ls.alan.compat import renewal  # noqa: PLC0415  once after an update

        with self._transaction():
            return renewal.step(self._connection, self._keys_of, self._half_life_ms)

    def is_open(self) -> bool:
        """Whether a query succeeds; it also makes SQLite read the schema."""
        return (
            self._connection.execute("SELECT count(*) FROM project_circuit").fetchone() is not None
        )

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _in_its_project(run: CompletedRun) -> CompletedRun:
    """A terminal's run with the project of the folder it was in."""
    return attrs.evolve(run, project=project_of(run.cwd))
