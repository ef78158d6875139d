"""Tests of circuits with a fixed clock, also shared between two servers (RUN-14)."""

from __future__ import annotations

from pathlib import Path

from tests.alan.world import World

HANGS = "curl https://example.org/1"


def opened(world: World) -> World:
    for _ in range(3):
        world.time_out(HANGS, after=10)
    return world


def state(world: World, command: str = HANGS) -> str | None:
    circuit = world.store.circuit_state(command, world.clock.at)
    return circuit and circuit.state


def test_two_timeouts_leave_the_circuit_closed() -> None:
    world = World()
    world.time_out(HANGS)
    world.time_out(HANGS)
    assert state(world) is None
    assert world.store.claim_trial(HANGS, world.clock.at)


def test_the_third_timeout_within_an_hour_opens_it_for_the_hash_alone() -> None:
    world = opened(World())
    assert state(world) == "open"
    assert state(world, "curl  https://example.org/2") == "open"
    assert state(world, "curl https://example.com/1") is None


def test_timeouts_more_than_an_hour_apart_do_not_count_together() -> None:
    world = World()
    for _ in range(3):
        world.time_out(HANGS, after=10)
        world.wait(1800)
    assert state(world) is None


def test_an_open_circuit_says_when_it_may_be_tried_again() -> None:
    world = opened(World())
    world.wait(100)
    (circuit,) = world.store.circuits(world.clock.at).open
    assert (circuit.command, circuit.timeouts, circuit.retry_in_s) == (HANGS, 3, 200.0)
    assert not world.store.claim_trial(HANGS, world.clock.at)


def test_after_300_seconds_one_trial_is_let_through() -> None:
    world = opened(World())
    world.wait(300)
    assert state(world) == "half-open"
    assert world.store.claim_trial(HANGS, world.clock.at)
    assert not world.store.claim_trial(HANGS, world.clock.at)


def test_a_trial_that_succeeds_closes_it_and_forgets_the_timeouts() -> None:
    world = opened(World())
    world.wait(300)
    world.store.claim_trial(HANGS, world.clock.at)
    world.run(HANGS)
    assert state(world) is None
    world.time_out(HANGS)
    assert state(world) is None


def test_a_trial_that_times_out_opens_it_again() -> None:
    world = opened(World())
    world.wait(300)
    world.store.claim_trial(HANGS, world.clock.at)
    world.time_out(HANGS, after=10)
    assert state(world) == "open"
    world.wait(299)
    assert state(world) == "open"


def test_a_trial_that_was_killed_or_failed_leaves_room_for_another() -> None:
    world = opened(World())
    world.wait(300)
    world.store.claim_trial(HANGS, world.clock.at)
    world.run(HANGS, 1)
    assert state(world) == "half-open"
    assert world.store.claim_trial(HANGS, world.clock.at)
    world.kill(HANGS, after=1)
    assert world.store.claim_trial(HANGS, world.clock.at)


def test_a_trial_whose_server_died_does_not_hold_it_for_ever() -> None:
    world = opened(World())
    world.wait(300)
    assert world.store.claim_trial(HANGS, world.clock.at)
    world.wait(900)
    assert world.store.claim_trial(HANGS, world.clock.at)


def test_reset_closes_one_or_all() -> None:
    world = opened(World())
    for _ in range(3):
        world.time_out("sleep 900")
    world.store.reset_circuit(HANGS)
    assert [it.command for it in world.store.circuits(world.clock.at).open] == ["sleep 900"]
    world.store.reset_circuit(None)
    assert world.store.circuits(world.clock.at).open == ()


def test_two_servers_share_it(tmp_path: Path) -> None:
    one, other = (World.on_file(tmp_path / "alan.db") for _ in range(2))
    one.time_out(HANGS)
    other.time_out(HANGS)
    one.time_out(HANGS)
    assert other.store.circuit_state(HANGS, one.clock.at) is not None
    one.wait(300)
    assert other.store.claim_trial(HANGS, one.clock.at)
    assert not one.store.claim_trial(HANGS, one.clock.at)
