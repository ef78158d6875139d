"""Tests of the counts of kills, in total and in the session, including the latest (KILL-2)."""

from __future__ import annotations

from tests.alan.world import World


def test_counts_include_the_kill_just_made() -> None:
    world = World()
    world.run("npm run build")
    world.kill("npm run build", after=3)
    kills = world.kills("npm run build")
    assert (kills.killed, kills.runs, kills.session_killed, kills.session_runs) == (1, 2, 1, 2)


def test_counts_are_of_the_template_and_the_session() -> None:
    world = World()
    for branch in ("a", "b", "c"):
        world.kill(f"git push origin {branch}", after=1)
    world.kill("git push origin d", after=1, session="another")
    kills = world.kills("git push origin e")
    assert (kills.killed, kills.runs) == (4, 4)
    assert (kills.session_killed, kills.session_runs) == (3, 3)


def test_kills_of_an_unknown_command_are_none() -> None:
    kills = World().kills("make")
    assert (kills.killed, kills.runs, kills.session_runs) == (0, 0, 0)
