"""Tests of the queries of question families: runs, templates in order, hosts by failure rate."""

from __future__ import annotations

from tests.alan.world import World
from zsh_ls.model.recall import Recall, RunQuery
from zsh_ls.model.words import Outcome
from zsh_ls.shell.template.identity import NOT_KEPT

HOUR = 3600.0


def recall_of(world: World) -> Recall:
    return world.store.recall()


def commands(world: World, which: RunQuery) -> list[str]:
    runs = recall_of(world).runs(which, limit=10)
    assert recall_of(world).count(which) == len(runs)
    return [run.command for run in runs]


def busy_world() -> World:
    world = World()
    world.run("npm test", lasted=40)
    world.wait(HOUR)
    world.run("npm test", 1, lasted=50)
    world.run("npm install left-pad", lasted=5)
    world.run("docker build .", lasted=300)
    world.wait(HOUR)
    world.run("grep foo bar", 1)
    world.run("make", 2, session="another")
    return world


def test_runs_come_newest_first_and_no_more_than_wanted() -> None:
    world = busy_world()
    assert commands(world, RunQuery())[0] == "make"
    assert [run.command for run in recall_of(world).runs(RunQuery(), limit=1)] == ["make"]


def test_about_means_the_command_its_beginning_or_its_templates() -> None:
    world = busy_world()
    assert commands(world, RunQuery("npm")) == ["npm install left-pad", "npm test", "npm test"]
    assert commands(world, RunQuery("npm install *")) == ["npm install left-pad"]
    assert commands(world, RunQuery("docker build .")) == ["docker build ."]
    assert commands(world, RunQuery("np")) == []
    assert commands(world, RunQuery("npm t%st")) == []


def test_a_known_normal_exit_is_no_failure() -> None:
    world = busy_world()
    assert commands(world, RunQuery(outcomes=frozenset({Outcome.FAILURE}))) == ["make", "npm test"]
    [grep] = recall_of(world).runs(RunQuery("grep"), limit=5)
    assert (grep.outcome, grep.exit) == (Outcome.SUCCESS, 1)


def test_a_window_has_its_beginning_and_not_its_end() -> None:
    world = World()
    world.run("make", lasted=0)
    at = world.clock.now()
    assert commands(world, RunQuery(since=at, until=at + 1)) == ["make"]
    assert commands(world, RunQuery(since=at - 1, until=at)) == []


def test_a_session_is_its_own() -> None:
    world = busy_world()
    assert commands(world, RunQuery(session="another")) == ["make"]
    assert commands(world, RunQuery(session="nobody's")) == []


def test_a_run_without_an_exit_of_its_own_has_none() -> None:
    world = World()
    world.kill("sleep 100", after=5)
    [run] = recall_of(world).runs(RunQuery(), limit=5)
    assert (run.outcome, run.exit, run.duration_s) == (Outcome.KILLED, None, 5)


def test_a_pipelines_statuses_are_kept() -> None:
    world = World()
    world.run("make | tee log", 0, pipestatus=(2, 0))
    [run] = recall_of(world).runs(RunQuery(), limit=5)
    assert run.pipestatus == (2, 0)


def test_templates_by_runs_by_median_by_failures_by_time() -> None:
    world = busy_world()
    recall = recall_of(world)
    assert recall.records(order="runs", limit=1)[0].template == "npm test"
    assert [one.template for one in recall.records(order="median", limit=2)] == [
        "docker build *",
        "npm test",
    ]
    assert {one.template for one in recall.records(order="failures", limit=3)} >= {
        "npm test",
        "make",
    }
    assert recall.records(order="last", limit=1)[0].template == "make"


def test_a_record_counts_each_outcome_and_tells_its_times() -> None:
    world = World()
    for lasted in (10, 20, 30):
        world.run("make", lasted=lasted)
    world.run("make", 2, lasted=40)
    world.kill("make", after=5)
    [record] = recall_of(world).records(about="make", limit=5)
    counts = (record.runs, record.succeeded, record.failed, record.timed_out, record.killed)
    assert counts == (5, 3, 1, 0, 1)
    assert (record.median_s, record.samples) == (30, 3)
    assert record.last_at == world.clock.now()


def test_templates_are_found_by_a_command_of_theirs() -> None:
    world = busy_world()
    [record] = recall_of(world).records(about="docker build .", limit=5)
    assert record.template == "docker build *"


def test_hosts_by_the_rate_of_connections_that_failed() -> None:
    world = World()
    for status in (255, 255, 0):
        world.run("ssh prod uptime", status)
    world.run("ssh backup uptime", 0)
    hosts = recall_of(world).hosts(limit=5)
    assert [(host.host, host.failed, host.total) for host in hosts] == [
        ("prod", 2, 3),
        ("backup", 0, 1),
    ]
    assert 0.6 < hosts[0].failure_rate < 0.7


def test_a_run_whose_text_was_not_to_be_kept_is_told_as_such_even_where_its_template_is_known() -> (
    None
):
    world = World()
    world.run("git push", 0)
    world.run(" git push", 1)
    world.run(" mysql -psecret", 1)
    assert commands(world, RunQuery()) == [NOT_KEPT, NOT_KEPT, "git push"]
    assert [run.is_kept for run in recall_of(world).runs(RunQuery(), limit=3)] == [
        False,
        False,
        True,
    ]
    recent = world.store.command_stats("git push").recent
    assert {run.command for run in recent} == {NOT_KEPT, "git push"}


def test_the_remote_side_of_a_command_that_is_not_kept_is_not_in_the_log() -> None:
    world = World()
    world.run(" ssh web1 uptime", 1)
    rows = world.store._connection.execute("SELECT host, remote, preview FROM run").fetchall()
    assert rows == [(None, None, None)]


HIDDEN = " ssh bob@Qx7host 'Qx7run --now; make *' | Qx7tool sub"


def test_no_name_of_a_command_that_is_not_kept_is_in_memory_or_told() -> None:
    """A template keeps the names of programs, a pattern of ssh those of hosts."""
    world = World()
    for exit_status in (255, 1, 1, 0):
        world.run(HIDDEN, exit_status, pipestatus=(exit_status, 0))
        world.run(" Qx7prog --x; ls", exit_status)
    connection = world.store._connection
    assert [line for line in connection.iterdump() if "Qx7" in line] == []
    for command in (HIDDEN, " Qx7prog --x; ls"):
        told = [world.past(command), world.kills(command), world.store.estimate(command)]
        assert "Qx7" not in str(told)


def test_a_template_is_named_once_a_command_that_may_be_kept_has_it() -> None:
    world = World()
    world.run(" Qx7prog --x; ls", 0)
    world.run("Qx7prog --y; ls", 0)
    assert [it.template for it in recall_of(world).records(limit=5)] == ["Qx7prog --y ; ls"]
    world.run("Qx7prog --x; ls", 0)
    assert {it.template for it in recall_of(world).records(limit=5)} == {
        "Qx7prog --x ; ls",
        "Qx7prog --y ; ls",
    }
