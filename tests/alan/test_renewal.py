"""Tests that stored keys are recomputed when the rules of templates and redaction change."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World
from zsh_ls.alan import Alan
from zsh_ls.alan.compat.renewal import RUNS_A_STEP
from zsh_ls.shell.template.identity import RULES_VERSION

SECRET = "hunter" * 3


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file written with rules that knew neither this secret nor this template."""
    path = tmp_path / "alan.db"
    world = World.on_file(path)
    for _ in range(RUNS_A_STEP):
        world.run("make", lasted=3)
    for exit_status in (1, 0, 0):
        world.run("mysql -uroot -pxxxxxx db", exit_status, lasted=20)
    world.store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE run SET template = 1, command = 2, preview = ? WHERE preview LIKE 'mysql%'",
            (f"mysql -uroot -p{SECRET} db",),
        )
        connection.execute("DELETE FROM pattern WHERE text LIKE 'mysql%'")
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'rules_version'")
    return path


def renewed(path: Path) -> World:
    world = World.on_file(path)
    world.wait(3600)
    while world.store.renew_some():
        pass
    return world


def test_texts_are_redacted_again(path: Path) -> None:
    renewed(path)
    previews = query(path, "SELECT DISTINCT command_preview FROM observations")
    assert SECRET not in str(previews)


def test_what_was_learnt_is_found_under_the_new_keys(path: Path) -> None:
    world = renewed(path)
    past = world.past(f"mysql -uroot -p{SECRET} db")
    assert past.runs == 3
    assert past.estimate is not None
    assert past.estimate.median_s == 20.0
    assert world.store.command_stats("mysql -uroot -py db").runs == 3


def test_what_did_not_change_is_not_learnt_twice(path: Path) -> None:
    world = renewed(path)
    assert world.past("make").runs == RUNS_A_STEP
    assert query(path, "SELECT value FROM meta WHERE key = 'rules_version'") == [
        {"value": str(RULES_VERSION)}
    ]
    assert not world.store.renew_some()


async def test_a_server_does_it_beside_its_work(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    for _ in range(1000):
        assert (await alan.past("make")).runs == RUNS_A_STEP
        if (await alan.command_stats("mysql -uroot -py db")).runs == 3:
            break
    assert (await alan.command_stats("mysql -uroot -py db")).runs == 3
    await alan.close()
