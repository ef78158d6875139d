"""Tests that a file of every released schema opens and keeps its content."""

from __future__ import annotations

import sqlite3
import struct
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import World
from zsh_ls.alan.learning.keys import keys_of
from zsh_ls.alan.store.database import open_database, open_memory
from zsh_ls.alan.store.schema import VERSION
from zsh_ls.alan.store.store import Store

SCHEMAS = Path(__file__).parent / "schemas"
FIRST_WITH_PROJECTS = 5


def dumped(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        return "\n".join(
            sql
            for (sql,) in connection.execute(
                "SELECT sql FROM sqlite_master WHERE sql <> '' ORDER BY name"
            )
        )


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_file_of_every_version_opens_and_knows_what_it_knew(version: int, tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    with sqlite3.connect(path) as connection:
        connection.executescript((SCHEMAS / f"v{version}.sql").read_text())
    world = World.on_file(path)
    past = world.past("git push origin a")
    # What was learnt before memory knew projects is of none of them.
    here = (3, -1, 2.0) if version >= FIRST_WITH_PROJECTS else (0, 0, 0.0)
    assert (past.runs, past.streak, past.mean_duration_s) == here
    assert past.everywhere.runs == 3
    assert past.everywhere.success_rate == pytest.approx(2 / 3, abs=0.001)
    assert len(query(path, "SELECT * FROM observations WHERE outcome_type = 'KILLED'")) == 1
    assert world.store.manopt("grep", 7.0) == "-i"
    world.run("git push origin a", lasted=2)
    assert world.past("git push origin a").everywhere.runs == 4


def test_the_hosts_an_older_file_knows_of_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    remote = keys_of("ssh web uptime").remote_key
    with sqlite3.connect(path) as connection:
        connection.executescript((SCHEMAS / "v2.sql").read_text())
        pairs = [(remote, host, 0) for host in range(1000)]
        connection.executemany("INSERT INTO ssh_pair VALUES(?, ?, ?)", pairs)
    world = World.on_file(path)
    world.run("ssh one-more uptime")
    world.run("ssh one-more uptime")
    known = world.past("ssh web uptime").remote
    assert known is not None
    assert known.hosts == 1001


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_texts_of_an_older_file_are_read_again_by_newer_rules(version: int, tmp_path: Path) -> None:
    path, secret = tmp_path / "alan.db", "hunter" * 3
    with sqlite3.connect(path) as connection:
        connection.executescript((SCHEMAS / f"v{version}.sql").read_text())
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'rules_version'")
        connection.execute("UPDATE run SET preview = ?", (f"mysql -uroot -p{secret} db",))
    world = World.on_file(path)
    while world.store.renew_some():
        pass
    assert secret not in str(query(path, "SELECT command_preview FROM observations"))


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_file_of_any_version_that_cannot_be_written_is_still_known(
    version: int, tmp_path: Path
) -> None:
    path = tmp_path / "alan.db"
    with sqlite3.connect(path) as connection:
        connection.executescript((SCHEMAS / f"v{version}.sql").read_text())
    before = path.read_bytes()
    world = World(Store(open_memory(copied_from=path)))
    world.run("git push origin a")
    assert world.past("git push origin a").everywhere.runs == 4
    assert path.read_bytes() == before


def test_the_file_of_the_newest_version_is_what_is_made_today(tmp_path: Path) -> None:
    """If this fails, the schema was changed without a migration: append one, and keep the old file."""
    kept, made = tmp_path / "kept.db", tmp_path / "made.db"
    with sqlite3.connect(kept) as connection:
        connection.executescript((SCHEMAS / f"v{VERSION}.sql").read_text())
    open_database(made).close()
    assert dumped(kept) == dumped(made)


def test_a_version_is_an_entry_in_the_header_with_our_mark(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    World.on_file(path)
    assert query(path, "PRAGMA user_version") == [{"user_version": VERSION}]
    assert query(path, "PRAGMA application_id") == [{"application_id": 0x5A4C5341}]


# POLL-4
def test_what_ctrl_c_ended_is_no_duration_in_an_older_file_either(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    world = World.on_file(path)
    for exit_status, lasted in ((130, 46.0), (1, 46.0), (130, 46.0), (0, 30.0), (130, 31.0)):
        world.run("sleep 30", exit_status, lasted=lasted)
    expected = world.past("sleep 30")
    world.store.close()
    with sqlite3.connect(path) as connection:
        for table in ("pattern", "project_pattern"):
            for key, ring in connection.execute(f"SELECT key, ring FROM {table}").fetchall():
                entries = [entry & ~1 for (entry,) in struct.iter_unpack("<I", ring)]
                old = struct.pack(f"<{len(entries)}I", *entries)
                total_ms = sum((entry & 2**31 - 1) >> 1 for entry in entries)
                connection.execute(
                    f"UPDATE {table} SET ring=?, total_ms=?, samples=? WHERE key=?",
                    (old, total_ms, len(entries), key),
                )
        connection.execute("PRAGMA user_version=10")
    with sqlite3.connect(path) as connection:
        assert len(query(path, "SELECT * FROM pattern WHERE samples = 5")) >= 3
    world = World.on_file(path)
    known = world.past("sleep 30")
    assert (known.ended, known.mean_duration_s) == (2, 38.0)
    assert sorted(known.own_durations) == sorted(expected.own_durations)
    assert known.estimate == expected.estimate
