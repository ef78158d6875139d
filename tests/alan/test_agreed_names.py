"""Tests of the tables that other programs read in the database (ALAN-2, 3, 6, 7)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.alan.world import World


def query(path: Path, sql: str) -> list[dict[str, Any]]:
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alan.db"


@pytest.fixture
def world(path: Path) -> World:
    return World.on_file(path)


def test_a_run_is_a_row_of_observations(world: World, path: Path) -> None:
    world.run("git push origin feature-1", 1, lasted=2.5)
    (row,) = query(path, "SELECT * FROM observations")
    expected = {
        "command_template": "git push origin *",
        "command_preview": "git push origin feature-1",
        "exit_code": 1,
        "duration_ms": 2500,
        "timed_out": 0,
        "created_at": "2026-09-21T14:13:22.500+00:00",
        "outcome_type": "FAILURE",
        "kill_elapsed_ms": None,
        "origin": "editor",
        "session_id": "s1",
    }
    assert row.items() >= expected.items()
    assert len(row["command_hash"]) == 16


def test_a_kill_is_stored_with_exit_minus_9_and_its_time(world: World, path: Path) -> None:
    world.kill("sleep 60", after=1.2)
    (row,) = query(path, "SELECT * FROM observations")
    assert (row["outcome_type"], row["exit_code"], row["kill_elapsed_ms"]) == ("KILLED", -9, 1200)
    assert row["pipestatus"] is None


def test_a_timeout_is_stored_with_exit_124(world: World, path: Path) -> None:
    world.time_out("sleep 600", after=120)
    (row,) = query(path, "SELECT * FROM observations")
    assert (row["outcome_type"], row["exit_code"], row["timed_out"]) == ("TIMEOUT", 124, 1)


def test_a_segment_is_remembered_with_its_own_exit_and_is_no_row_of_observations(
    world: World, path: Path
) -> None:
    world.run("cat f | grep x | sort", 0, pipestatus=(1, 0, 0), lasted=20)
    (row,) = query(path, "SELECT pipestatus FROM observations")
    assert row["pipestatus"] == "1 0 0"
    segments = query(path, "SELECT command_template, last_exit FROM segments ORDER BY 1")
    assert segments == [
        {"command_template": "cat *", "last_exit": 1},
        {"command_template": "grep *", "last_exit": 0},
        {"command_template": "sort", "last_exit": 0},
    ]
    stats = world.store.command_stats("cat g")
    assert (stats.known, stats.durations.samples) == (True, 0)


def test_two_like_segments_of_one_pipeline_are_two_observations(world: World, path: Path) -> None:
    world.run("grep a f | grep b", 1, pipestatus=(0, 1))
    (row,) = query(path, "SELECT runs, succeeded, last_exit FROM segments")
    assert row == {"runs": 2, "succeeded": 1, "last_exit": 1}


def test_recent_commands_and_streaks_can_be_queried(world: World, path: Path) -> None:
    world.run("make")
    world.run("make")
    world.kill("make", after=1)
    rows = query(path, "SELECT outcome_type, success FROM recent_commands ORDER BY timestamp")
    assert [(row["outcome_type"], row["success"]) for row in rows] == [
        ("SUCCESS", 1),
        ("SUCCESS", 1),
        ("KILLED", 0),
    ]
    (streak,) = query(path, "SELECT * FROM streaks")
    assert (streak["current_streak"], streak["longest_success_streak"]) == (-1, 2)
    (hash_of_run,) = query(path, "SELECT DISTINCT command_hash FROM observations")
    assert streak["command_hash"] == hash_of_run["command_hash"]


@pytest.mark.parametrize(
    ("exit_status", "exit_type"),
    [(0, "success"), (255, "connection_failed"), (1, "command_failed"), (254, "command_failed")],
)
def test_ssh_is_observed_with_what_its_exit_says(
    world: World, path: Path, exit_status: int, exit_type: str
) -> None:
    world.run("ssh me@web systemctl status nginx", exit_status)
    (row,) = query(path, "SELECT * FROM ssh_observations")
    assert (row["host"], row["exit_type"]) == ("web", exit_type)
    assert row["remote_command_template"].startswith("systemctl status")


def test_an_ssh_that_was_cut_short_says_nothing_of_the_host(world: World, path: Path) -> None:
    world.kill("ssh web uptime", after=1)
    (row,) = query(path, "SELECT exit_type FROM ssh_observations")
    assert row["exit_type"] == "unknown"
    assert world.past("ssh web uptime").host is None


def test_secrets_and_texts_that_begin_with_a_space_do_not_reach_the_file(
    world: World, path: Path
) -> None:
    secret = "hunter" + "2hunter2"
    world.run(f"mysql -uroot -p{secret} db")
    world.run(" make unmentionable")
    world.store.close()
    held = path.read_bytes()
    assert secret.encode() not in held
    previews = [row["command_preview"] for row in query(path, "SELECT * FROM observations")]
    assert previews[1] is None
    assert b"make unmentionable" not in held


def test_the_option_table_of_a_page_is_kept_until_the_page_changes(
    world: World, path: Path
) -> None:
    world.store.store_manopt("git-push", "-f, --force", 12.5, world.clock.at)
    (row,) = query(path, "SELECT base_command, options_text, created_at FROM manopt_cache")
    assert row["base_command"] == "git-push"
    assert world.store.manopt("git-push") == world.store.manopt("git-push", 12.5) == "-f, --force"
    assert world.store.manopt("git-push", 13.0) is None
    assert world.store.manopt("git-pull") is None
    assert world.store.manopt("\ud800") is None  # no text, as a command's name may be


def test_meta_can_be_queried(world: World, path: Path) -> None:
    assert [set(row) for row in query(path, "SELECT * FROM meta")] == [{"key", "value"}]


def test_a_segment_whose_reader_has_had_enough_did_not_fail(world: World, path: Path) -> None:
    world.run("yes | head -1", pipestatus=(141, 0))
    (row,) = query(path, "SELECT * FROM segments WHERE command_template = 'yes'")
    assert (row["runs"], row["succeeded"], row["last_exit"]) == (1, 1, 141)
