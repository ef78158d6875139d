"""The sharing with a team: the log is the outbox, and what the team told is kept beside it (TEAM).

`cursor` is the last run of the log that went into a batch. What was given is kept in sums, so that what
is forgotten here can be taken out there. Nothing here asks a server or reads another file.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from zsh_ls.alan.learning.keys import PatternKey
from zsh_ls.alan.learning.observations import RunRecord
from zsh_ls.alan.learning.pattern import PatternKind
from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.histogram import Histogram, code_of
from zsh_ls.model.team import (
    MIN_AGENTS,
    Batch,
    Given,
    Gone,
    HashKeys,
    Outcomes,
    TeamFigure,
    outcomes_of,
)
from zsh_ls.model.words import Origin, Outcome

from .rows import reading
from .schema import ORIGINS, OUTCOMES

RUNS_A_BATCH = 500
SCANNED_RUNS = 5_000
MOST_WAITING = 100_000
LONGEST_WAITING_MS = 90 * 86_400_000
MOST_FIGURES = 100_000
NO_DURATION = -1
_IMPORT = ORIGINS.index(Origin.IMPORT)
# An imported run may be another machine's, whose own agent gives it; a run whose text was not to be
# kept has no preview, and gives nothing.
_MAY_LEAVE = f"""run.outcome IS NOT NULL AND run.preview IS NOT NULL AND run.origin <> {_IMPORT}
    AND template.text <> ''"""
_FROM = "FROM run JOIN pattern AS template ON template.key = run.template"

Transacting = Callable[[], AbstractContextManager[object]]


class _Sent(NamedTuple):
    """Under which row of `team_sent` a run is counted."""

    place: int
    command: int
    project: str
    template: str
    outcome: int
    code: int


@attrs.frozen
class Pulled:
    """The projects, by their hashes, of which all is known that changed before `since`."""

    projects: frozenset[str]
    since: tuple[int, int]


@attrs.frozen
class TeamCounts:
    """What is known of the sharing without a server; times are Unix times."""

    waiting: int
    sent: int
    dropped: int
    last_push: float | None
    last_pull: float | None
    agents: int
    error: str | None
    waits_since: float | None = None
    """When the oldest run that waits and is in no batch yet ended."""
    forgotten: int = 0
    """How many runs that were sent and are forgotten here are still to be taken out there."""


def kind_of(outcome: Outcome, *, neutral: bool, hiding: bool) -> int:
    """The index in OUTCOMES of what a run is counted as."""
    counted = outcomes_of(outcome, neutral=neutral, hiding=hiding)
    numbers = (counted.succeeded, counted.failed, counted.timed_out, counted.killed)
    return numbers.index(1)


def given_of(project: str, template: str, kind: int, code: int, runs: int = 1) -> Given:
    """What so many runs give that are counted alike."""
    numbers = [0, 0, 0, 0]
    numbers[kind] = runs
    durations = Histogram({} if code == NO_DURATION else {code: runs})
    return Given(project, template, Outcomes(*numbers), durations)


def summed(all_given: Iterable[Given]) -> list[Given]:
    """One for each project and template, sorted by these."""
    sums: dict[tuple[str, str], Given] = {}
    for given in all_given:
        key = given.project, given.template
        sums[key] = sums[key].plus(given) if key in sums else given
    return [sums[key] for key in sorted(sums)]


def given_by(run: RunRecord, project: str, hashes: HashKeys) -> tuple[Given, str] | None:
    """What one run gives, and its template; None for one that gives nothing."""
    may_leave = run.outcome is not None and run.keys.identity.keeps_text
    if not may_leave or run.origin is Origin.IMPORT or run.outcome is None:
        return None
    observed, template = run.observation, run.keys.identity.template
    kind = kind_of(run.outcome, neutral=observed.neutral, hiding=observed.hiding)
    code = NO_DURATION
    if run.duration_ms is not None:
        code = code_of(run.duration_ms, run.outcome, neutral=observed.neutral)
    return given_of(project, hashes.template_hash(template), kind, code), template


class TeamTables:
    """The tables of one store."""

    def __init__(self, connection: sqlite3.Connection, transaction: Transacting) -> None:
        self._connection = connection
        self._transaction = transaction

    def join(self, team: str, hashes: HashKeys) -> None:
        """Share with this team from now on; with another than before everything begins anew."""
        with self._transaction():
            if _state(self._connection).get("team") != team:
                self._begin_anew()
            _set(
                self._connection,
                team=team,
                project_key=hashes.project.hex(),
                template_key=hashes.template.hex(),
            )
            _unset(self._connection, "error")

    def leave(self, *, erased: bool) -> None:
        """Share no more, and let what the team told go; `erased` if nothing given is left there."""
        with self._transaction():
            if erased:
                self._begin_anew()
            self._connection.execute("DELETE FROM team_figure")
            _unset(
                self._connection,
                *("project_key", "template_key", "since", "pulled", "figures_of", "error"),
            )

    def _begin_anew(self) -> None:
        for table in ("team_state", "team_batch", "team_sent", "team_difference", "team_figure"):
            self._connection.execute(f"DELETE FROM {table}")

    @property
    def team(self) -> str | None:
        """The fingerprint of the team that is shared with, None for none."""
        state = _state(self._connection)
        return state.get("team") if "project_key" in state else None

    def waiting_places(self) -> dict[int, str]:
        """The folders, by id, of the runs that were not sent."""
        cursor = _number(_state(self._connection), "cursor")
        rows = self._connection.execute(
            """SELECT id, path FROM place WHERE id IN
            (SELECT DISTINCT project FROM run WHERE id > ?)""",
            (cursor,),
        )
        return dict(rows.fetchall())

    def known_places(self, most: int) -> list[str]:
        """The folders of projects that something is known of, the latest used first."""
        rows = self._connection.execute(
            """SELECT path FROM place WHERE EXISTS (SELECT 1 FROM run WHERE run.project = place.id)
            OR EXISTS (SELECT 1 FROM project_pattern AS known
                WHERE known.kind = 1 AND known.project = place.id)
            ORDER BY (SELECT max(at_ms) FROM run WHERE run.project = place.id) DESC NULLS LAST, id
            LIMIT ?""",
            (most,),
        )
        return [path for (path,) in rows]

    def let_go(self, places: Iterable[int], now_ms: int) -> None:
        """Give up the oldest runs where too many wait, or too long (TEAM-3)."""
        with self._transaction():
            _set(self._connection, places=json.dumps(sorted(places)))
            state = _state(self._connection)
            waiting = self._waiting_ids(state)
            old = self._connection.execute(
                f"SELECT count(*) {_FROM} WHERE {waiting} AND run.at_ms < ?",
                (now_ms - LONGEST_WAITING_MS,),
            ).fetchone()[0]
            count = self._connection.execute(f"SELECT count(*) {_FROM} WHERE {waiting}").fetchone()
            gone = max(old, count[0] - MOST_WAITING)
            if gone <= 0:
                return
            last = self._connection.execute(
                f"SELECT run.id {_FROM} WHERE {waiting} ORDER BY run.id LIMIT 1 OFFSET ?",
                (gone - 1,),
            ).fetchone()
            dropped = _number(state, "dropped") + gone
            _set(self._connection, cursor=last[0], dropped=dropped)

    @staticmethod
    def _waiting_ids(state: Mapping[str, str]) -> str:
        """The condition of the runs that wait to be sent."""
        places = ",".join(str(int(it)) for it in json.loads(state.get("places", "[]")))
        return f"run.id > {_number(state, 'cursor')} AND run.project IN ({places}) AND {_MAY_LEAVE}"

    def next_batch(
        self,
        projects: Mapping[int, str],
        hashes: HashKeys,
        sealed: Callable[[str], str],
        name: str,
    ) -> Batch | None:
        """The batch that is on its way, else a new one of the runs that wait; None where none do.

        `projects` are the hashes of the projects whose runs may leave, by the ids of their places.
        """
        with self._transaction():
            found = self._connection.execute("SELECT * FROM team_batch LIMIT 1").fetchone()
            if found is not None:
                return Batch(found[0], found[1], found[2], json.loads(found[3]))
            state = _state(self._connection)
            batch, cursor, sent = self._made(
                projects, hashes, sealed, _number(state, "cursor"), self._differences()
            )
            _set(self._connection, cursor=cursor)
            if batch is None:
                return None
            batch = attrs.evolve(batch, name=name, upto=_number(state, "upto") + 1)
            self._connection.execute(
                "INSERT INTO team_batch VALUES(?, ?, ?, ?)",
                (batch.name, batch.upto, batch.runs, json.dumps(batch.rows)),
            )
            self._connection.executemany(
                """INSERT INTO team_sent VALUES(?,?,?,?,?,?,?)
                ON CONFLICT DO UPDATE SET runs = runs + excluded.runs""",
                [(*key, runs) for key, runs in sent.items()],
            )
            self._connection.execute("DELETE FROM team_difference")
            return batch

    def preview(
        self, projects: Mapping[int, str], hashes: HashKeys, sealed: Callable[[str], str]
    ) -> list[Batch]:
        """The batches that the next pushes send, without a change."""
        found = self._connection.execute("SELECT * FROM team_batch LIMIT 1").fetchall()
        batches = [Batch(name, upto, runs, json.loads(rows)) for name, upto, runs, rows in found]
        removed = self._differences()
        cursor = _number(_state(self._connection), "cursor")
        while True:
            batch, cursor, _ = self._made(projects, hashes, sealed, cursor, removed)
            if batch is None:
                return batches
            batches.append(batch)
            removed = []

    def _differences(self) -> list[Given]:
        """What is to be taken out because it was forgotten here."""
        rows = self._connection.execute(
            "SELECT project, template, outcome, code, runs FROM team_difference"
        )
        return [given_of(*row) for row in rows]

    def _made(
        self,
        projects: Mapping[int, str],
        hashes: HashKeys,
        sealed: Callable[[str], str],
        cursor: int,
        removed: Sequence[Given],
    ) -> tuple[Batch | None, int, Counter[_Sent]]:
        """The batch of the runs after `cursor`, where that is then, and how often each kind of run is in it.

        Its name and its number are to be given to it.
        """
        sent: Counter[_Sent] = Counter()
        texts: dict[str, str] = {}
        more = True
        while more and sent.total() < RUNS_A_BATCH:
            rows = self._connection.execute(
                f"""SELECT run.id, run.project, run.command, template.text, run.outcome,
                run.neutral, run.hiding, run.duration_ms, {_MAY_LEAVE}
                FROM run LEFT JOIN pattern AS template ON template.key = run.template
                WHERE run.id > ? ORDER BY run.id LIMIT ?""",
                (cursor, SCANNED_RUNS),
            )
            more = False
            for key, place, command, text, outcome, neutral, hiding, duration_ms, leaves in rows:
                cursor, more = key, True
                if not leaves or place not in projects:
                    continue
                with reading("a run of the log"):
                    word = OUTCOMES[outcome]
                    kind = kind_of(word, neutral=bool(neutral), hiding=bool(hiding))
                    code = NO_DURATION
                    if duration_ms is not None:
                        code = code_of(duration_ms, word, neutral=bool(neutral))
                template = hashes.template_hash(text)
                texts[template] = text
                sent[_Sent(place, command, projects[place], template, kind, code)] += 1
                if sent.total() >= RUNS_A_BATCH:
                    break
        if not sent and not removed:
            return None, cursor, sent
        added = [
            given_of(it.project, it.template, it.outcome, it.code, n) for it, n in sent.items()
        ]
        parts = {
            "add": [it.row(sealed(texts[it.template])) for it in summed(added)],
            "remove": [it.row() for it in summed(removed)],
        }
        rows_of_batch = {part: rows for part, rows in parts.items() if rows}
        return Batch("", 0, sent.total(), rows_of_batch), cursor, sent

    def delivered(self, name: str, upto: int, now: float) -> None:
        """The server has that batch."""
        with self._transaction():
            state = _state(self._connection)
            found = self._connection.execute(
                "SELECT runs FROM team_batch WHERE name = ?", (name,)
            ).fetchone()
            runs = found[0] if found else 0
            self._connection.execute("DELETE FROM team_batch WHERE name = ?", (name,))
            sent = _number(state, "sent") + runs
            _set(self._connection, sent=sent, upto=max(_number(state, "upto"), upto), last_push=now)
            _unset(self._connection, "error")

    def renumber(self, name: str, upto: int) -> None:
        """The server's number of this agent's last batch is `upto`: the batch on its way comes after it."""
        with self._transaction():
            self._connection.execute(
                "UPDATE team_batch SET upto = ? WHERE name = ?", (upto + 1, name)
            )

    def failed(self, problem: str) -> None:
        """Sharing failed, for a reason to be shown until it works again."""
        with self._transaction():
            _set(self._connection, error=problem)

    def begin_pull(self, team: str, projects: Collection[str]) -> Pulled:
        """Let go of what is kept of other teams and projects; gives what is known of these."""
        with self._transaction():
            state = _state(self._connection)
            if state.get("figures_of") != team:
                self._connection.execute("DELETE FROM team_figure")
                state = {}
            since = tuple(int(it) for it in state.get("since", "0 0").split(" ", 1))
            pulled = frozenset(json.loads(state.get("pulled", "[]"))) & frozenset(projects)
            self._connection.execute(
                "DELETE FROM team_figure WHERE project NOT IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(projects)),),
            )
            found = Pulled(pulled, (since[0], since[1]))
            self._keep_pulled(found)
            _set(self._connection, figures_of=team)
            return found

    def _keep_pulled(self, pulled: Pulled) -> None:
        _set(
            self._connection,
            pulled=json.dumps(sorted(pulled.projects)),
            since=f"{pulled.since[0]} {pulled.since[1]}",
        )

    def keep(
        self,
        figures: Sequence[TeamFigure],
        gone: Sequence[Gone],
        pulled: Pulled,
        *,
        agents: int,
        hashes: HashKeys,
        now: float,
    ) -> None:
        """Keep what the team told, and of which projects all is known from when on."""
        with self._transaction():
            self._connection.executemany(
                "DELETE FROM team_figure WHERE project = ? AND template_hash = ?",
                [(it.project, it.template_hash) for it in gone],
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO team_figure VALUES(?,?,?,?,?,?,?,?,?)",
                [
                    (
                        it.project,
                        PatternKey(PatternKind.TEMPLATE, it.template).key,
                        hashes.template_hash(it.template),
                        it.agents,
                        *attrs.astuple(it.outcomes),
                        json.dumps(sorted(it.durations.counts.items())),
                    )
                    for it in figures
                ],
            )
            (count,) = self._connection.execute("SELECT count(*) FROM team_figure").fetchone()
            if count > MOST_FIGURES:
                self._connection.execute(
                    """DELETE FROM team_figure WHERE (project, template) IN (SELECT project, template
                    FROM team_figure ORDER BY succeeded + failed + timed_out + killed LIMIT ?)""",
                    (count - MOST_FIGURES,),
                )
            self._keep_pulled(pulled)
            _set(self._connection, agents=agents, last_pull=now)
            _unset(self._connection, "error")

    @property
    def problem(self) -> str | None:
        """Why the last exchange failed, None if it did not."""
        return _state(self._connection).get("error")

    def counts(self) -> TeamCounts:
        """What is known of the sharing; `let_go` says before whose runs may leave."""
        state = _state(self._connection)
        waiting, oldest_ms = self._connection.execute(
            f"SELECT count(*), min(run.at_ms) {_FROM} WHERE {self._waiting_ids(state)}"
        ).fetchone()
        (moving,) = self._connection.execute(
            "SELECT coalesce(sum(runs), 0) FROM team_batch"
        ).fetchone()
        (forgotten,) = self._connection.execute(
            "SELECT coalesce(sum(runs), 0) FROM team_difference"
        ).fetchone()
        push, pull = state.get("last_push"), state.get("last_pull")
        return TeamCounts(
            waiting=waiting + moving,
            sent=_number(state, "sent"),
            dropped=_number(state, "dropped"),
            last_push=None if push is None else float(push),
            last_pull=None if pull is None else float(pull),
            agents=_number(state, "agents"),
            error=state.get("error"),
            waits_since=None if oldest_ms is None else oldest_ms / 1000,
            forgotten=forgotten,
        )


def read_figures(
    connection: sqlite3.Connection, project: str, templates: Iterable[int]
) -> dict[int, TeamFigure]:
    """What the team knows of templates, by their keys, in a project."""
    rows = connection.execute(
        """SELECT template, agents, succeeded, failed, timed_out, killed, durations FROM team_figure
        WHERE project = ? AND template IN (SELECT value FROM json_each(?))""",
        (project, json.dumps(list(templates))),
    )
    found: dict[int, TeamFigure] = {}
    for template, agents, *outcomes, durations in rows:
        with reading("what the team told"):
            histogram = Histogram({int(code): int(n) for code, n in json.loads(durations)})
        if agents >= MIN_AGENTS:
            found[template] = TeamFigure(project, "", agents, Outcomes(*outcomes), histogram)
    return found


def hash_keys(connection: sqlite3.Connection) -> HashKeys | None:
    """The keys of the team that is shared with and whose figures these are, None where none is."""
    state = _state(connection)
    if "project_key" not in state or state.get("figures_of") != state.get("team"):
        return None
    return HashKeys(bytes.fromhex(state["project_key"]), bytes.fromhex(state["template_key"]))


def figures_are_of(connection: sqlite3.Connection, team: str) -> bool:
    """Whether the figures that are kept are this team's."""
    return _state(connection).get("figures_of") == team


