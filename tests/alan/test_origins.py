"""Tests of origins, and of figures without runs from elsewhere (ALAN-1, `origin`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.alan.test_against_plain_list import comparable, quotients
from tests.alan.test_agreed_names import query
from tests.alan.world import START, World, execution
from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.model.recall import RunQuery
from zsh_ls.model.words import Origin, Outcome

OWN = frozenset(origin for origin in Origin if not origin.is_elsewhere)


def world_of(*runs: tuple[Origin, float, int]) -> World:
    """A memory with runs of `make` of each origin, a minute apart, with different durations and statuses."""
    world = World()
    for number, (origin, lasted, exit_status) in enumerate(runs):
        at = START + 60 * number
        world.store.record(execution("make", exit_status, at=at, lasted=lasted, origin=origin))
    world.clock.at = START + 60 * len(runs)
    return world


def test_what_is_learnt_without_elsewhere_is_what_own_runs_alone_teach() -> None:
    mixed = world_of(
        (Origin.EDITOR, 2, 0),
        (Origin.TERMINAL, 50, 1),
        (Origin.AGENT, 4, 0),
        (Origin.IMPORT, 90, 0),
    )
    past = mixed.store.past("make", session="s2", now=mixed.clock.at, own=True)
    assert (past.runs, past.streak, past.mean_duration_s) == (2, 2, 3.0)
    assert mixed.store.past("make", session="s2", now=mixed.clock.at).runs == 4


def test_a_command_only_done_by_hand_is_unknown_without_elsewhere() -> None:
    world = world_of((Origin.TERMINAL, 2, 0), (Origin.IMPORT, 2, 0))
    assert world.store.past("make", session="s2", now=world.clock.at, own=True).runs == 0
    assert world.store.pasts(["make"], session="s2", now=world.clock.at, own=True) == [None]


@given(
    st.lists(st.tuples(st.sampled_from(list(Origin)), st.integers(0, 99), st.sampled_from((0, 1))))
)
def test_own_figures_are_those_of_a_memory_that_never_saw_the_rest(
    runs: list[tuple[Origin, int, int]],
) -> None:
    mixed = world_of(*runs)
    alone = World()
    for number, (origin, lasted, exit_status) in enumerate(runs):
        if not origin.is_elsewhere:
            at = START + 60 * number
            alone.store.record(execution("make", exit_status, at=at, lasted=lasted, origin=origin))
    now = mixed.clock.at
    own = mixed.store.past("make", session="x", now=now, own=True)
    expected = alone.store.past("make", session="x", now=now)
    assert comparable(own) == comparable(expected)
    assert quotients(own) == pytest.approx(quotients(expected), abs=1e-9)
    assert mixed.store.estimate("make", own=True) == alone.store.estimate("make")


def test_figures_say_how_many_runs_came_from_elsewhere() -> None:
    world = world_of((Origin.CLI, 2, 0), (Origin.TERMINAL, 4, 0))
    at_ms = round((START - 9) * 1000)
    row = HistoryRow("1", "make", at_ms, Outcome.SUCCESS, exit=0, duration_ms=1000)
    world.store.import_rows("atuin", [row])
    stats = world.store.command_stats("make")
    assert (stats.runs, stats.runs_elsewhere) == (3, 2)
    own = world.store.command_stats("make", own=True)
    assert (own.runs, own.runs_elsewhere) == (1, 0)
    [record] = world.store.recall().records(limit=5)
    assert (record.runs, record.elsewhere) == (3, 2)


def test_questions_count_the_runs_of_the_origins_asked_about() -> None:
    world = world_of((Origin.CLI, 2, 0), (Origin.TERMINAL, 4, 1), (Origin.AGENT, 8, 0))
    recall = world.store.recall()
    assert recall.count(RunQuery("make", origins=frozenset({Origin.AGENT}))) == 1
    [record] = recall.records(about="make", limit=5, origins=OWN)
    assert (record.runs, record.succeeded, record.median_s, record.elsewhere) == (2, 2, 8.0, 0)
    assert recall.records(about="make", limit=5, origins=frozenset({Origin.LENS})) == []


def test_forgetting_forgets_own_figures_too() -> None:
    world = world_of((Origin.CLI, 2, 0), (Origin.TERMINAL, 4, 0), (Origin.CLI, 9, 1))
    world.store.forget_since(START + 110)
    own = world.store.past("make", session="x", now=world.clock.at, own=True)
    assert (own.runs, own.streak, own.mean_duration_s) == (1, 1, 2.0)
    world.store.forget("make")
    assert world.store.past("make", session="x", now=world.clock.at, own=True).runs == 0
    assert world.store.past("make", session="x", now=world.clock.at).runs == 0


def test_what_is_forgotten_leaves_no_twin_behind(tmp_path: object) -> None:
    path = tmp_path / "alan.db"  # type: ignore[operator]
    world = World.on_file(path)
    world.store.record(execution("make", origin=Origin.TERMINAL))
    world.store.forget("make")
    assert query(path, "SELECT * FROM own_pattern") == []
    assert query(path, "SELECT * FROM pattern") == []
