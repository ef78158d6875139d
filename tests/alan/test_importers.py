"""Tests of imported histories: each run once, redacted, and unknown values stay unknown."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.alan.ancestor_file import make
from tests.alan.test_agreed_names import query
from tests.alan.world import START, World, execution
from zsh_ls.alan.importers import IMPORTERS, Summary, UnreadableHistory, fill
from zsh_ls.alan.importers.filling import ROWS_A_BATCH
from zsh_ls.alan.learning.keys import keys_of
from zsh_ls.alan.learning.reading_ahead import ReadingAhead
from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.alan.store.database import open_memory
from zsh_ls.alan.store.store import Store
from zsh_ls.model.words import Origin

NS = 1_000_000_000
SECRET = "hunter2" * 3
AT = int(START)


def atuin(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(
            """CREATE TABLE history (id text primary key, timestamp integer not null,
            duration integer not null, exit integer not null, command text not null,
            cwd text not null, session text not null, hostname text not null, deleted_at integer,
            unique(timestamp, cwd, command))"""
        )
        rows = [
            ("a", AT * NS, 4 * NS, 0, "make all", None),
            ("b", (AT + 9) * NS, 2 * NS, 1, "make all", None),
            ("c", (AT + 20) * NS, -1, -1, "make all", None),
            ("d", (AT + 30) * NS, NS, 0, f"mysql -uroot -p{SECRET} db", None),
            ("e", (AT + 40) * NS, NS, 0, "make all", 5),
        ]
        connection.executemany(
            "INSERT INTO history VALUES(?1, ?2, ?3, ?4, ?5, '/', 's', 'me:here', ?6)", rows
        )


def histdb(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            f"""CREATE TABLE commands (id integer primary key autoincrement, argv text,
                unique(argv) on conflict ignore);
            CREATE TABLE places (id integer primary key autoincrement, host text, dir text);
            CREATE TABLE history (id integer primary key autoincrement, session int,
                command_id int, place_id int, exit_status int, start_time int, duration int);
            INSERT INTO commands(argv) VALUES ('make all'), ('mysql -uroot -p{SECRET} db');
            INSERT INTO history(session, command_id, place_id, exit_status, start_time, duration)
            VALUES (1, 1, 1, 0, {AT}, 4), (1, 1, 1, 1, {AT + 9}, 2), (1, 1, 1, NULL, {AT + 20}, NULL),
                (1, 2, 1, 0, {AT + 30}, 1), (1, 1, 1, 0, NULL, 1);"""
        )


def zsh_history(path: Path) -> None:
    path.write_bytes(
        b": %d:4;make all\n: %d:2;make all\n: %d:0;make all\n: %d:1;mysql -uroot -p%s db\n"
        b"make all\n" % (AT, AT + 9, AT + 20, AT + 30, SECRET.encode())
    )


def zsh_tool(path: Path) -> None:
    ancestor = make(path, "ancestor-0.5.1")
    ancestor.record("make all", 0, 4000, at=AT + 4)
    ancestor.record("make all", 1, 2000, at=AT + 11)
    ancestor.record(f"mysql -uroot -p{SECRET} db", 0, 1000, at=AT + 31)


SOURCES = {"atuin": atuin, "histdb": histdb, "zsh-history": zsh_history, "zsh-tool": zsh_tool}


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def history(source: str, tmp_path: Path) -> Path:
    path = tmp_path / "history"
    SOURCES[source](path)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alan.db"


def filled(path: Path, source: str, history: Path) -> tuple[World, Summary]:
    world = World.on_file(path)
    return world, fill(world.store, source, IMPORTERS[source].read(history))


def test_what_is_known_is_taken_in_and_what_is_not_stays_unknown(
    path: Path, source: str, history: Path
) -> None:
    world, summary = filled(path, source, history)
    past, stats = world.past("make all").everywhere, world.store.command_stats("make all")
    if source == "zsh-history":
        assert (past.runs, past.unjudged, past.success_rate, stats.streak) == (0, 3, 0.0, 0)
        assert summary.without_exit == 4
    else:
        assert (past.runs, stats.streak) == (2, -1)
        assert past.success_rate == pytest.approx(0.5, abs=0.001)
    assert stats.durations.samples == 2
    assert {run.origin for run in stats.recent} == {"import"}


def test_nothing_invents_a_success(path: Path, source: str, history: Path) -> None:
    filled(path, source, history)
    known = {"zsh-history": 0}.get(source, 2)
    successes = query(path, "SELECT * FROM observations WHERE outcome_type = 'SUCCESS'")
    assert len(successes) == known
    unknown = query(path, "SELECT exit_code FROM observations WHERE outcome_type IS NULL")
    assert all(row["exit_code"] is None for row in unknown)


def test_secrets_stay_outside(path: Path, source: str, history: Path) -> None:
    world, _ = filled(path, source, history)
    world.store.close()
    assert SECRET.encode() not in path.read_bytes()


def test_taking_it_in_again_changes_nothing(path: Path, source: str, history: Path) -> None:
    world, first = filled(path, source, history)
    before = world.past("make all")
    world.store.close()
    world, again = filled(path, source, history)
    assert (again.taken, again.known_before) == (0, first.taken)
    assert world.past("make all") == before


# ALAN-13
def test_what_a_terminals_hook_told_of_already_is_not_taken_in_again(
    path: Path, source: str, history: Path
) -> None:
    """A history that is imported after a time with the hook has each run that the hook told of."""
    world = World.on_file(path)
    told = execution("make all", 0, at=AT + 0.6, lasted=4.1, origin=Origin.TERMINAL)
    elsewhere = execution("make all", 0, at=AT + 300, lasted=4.1, origin=Origin.TERMINAL)
    world.store.record(told)
    world.store.record(elsewhere)
    world, summary = filled(path, source, history)
    recent = world.store.command_stats("make all").recent
    assert sorted(run.origin for run in recent) == ["import"] * (len(recent) - 2) + ["terminal"] * 2
    assert summary.known_before == 1
    _, again = filled(path, source, history)
    assert again.taken == 0


def test_rows_that_cannot_be_taken_are_counted_by_reason(
    path: Path, source: str, history: Path
) -> None:
    _, summary = filled(path, source, history)
    reasons = {
        "atuin": {"deleted there": 1},
        "histdb": {"without a time": 1},
        "zsh-history": {"without a time": 1},
        "zsh-tool": {},
    }
    assert dict(summary.left) == reasons[source]
    assert summary.seen == summary.taken + sum(summary.left.values())


def test_a_file_that_is_not_there_or_of_another_kind_is_said(source: str, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(UnreadableHistory, match="nowhere"):
        list(IMPORTERS[source].read(missing))
    if source != "zsh-history":
        wrong = tmp_path / "wrong.db"
        with sqlite3.connect(wrong) as connection:
            connection.execute("CREATE TABLE other(x)")
        with pytest.raises(UnreadableHistory, match="wrong"):
            list(IMPORTERS[source].read(wrong))


def test_zsh_entries_of_several_lines_and_metafied_bytes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "history"
    metafied = b"echo " + bytes(
        piece
        for byte in "naïve\u2192".encode()
        for piece in ((0x83, byte ^ 0x20) if 0x83 <= byte <= 0xA2 else (byte,))
    )
    path.write_bytes(b": 5:2;for x in a b\\\ndo echo $x\\\ndone\n: 9:0;" + metafied + b"\n")
    first, second = IMPORTERS["zsh-history"].read(path)
    assert isinstance(first, HistoryRow)
    assert isinstance(second, HistoryRow)
    assert first.command == "for x in a b\ndo echo $x\ndone"
    assert second.command == "echo naïve→"


def test_an_interrupted_import_leaves_whole_batches_and_goes_on_later(
    path: Path, tmp_path: Path
) -> None:
    history = tmp_path / "history"
    history.write_bytes(
        b"".join(b": %d:1;make t%d\n" % (AT + n, n % 50) for n in range(ROWS_A_BATCH + 5000))
    )
    world = World.on_file(path)

    def interrupt(summary: Summary) -> None:
        if summary.seen >= ROWS_A_BATCH:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(world.store, "zsh-history", IMPORTERS["zsh-history"].read(history), interrupt)
    taken = world.store.observations()
    assert taken == ROWS_A_BATCH
    world.store.close()
    world, summary = filled(path, "zsh-history", history)
    assert (summary.known_before, summary.taken) == (taken, 5000)
    (check,) = query(path, "PRAGMA integrity_check")
    assert list(check.values()) == ["ok"]


def test_an_old_history_taken_in_late_does_not_turn_a_streak(path: Path, tmp_path: Path) -> None:
    world = World.on_file(path)
    for _ in range(3):
        world.run("make all", lasted=9)
    history = tmp_path / "history"
    with sqlite3.connect(history) as connection:
        connection.execute(
            """CREATE TABLE history (id text, timestamp integer, duration integer, exit integer,
            command text, cwd text, session text, hostname text)"""
        )
        connection.execute(
            "INSERT INTO history VALUES('x', ?, ?, 1, 'make all', '', '', '')",
            ((AT - 86_400) * NS, NS),
        )
    fill(world.store, "atuin", IMPORTERS["atuin"].read(history))
    past = world.past("make all")
    assert (past.streak, past.runs, past.everywhere.runs) == (3, 3, 4)
    assert world.store.command_stats("make all").streak == 3
    assert past.everywhere.success_rate == pytest.approx(3 / 3.5, abs=0.001)


@pytest.mark.slow
def test_a_long_history_is_read_by_other_processes_as_by_this_one(tmp_path: Path) -> None:
    history = tmp_path / "history"
    count = ROWS_A_BATCH + 3000
    history.write_bytes(
        b"".join(b": %d:1;git push origin branch-%d | tail\n" % (AT + n, n) for n in range(count))
    )
    reader = IMPORTERS["zsh-history"].read
    ahead = ReadingAhead()
    memories = []
    for prepare, trace in ((ahead.prepare, ahead.keys_of), (None, keys_of)):
        world = World(Store(open_memory(), keys_of=trace))
        assert fill(world.store, "zsh-history", reader(history), prepare=prepare).taken == count
        memories.append(world.store.command_stats("git push origin branch-7 | tail"))
    ahead.close()
    assert memories[0] == memories[1]
