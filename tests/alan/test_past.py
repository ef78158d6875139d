"""Tests of the figures behind each insight before a run, with a fixed clock (ALAN-8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.alan.world import World
from zsh_ls.alan.store.database import open_reader
from zsh_ls.alan.store.store import Store
from zsh_ls.model.estimate import Sample
from zsh_ls.model.history import RunCounts
from zsh_ls.model.words import Basis

DAY = 86_400.0


def test_nothing_is_known_of_a_command_that_never_ran() -> None:
    past = World().past("make all")
    assert (past.runs, past.retries, past.streak, past.estimate) == (0, RunCounts(), 0, None)


def test_retries_are_runs_of_the_hash_in_this_session_in_the_last_15_minutes() -> None:
    world = World()
    world.run("make 1")
    world.wait(15 * 60 + 1)
    world.run("make 2", 2)
    world.run("make   3", 0)
    world.run("make 4", session="another")
    assert world.past("make 5").retries == RunCounts(1, 2)
    assert world.past("make 5").runs == 4


def test_runs_of_another_text_of_the_hash_are_told_apart_from_those_of_this_one() -> None:
    world = World()
    world.run("make 2", 2)
    assert world.past("make 2").retries_are_of_this_text
    assert not world.past("make 3").retries_are_of_this_text
    world.run("make 3", 2)
    assert not world.past("make 2").retries_are_of_this_text


def test_when_the_latest_run_in_the_window_ended_is_known_whatever_its_numbers() -> None:
    world = World()
    world.run("make 2", 0)
    world.run("make 3", 2)
    assert world.past("make 2").last_retry_at == pytest.approx(world.clock.at)
    world.kill("make 2", after=1.0)
    assert world.past("make 3").last_retry_at == pytest.approx(world.clock.at)
    world.wait(15 * 60 + 1)
    assert not world.past("make 2").retries.total


def test_a_long_run_that_just_ended_is_within_the_window() -> None:
    world = World()
    world.run("make", 2, lasted=3600)
    assert world.past("make").retries == RunCounts(0, 1)


def test_a_retry_is_of_the_hash_whatever_stands_in_the_quotes() -> None:
    world = World()
    world.run("sh -c 'make all'", 2)
    world.run("sh -c 'date'")
    assert world.past("sh -c 'exit 3'").retries == RunCounts(1, 2)
    assert world.past("date").retries == RunCounts()


def test_similar_are_the_five_latest_others_of_the_template_in_the_window() -> None:
    world = World()
    world.run("pip install a", 1)
    for package in ("b", "c", "d", "e", "f"):
        world.run(f"pip install {package}")
    world.run("pip install g", 1)
    assert world.past("pip install x").similar == RunCounts(4, 5)
    assert world.past("pip install g").retries == RunCounts(0, 1)


def test_streaks_are_of_the_hash_and_turn_with_the_first_other_end() -> None:
    world = World()
    for _ in range(3):
        world.run("make")
    assert world.past("make").streak == 3
    world.kill("make", after=1)
    world.time_out("make")
    world.run("make", 2)
    assert world.past("make").streak == -3
    assert world.past("make -j").streak == 0


@pytest.mark.parametrize(
    ("command", "statuses"),
    [("grep x f", (1,)), ("cat f | grep x", (0, 1)), ("sudo diff a b", (1,)), ("test -f x", (1,))],
)
def test_a_known_normal_exit_touches_no_streak_no_retry_and_no_failures_in_row(
    command: str, statuses: tuple[int, ...]
) -> None:
    world = World()
    world.run(command, pipestatus=(0,) * len(statuses))
    world.run(command, statuses[-1], pipestatus=statuses)
    past = world.past(command)
    assert (past.streak, past.retries, past.failures_in_row) == (1, RunCounts(1, 1), 0)
    assert past.runs == 2
    assert world.store.memory_stats("s1", world.clock.at).outcomes["FAILURE"] == 1


def test_an_exit_that_pipefail_took_from_an_earlier_segment_is_a_failure() -> None:
    world = World()
    world.run("set -o pipefail; false | grep x f", 1, pipestatus=(1, 0))
    assert world.past("set -o pipefail; false | grep x f").streak == -1


def test_what_a_negation_made_of_an_exit_is_a_failure() -> None:
    world = World()
    world.run("! grep x f", 1)
    assert world.past("! grep x f").streak == -1


def test_a_real_failure_of_grep_is_no_normal_exit() -> None:
    world = World()
    world.run("grep x /nonexistent", 2)
    assert world.past("grep x /nonexistent").streak == -1


def test_rates_are_weighted_by_age_and_counts_are_plain() -> None:
    world = World()
    world.time_out("fetch", after=0)
    world.wait(DAY)
    world.run("fetch", lasted=0)
    past = world.past("fetch")
    assert past.success_rate == pytest.approx(1 / 1.5)
    assert past.timeout_rate == pytest.approx(0.5 / 1.5)
    assert past.runs == 2


def test_the_mean_is_plain_and_of_runs_that_ended_by_themselves() -> None:
    world = World()
    world.run("build", lasted=10)
    world.wait(10 * DAY)
    world.run("build", 1, lasted=20)
    world.kill("build", after=500)
    assert world.past("build").mean_duration_s == 15.0


def test_few_durations_of_exactly_this_text_are_told_one_by_one() -> None:
    world = World()
    world.run("bench --threads 2", lasted=38)
    world.run("bench --threads 8", 1, lasted=12)
    world.time_out("bench --threads 8", after=120)
    assert world.past("bench --threads 8").own_durations == (
        Sample(12, failed=True),
        Sample(120, censored=True),
    )
    assert world.past("bench --threads 4").own_durations == ()
    for _ in range(2):
        world.run("bench --threads 8", lasted=40)
    assert world.past("bench --threads 8").own_durations == ()


def test_a_normal_exit_elsewhere_is_known_as_one_in_a_project_that_never_ran_it() -> None:
    world = World()
    world.run("grep x f", 2, lasted=0)
    world.wait(DAY)
    world.run("grep x f", 1, lasted=0)
    elsewhere = world.store.past("grep x f", session="s1", now=world.clock.at, project="/two")
    assert elsewhere.everywhere.normal_rate == pytest.approx(1 / 1.5)
    assert elsewhere.everywhere.success_rate == 0.0
    assert world.past("grep x f").everywhere.normal_rate == 0.0


def test_asking_changes_no_weight() -> None:
    world = World()
    world.run("make", 1)
    world.wait(DAY)
    world.run("make")
    first = world.past("make")
    assert all(world.past("make") == first for _ in range(60))


def test_failures_in_row_are_of_the_template_in_the_session() -> None:
    world = World()
    world.run("git push origin a", 1, misused=True)
    world.run("git push origin b", 1, misused=True)
    world.kill("git push origin c", after=1)
    world.time_out("git push origin c")
    world.run("git push origin c", 1, session="another", misused=True)
    assert world.past("git push origin d").failures_in_row == 2
    world.run("git push origin e")
    assert world.past("git push origin d").failures_in_row == 0


def test_a_failure_of_another_kind_ends_the_row_of_failures_of_usage() -> None:
    world = World()
    world.run("git push origin a", 129, misused=True)
    world.run("git push origin b", 1)
    assert world.past("git push origin d").failures_in_row == 0
    world.run("git push origin a", 129, misused=True)
    assert world.past("git push origin d").failures_in_row == 1


def test_hosts_are_judged_by_whether_they_could_be_reached() -> None:
    world = World()
    world.run("ssh me@web uptime", 255)
    world.run("ssh web ls", 2)
    world.run("ssh web ls")
    world.time_out("ssh web ls")
    host = world.past("ssh web df").host
    assert host is not None
    assert (host.host, host.total, host.failed) == ("web", 3, 1)
    assert host.failure_rate == pytest.approx(1 / 3, rel=1e-3)


def test_remote_commands_are_judged_over_all_hosts_where_they_ran() -> None:
    world = World()
    world.run("ssh a systemctl restart nginx", 1)
    world.run("ssh b systemctl restart nginx")
    world.run("ssh c systemctl restart nginx", 255)
    remote = world.past("ssh d systemctl restart nginx").remote
    assert remote is not None
    assert (remote.total, remote.failed, remote.hosts) == (2, 1, 2)
    assert remote.success_rate == pytest.approx(0.5, rel=1e-3)


def test_a_host_is_counted_once_however_often_a_remote_command_runs_there() -> None:
    world = World()
    for _ in range(3):
        world.run("ssh web uptime")
    for _ in range(2):
        world.run("ssh db uptime", 1)
    world.run("ssh db df")
    remote, other = world.past("ssh new uptime").remote, world.past("ssh new df").remote
    assert remote is not None
    assert other is not None
    assert (remote.total, remote.hosts, other.hosts) == (5, 2, 1)


@pytest.mark.parametrize(
    ("runs", "basis", "name"),
    [
        (["pip install a"] * 3, Basis.EXACT, "pip install *"),
        (["pip install  a"] * 5, Basis.COMMAND, "pip install *"),
        (["pip install  a"] * 4, Basis.TEMPLATE, "pip install *"),
        (["pip install b", "pip install c", "pip install d"], Basis.TEMPLATE, "pip install *"),
        (["pip install --user b"] * 3, Basis.BASE, "pip install"),
    ],
)
def test_an_estimate_says_whose_history_it_is(runs: list[str], basis: Basis, name: str) -> None:
    world = World()
    for command in runs:
        world.run(command, lasted=47)
    estimate = world.past("pip install a").estimate
    assert estimate is not None
    assert (estimate.basis, estimate.command_template) == (basis, name)
    assert estimate == world.store.estimate("pip install a")


def test_two_runs_are_too_few_for_an_estimate_and_kills_are_no_samples() -> None:
    world = World()
    world.run("make", lasted=5)
    world.run("make", lasted=5)
    world.kill("make", after=5)
    assert world.past("make").estimate is None


def test_an_estimate_rests_on_the_last_64_runs() -> None:
    world = World()
    for _ in range(64):
        world.run("make", lasted=100)
    for _ in range(33):
        world.run("make", lasted=20)
    estimate = world.past("make").estimate
    assert estimate is not None
    assert (estimate.sample_size, estimate.median_s, estimate.p90_s) == (64, 20.0, 100.0)


def test_a_kill_pushes_the_median_up() -> None:
    world = World()
    for lasted in (1, 2, 3):
        world.run("make", lasted=lasted)
    world.kill("make", after=1.5)
    estimate = world.past("make").estimate
    assert estimate is not None
    assert (estimate.median_s, estimate.sample_size) == (2.0, 3)


def test_many_commands_are_answered_as_one_by_one_and_unknown_ones_by_none() -> None:
    world = World()
    world.run("make", 1)
    world.run("ssh web uptime")
    commands = ["make", "never ran", "ssh web df"]
    asked = world.store.pasts(commands, session="s1", now=world.clock.at)
    assert asked == [world.past("make"), None, world.past("ssh web df")]


def test_a_command_with_a_leading_space_is_learnt_from_like_any_other() -> None:
    world = World()
    world.run(" make")
    assert world.past("make").runs == 1


def test_what_was_read_before_is_read_again_once_another_connection_has_recorded(
    tmp_path: Path,
) -> None:
    path = tmp_path / "alan.db"
    world = World.on_file(path)
    reader = Store(open_reader(path))

    def known() -> list[int]:
        found = reader.pasts(["make", "tar x"], session="s1", now=world.clock.now())
        return [past.everywhere.runs if past else 0 for past in found]

    assert known() == [0, 0]
    world.run("make")
    assert known() == [1, 0]
    assert known() == [1, 0]
    world.run("tar x")
    world.run("make")
    assert known() == [2, 1]
    world.store.forget("make")
    assert known() == [0, 1]
    reader.close()
