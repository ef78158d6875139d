"""Tests that forgetting removes runs and what was learnt from them, and leaves the rest unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.alan.ancestor_file import make
from tests.alan.test_agreed_names import query
from tests.alan.world import START, World
from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.store import Store


def a_day(world: World, *, with_it: bool) -> World:
    """A memory with a day's runs; `with_it` adds those of the command to be forgotten."""
    for n in range(4):
        world.run("git push origin a", n % 2, lasted=8)
        if with_it:
            world.run("git push origin unmentionable", 1, lasted=90)
        world.run("ssh web uptime", lasted=1)
        world.run("cat f | grep x", pipestatus=(n % 2, 0), lasted=0)
        world.wait(3600)
    return world


def test_a_forgotten_command_leaves_its_neighbours_as_if_it_had_never_run(tmp_path: Path) -> None:
    world = a_day(World.on_file(tmp_path / "alan.db"), with_it=True)
    assert world.store.forget("git  push origin  unmentionable") == 4
    never = a_day(World(), with_it=False)
    assert world.past("git push origin unmentionable").runs == 0
    for command in ("git push origin a", "git push origin b", "git push --force"):
        left, expected = world.past(command), never.past(command)
        assert left.estimate == expected.estimate
        assert (left.streak, left.mean_duration_s) == (expected.streak, expected.mean_duration_s)
        stats = world.store.command_stats(command)
        wanted = never.store.command_stats(command)
        assert (stats.runs, stats.durations) == (wanted.runs, wanted.durations)
        assert stats.success_rate == pytest.approx(wanted.success_rate, abs=0.001)
    world.store.close()
    assert b"unmentionable" not in (tmp_path / "alan.db").read_bytes()


def test_forgetting_an_ssh_or_a_pipeline_takes_hosts_and_segments_along() -> None:
    world = a_day(World(), with_it=False)
    world.store.forget("ssh web uptime")
    assert world.past("ssh web uptime").host is None
    assert world.past("ssh web uptime").remote is None
    world.store.forget("cat f | grep x")
    assert not world.store.command_stats("grep y").known


def test_a_remote_command_is_not_told_to_run_on_a_forgotten_host() -> None:
    world = World()
    for host in ("web1", "web2", "web3"):
        world.run(f"ssh {host} uptime")
    world.store.forget("ssh web2 uptime")
    remote = world.past("ssh web1 uptime").remote
    assert remote is not None
    assert (remote.total, remote.hosts) == (2, 2)


def test_what_ran_since_a_time_is_forgotten_and_what_ran_before_stays() -> None:
    world = World()
    world.run("make", lasted=5)
    world.run("make", lasted=5)
    world.wait(60)
    since = world.clock.at
    world.run("make", 1, lasted=50)
    world.run(" make", 1, lasted=50)
    world.kill("cargo build", after=3)
    assert world.store.forget_since(since) == 3
    past = world.past("make")
    assert (past.runs, past.streak, past.mean_duration_s) == (2, 2, 5.0)
    assert past.success_rate == pytest.approx(1.0)
    assert world.past("cargo build").runs == 0
    assert world.kills("cargo build").session_killed == 0


def test_all_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    world = a_day(World.on_file(path), with_it=True)
    world.store.forget_all()
    assert world.past("git push origin a").estimate is None
    assert world.store.memory_stats("s1", world.clock.at).observations == 0
    world.run("make")
    assert world.past("make").runs == 1
    world.store.close()
    assert b"unmentionable" not in path.read_bytes()


def test_what_was_taken_in_and_forgotten_does_not_come_back(tmp_path: Path) -> None:
    world = World.on_file(tmp_path / "alan.db")
    rows = [HistoryRow("1", "make secret-target", round(START * 1000))]
    assert world.store.import_rows("atuin", rows) == 1
    assert world.store.forget("make secret-target") == 1
    assert world.store.import_rows("atuin", rows) == 0
    assert world.past("make secret-target").runs == 0


def test_in_a_file_shared_with_the_ancestor_its_rows_go_too(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    ancestor = make(path, "ancestor-0.5.1")
    ancestor.record("make one", 0, 900, at=START - 50)
    ancestor.record("make two", 0, 900, at=START - 40)
    ancestor.record_recent("make one", 0, START - 50)
    world = World(Store(open_database(path)))
    world.store.import_ancestor_rows()
    world.store.forget("make one")
    left = query(path, "SELECT command_preview FROM observations")
    assert left == [{"command_preview": "make two"}]
    assert query(path, "SELECT * FROM recent_commands") == []
    world.store.forget_since(START - 45)
    assert query(path, "SELECT * FROM observations") == []


def test_forgetting_what_is_not_known_changes_nothing() -> None:
    world = a_day(World(), with_it=False)
    before = world.past("git push origin a")
    assert world.store.forget("git push origin zzz") == 0
    assert world.past("git push origin a") == before


def test_forgetting_shortens_a_row_of_usage_by_its_own_failures_alone() -> None:
    """MAN-1."""
    world = World()
    world.run("git push origin other", 1)
    world.run("git push origin wrong", 1, misused=True)
    world.run("git push origin worse", 1, misused=True)
    assert world.past("git push origin next").failures_in_row == 2
    world.store.forget("git push origin other")
    assert world.past("git push origin next").failures_in_row == 2
    world.store.forget("git push origin wrong")
    assert world.past("git push origin next").failures_in_row == 1