def take_back(connection: sqlite3.Connection, condition: str = "1", *values: int) -> None:
    """Let what was given of forgotten runs be taken out; `condition` is on rows of `team_sent`."""
    connection.execute(
        f"""INSERT INTO team_difference SELECT project, template, outcome, code, sum(runs)
        FROM team_sent WHERE {condition} GROUP BY 1, 2, 3, 4
        ON CONFLICT DO UPDATE SET runs = runs + excluded.runs""",
        values,
    )
    connection.execute(f"DELETE FROM team_sent WHERE {condition}", values)


def take_back_run(
    connection: sqlite3.Connection, run_id: int, place: int, command: int, *, kind: int, code: int
) -> None:
    """Let what one run gave be taken out, if it went into a batch."""
    if run_id > _number(_state(connection), "cursor"):
        return
    found = connection.execute(
        """SELECT project, template FROM team_sent
        WHERE place = ? AND command = ? AND outcome = ? AND code = ? LIMIT 1""",
        (place, command, kind, code),
    ).fetchone()
    if found is None:
        return
    key = (place, command, *found, kind, code)
    same = "place = ? AND command = ? AND project = ? AND template = ? AND outcome = ? AND code = ?"
    connection.execute(f"UPDATE team_sent SET runs = runs - 1 WHERE {same}", key)
    connection.execute(f"DELETE FROM team_sent WHERE {same} AND runs <= 0", key)
    connection.execute(
        """INSERT INTO team_difference VALUES(?, ?, ?, ?, 1)
        ON CONFLICT DO UPDATE SET runs = runs + 1""",
        (*found, kind, code),
    )


