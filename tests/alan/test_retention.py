"""Tests of retention: faded runs leave the log, patterns stay longer, a sweep is bounded (ALAN-5)."""

from __future__ import annotations

from tests.alan.world import World
from zsh_ls.alan.store.database import open_memory
from zsh_ls.alan.store.retention import RUNS_A_SWEEP, kept_in_log_ms
from zsh_ls.alan.store.store import HOUR_MS, MOST_UNSWEPT, RUNS_BETWEEN_SWEEPS, Store

DAY = 86_400.0


def sweep(world: World) -> None:
    for _ in range(RUNS_BETWEEN_SWEEPS):
        world.run("true")
    world.store.tidy()


def test_without_a_quiet_moment_recording_sweeps_itself() -> None:
    world = World()
    world.run("make", lasted=50)
    world.wait(7 * DAY)
    for _ in range(MOST_UNSWEPT):
        world.run("true")
    assert world.store.command_stats("make").recent == ()


def test_a_run_leaves_the_log_when_its_weight_falls_below_a_hundredth() -> None:
    assert 6.6 < kept_in_log_ms(24 * HOUR_MS) / HOUR_MS / 24 < 6.7
    world = World()
    world.run("make", lasted=50)
    world.wait(6.5 * DAY)
    sweep(world)
    assert len(world.store.command_stats("make").recent) == 1
    world.wait(0.3 * DAY)
    sweep(world)
    assert world.store.command_stats("make").recent == ()


def test_what_was_learnt_stays_after_the_runs_are_gone() -> None:
    world = World()
    for _ in range(3):
        world.run("make", lasted=50)
    world.wait(60 * DAY)
    sweep(world)
    past = world.past("make")
    assert (past.runs, past.streak, past.mean_duration_s) == (3, 3, 50.0)
    assert past.estimate is not None


def test_a_pattern_seen_once_or_twice_goes_after_three_months() -> None:
    world = World()
    world.run("make rare")
    for _ in range(3):
        world.run("make often")
    world.wait(100 * DAY)
    for _ in range(3):
        sweep(world)
    assert world.past("make rare").runs == 0
    assert world.past("make often").runs == 3


def test_the_half_life_is_the_one_asked_for_and_nonsense_is_a_day() -> None:
    for half_life_h, expected in ((1.0, 1 / 3), (0.0, 0.5), (float("nan"), 0.5)):
        world = World(Store(open_memory(), half_life_h=half_life_h))
        world.run("make", 1, lasted=0)
        world.wait(3600)
        world.run("make", lasted=0)
        rate = world.past("make").success_rate
        assert abs(rate - 1 / (1 + 0.5 ** (1 if half_life_h == 1.0 else 1 / 24))) < 1e-9 or (
            abs(rate - expected) < 1e-9
        )


def test_a_sweep_takes_a_bounded_number_of_runs() -> None:
    world = World()
    runs = RUNS_A_SWEEP + 3 * RUNS_BETWEEN_SWEEPS
    for _ in range(runs):
        world.run("make", lasted=0)
    world.wait(30 * DAY)
    world.store.tidy()
    before = world.store.observations()
    sweep(world)
    left = world.store.observations() - RUNS_BETWEEN_SWEEPS
    assert 0 < before - left <= RUNS_A_SWEEP


def test_a_host_a_remote_command_has_not_seen_for_two_years_is_counted_no_more() -> None:
    world = World()
    world.run("ssh old uptime")
    for year in range(3):
        world.run("ssh new uptime")
        sweep(world)
        remote = world.past("ssh new uptime").remote
        assert remote is not None
        assert remote.hosts == (2 if year < 2 else 1)
        world.wait(366 * DAY)


def test_the_log_has_a_cap_of_its_own() -> None:
    world = World(Store(open_memory(), log_cap=100))
    for _ in range(5):
        sweep(world)
    assert world.store.observations() == 100


def test_a_timeout_long_past_leaves_no_text_behind() -> None:
    world = World()
    world.time_out("sleep 900")
    world.wait(2 * DAY)
    sweep(world)
    rows = world.store._connection.execute("SELECT * FROM circuit").fetchall()
    assert rows == []
