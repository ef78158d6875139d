"""Tests of the ancestor's databases: their rows are imported redacted, and it can go on writing (ALAN-3)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.alan.ancestor_file import Ancestor, make
from tests.alan.test_agreed_names import query
from tests.alan.world import START, World
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.store import Store

SECRET = "hunter2" * 3
DAY = 86_400.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alan.db"


def open_store(path: Path) -> World:
    store = Store(open_database(path))
    store.import_ancestor_rows()
    return World(store)


def filled(path: Path) -> Ancestor:
    ancestor = make(path, "ancestor-0.5.1")
    ancestor.record("git push origin a", 0, 4000, at=START - 2 * DAY, output="a snippet")
    ancestor.record("git push origin b", 1, 5000, at=START - DAY)
    ancestor.record(f"mysql -uroot -p{SECRET} db", 0, 6000, at=START - 60)
    ancestor.record_recent(f"mysql -uroot -p{SECRET} db", 0, START - 60)
    return ancestor


@pytest.mark.parametrize(
    "scripts", [("ancestor-0.1",), ("ancestor-0.5.1",), ("ancestor-0.5.1", "ancestor-designed")]
)
def test_each_of_its_schemas_opens_and_its_rows_are_taken_in(
    path: Path, scripts: tuple[str, ...]
) -> None:
    ancestor = make(path, *scripts)
    ancestor.record("make all", 0, 7000, at=START - 60)
    ancestor.record("make all", 2, 9000, at=START - 30)
    ancestor.record("make all", 124, 120_000, at=START - 10, timed_out=True)
    world = open_store(path)
    past = world.past("make all")
    assert (past.runs, past.everywhere.runs) == (0, 3)
    [streak] = query(path, "SELECT current_streak FROM streaks WHERE current_streak < -1")
    assert streak == {"current_streak": -2}
    durations = world.store.command_stats("make all").durations
    assert (durations.median_s, durations.samples) == (9.0, 2)
    outcomes = query(path, "SELECT outcome_type FROM observations ORDER BY created_at")
    assert [row["outcome_type"] for row in outcomes] == ["SUCCESS", "FAILURE", "TIMEOUT"]
    assert query(path, "SELECT kill_elapsed_ms FROM observations LIMIT 1")
    assert query(path, "SELECT count(*) AS n FROM recent_commands WHERE outcome_type IS NULL")


def test_a_copy_of_the_file_as_it_was_is_kept_beside_it_once(path: Path) -> None:
    filled(path)
    before = query(path, "SELECT * FROM observations")
    open_store(path).store.close()
    copy = path.with_name("alan.db.before-zsh-ls")
    assert query(copy, "SELECT * FROM observations") == before
    assert copy.stat().st_mode & 0o777 == 0o600
    kept = copy.read_bytes()
    open_store(path).store.close()
    assert copy.read_bytes() == kept
    assert sorted(it.name for it in path.parent.iterdir()) == ["alan.db", "alan.db.before-zsh-ls"]


def test_weights_are_made_from_the_age_of_rows_not_from_what_it_stored(path: Path) -> None:
    ancestor = make(path, "ancestor-0.5.1")
    ancestor.record("make all", 0, 1000, at=START - DAY)
    ancestor.record("make all", 1, 1000, at=START)
    assert open_store(path).past("make all").everywhere.success_rate == pytest.approx(0.5 / 1.5)


def test_secrets_and_snippets_are_gone_from_the_file(path: Path) -> None:
    filled(path)
    assert SECRET.encode() in path.read_bytes()
    open_store(path).store.close()
    held = path.read_bytes()
    assert SECRET.encode() not in held
    assert b"a snippet" not in held


def test_a_secret_in_a_row_it_deleted_long_ago_is_gone_too(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("DELETE FROM observations")
        connection.execute("DELETE FROM recent_commands")
    assert SECRET.encode() in path.read_bytes()
    open_store(path).store.close()
    assert SECRET.encode() not in path.read_bytes()


def test_segment_rows_are_segments_and_no_duration_samples(path: Path) -> None:
    ancestor = make(path, "ancestor-0.5.1")
    segments = (("cat f", 1), ("grep x", 0))
    ancestor.record("cat f | grep x", 0, 3000, at=START - 60, segments=segments)
    world = open_store(path)
    assert world.past("cat f").runs == 0
    assert world.store.command_stats("cat f").durations.samples == 0
    assert world.store.memory_stats("s1", START).observations == 1


def test_it_can_go_on_writing_and_its_rows_are_taken_in_at_the_next_opening(path: Path) -> None:
    ancestor = filled(path)
    world = open_store(path)
    ancestor.start()
    ancestor.record(f"curl -u me:{SECRET} https://example.org", 0, 1000, at=START - 5)
    ancestor.record("git push origin c", 0, 1000, at=START - 4)
    world.store.close()
    world = open_store(path)
    assert world.store.command_stats("git push origin x").runs == 3
    world.store.close()
    assert SECRET.encode() not in path.read_bytes()
    assert open_store(path).store.command_stats("git push origin x").runs == 3


def test_both_see_our_runs_under_the_agreed_names_and_none_is_counted_twice(path: Path) -> None:
    filled(path)
    world = open_store(path)
    world.run("make", 2)
    world.kill("ssh web uptime", after=1.5)
    rows = query(path, "SELECT * FROM observations WHERE origin = 'editor' ORDER BY created_at")
    assert [row["outcome_type"] for row in rows] == ["FAILURE", "KILLED"]
    assert [row["kill_elapsed_ms"] for row in rows] == [None, 1500]
    assert len(query(path, "SELECT * FROM observations")) == 5
    recent = query(path, "SELECT * FROM recent_commands WHERE outcome_type = 'KILLED'")
    assert recent[0]["command_preview"] == "ssh web uptime"
    assert query(path, "SELECT host FROM ssh_observations") == [{"host": "web"}]
    hashes = query(path, "SELECT command_hash, current_streak FROM streaks")
    assert {row["command_hash"] for row in rows} <= {row["command_hash"] for row in hashes}
    world.store.close()
    assert open_store(path).store.command_stats("make").runs == 1


def test_its_pruning_takes_only_copies(path: Path) -> None:
    ancestor = filled(path)
    world = open_store(path)
    world.run("make")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE observations SET weight = 0")
    ancestor.prune()
    assert query(path, "SELECT * FROM observations") == []
    assert world.past("make").runs == 1
    assert world.store.command_stats("git push origin x").runs == 2


def test_its_option_tables_are_read_again_from_the_page(path: Path) -> None:
    make(path, "ancestor-0.5.1")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO manopt_cache VALUES('grep', '-i', '2026-01-01T00:00:00')")
    world = open_store(path)
    assert world.store.manopt("grep") == "-i"
    assert world.store.manopt("grep", 5.0) is None


def test_rows_with_nonsense_in_them_are_taken_in_for_what_they_are(path: Path) -> None:
    make(path, "ancestor-0.5.1")
    with sqlite3.connect(path) as connection:
        connection.execute(
            """INSERT INTO observations(id, command_hash, command_preview, created_at)
            VALUES('x', '', NULL, 'yesterday'), ('y', '', 'make all', 'never'),
            ('z', '', 'make all', '2026-09-01T00:00:00')"""
        )
    assert open_store(path).past("make all").everywhere.runs == 2
