"""Tests of `Alan` with its threads: reads see recorded runs, the loop never waits, nothing raises."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import StillClock, World, execution
from zsh_ls.alan import Alan
from zsh_ls.alan.front import READ_AFTER_WRITE_S
from zsh_ls.model.history import RunCounts
from zsh_ls.model.words import Outcome


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "alan.db"


@pytest.fixture
async def alan(path: Path) -> AsyncIterator[Alan]:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    yield alan
    await alan.close()


async def test_a_run_that_begins_after_an_answer_sees_it(alan: Alan) -> None:
    for n in range(20):
        alan.remember(execution("make"))
        assert (await alan.past("make")).retries == RunCounts(n + 1, n + 1)


async def test_a_question_of_one_command_does_not_wait_for_one_of_thousands(alan: Alan) -> None:
    many = asyncio.ensure_future(alan.pasts(f"make target{n}" for n in range(5_000)))
    await asyncio.sleep(0)
    await alan.past("make")
    assert not many.done()
    assert await many == [None] * 5_000


async def test_what_was_remembered_last_is_on_the_file_after_closing(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    for _ in range(50):
        alan.remember(execution("make"))
    await alan.close()
    assert query(path, "SELECT count(*) AS n FROM observations") == [{"n": 50}]


async def test_the_file_is_private_in_a_private_folder(alan: Alan, path: Path) -> None:
    await alan.record(execution("make"))
    modes = {it.name: it.stat().st_mode & 0o777 for it in path.parent.iterdir()}
    assert modes == {"alan.db": 0o600, "alan.db-wal": 0o600, "alan.db-shm": 0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    path.touch(0o644)
    World.on_file(path)
    assert path.stat().st_mode & 0o777 == 0o600


async def test_all_that_can_be_asked_is_answered(alan: Alan) -> None:
    alan.remember(execution("make", lasted=3))
    alan.remember(execution("make", None, outcome=Outcome.TIMEOUT))
    assert [past and past.runs for past in await alan.pasts(["make", "never"])] == [2, None]
    assert (await alan.kills("make")).runs == 2
    assert await alan.estimate("make") is None
    assert (await alan.command_stats("make")).timeout_rate == pytest.approx(0.5, abs=0.001)
    assert (await alan.memory_stats()).session.runs == 2
    health = await alan.health()
    assert (health.status, health.observations, health.problem) == ("ok", 2, None)
    assert health.path == str(alan.path)
    assert await alan.circuit_state("make") is None
    assert await alan.trial("make")
    assert (await alan.reset()).open == ()
    await alan.store_manopt("ls", "-l", 1.0)
    assert await alan.manopt("ls") == "-l"


async def test_a_held_lock_delays_neither_remembering_nor_a_read_for_long(
    alan: Alan, path: Path
) -> None:
    await alan.record(execution("make"))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    alan.remember(execution("make"))
    past = await asyncio.wait_for(alan.past("make"), READ_AFTER_WRITE_S + 15)
    assert past.runs == 1
    holder.execute("ROLLBACK")
    holder.close()
    await alan.record(execution("make"))
    assert (await alan.past("make")).runs == 3


async def test_the_loop_runs_on_while_a_lock_is_held(alan: Alan, path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    writing = asyncio.ensure_future(alan.record(execution("make")))
    turns = 0
    while turns < 1000 and not writing.done():
        await asyncio.sleep(0)
        turns += 1
    holder.execute("ROLLBACK")
    holder.close()
    await writing
    assert turns == 1000


async def test_users_redactions_keep_their_matches_out(path: Path) -> None:
    alan = await Alan.open(path, clock=StillClock(), session="s1", extra_redactions=(r"CUST-\w+",))
    await alan.record(execution("deploy CUST-acme"))
    await alan.close()
    (row,) = query(path, "SELECT command_preview, command_template FROM observations")
    assert "acme" not in str(row)


async def test_closing_leaves_no_thread_behind(path: Path) -> None:
    before = set(threading.enumerate())
    alan = await Alan.open(path, clock=StillClock(), session="s1")
    alan.remember(execution("make"))
    await alan.past("make")
    await alan.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before