def after_deletion(connection: sqlite3.Connection) -> None:
    """Set the cursor to the newest run that is left: SQLite gives a deleted run's id again."""
    state = _state(connection)
    if "cursor" in state:
        (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()
        _set(connection, cursor=min(_number(state, "cursor"), newest))


class Kept(NamedTuple):
    """What retention must leave in the log: runs after `cursor`, of `places`."""

    cursor: int
    places: str


def kept_for_team(connection: sqlite3.Connection) -> Kept | None:
    """What waits for the team's server; None where nothing is shared."""
    state = _state(connection)
    if "project_key" not in state:
        return None
    return Kept(_number(state, "cursor"), state.get("places", "[]"))


def note_dropped(connection: sqlite3.Connection, cursor: int, runs: int) -> None:
    """Runs up to `cursor` were let go, `runs` of which would have been sent."""
    dropped = _number(_state(connection), "dropped") + runs
    _set(connection, cursor=cursor, dropped=dropped)


def _state(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, value FROM team_state").fetchall())


def _number(state: Mapping[str, str], name: str) -> int:
    with reading("the sharing with the team"):
        return int(state.get(name, "0"))


def _set(connection: sqlite3.Connection, **values: str | float) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO team_state VALUES(?, ?)",
        [(name, str(value)) for name, value in values.items()],
    )


def _unset(connection: sqlite3.Connection, *names: str) -> None:
    connection.executemany("DELETE FROM team_state WHERE name = ?", [(name,) for name in names])
