"""Kill and timeout end a task with all its descendants, and nothing else (RUN-2, 10, 11)."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from zsh_ls.model.words import Status
from zsh_ls.tasks import Engine, lineage, processes
from zsh_ls.tasks.kill import Marks, finder

from .conftest import request_for, whole
from .survivors import LEFT_BEHIND, STUBBORN, alive_with, eventually

# Of all texts together, once each has started what it starts.
PROCESSES_OF_ALL = 29


@pytest.fixture
async def quick(tmp_path: object) -> AsyncIterator[Engine]:
    """An engine that waits less before it sends KILL."""
    from zsh_ls.model.clock import SystemClock

    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs", kill_grace_s=0.2)  # type: ignore[operator]
    yield engine
    await engine.close()


@pytest.fixture
def token() -> str:
    return f"{secrets.randbelow(10**9):09}"


@pytest.fixture
async def bystander(quick: Engine) -> AsyncIterator[str]:
    """A token of another task, whose processes must be there at the end of the test."""
    other = f"{secrets.randbelow(10**9):09}"
    texts = [*STUBBORN.values(), *LEFT_BEHIND.values()]
    for text in texts:
        await quick.start(request_for(text.replace("{token}", other)))
    assert eventually(lambda: len(alive_with(other)) == PROCESSES_OF_ALL)
    yield other
    assert len(alive_with(other)) == PROCESSES_OF_ALL


def rare_kinds_slow(kinds: Iterable[str]) -> list[object]:
    return [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "all of it")) for kind in kinds]


@pytest.mark.parametrize("kind", rare_kinds_slow(STUBBORN))
async def test_a_killed_task_leaves_nothing_and_others_live_on(
    quick: Engine, token: str, bystander: str, kind: str
) -> None:
    task = await quick.start(request_for(STUBBORN[kind].replace("{token}", token)))
    assert eventually(lambda: len(alive_with(token)) >= 2)
    assert await task.kill()
    assert alive_with(token) == []
    assert (task.status, task.exit, task.pipestatus) == (Status.KILLED, 137, (137,))


@pytest.mark.parametrize("kind", rare_kinds_slow(LEFT_BEHIND))
async def test_kill_ends_what_outlived_its_shell_once(
    quick: Engine, token: str, bystander: str, kind: str
) -> None:
    task = await quick.start(request_for(LEFT_BEHIND[kind].replace("{token}", token)))
    await task.wait_end()
    assert eventually(lambda: alive_with(token))
    assert await task.kill()
    assert alive_with(token) == []
    assert (task.status, task.exit) == (Status.COMPLETED, 0)
    assert not await task.kill()


async def test_a_background_job_goes_on_filling_the_output_of_its_task(engine: Engine) -> None:
    task = await engine.start(request_for("(while :; do echo more; sleep 0.01; done) & echo first"))
    await task.wait_end()
    seen = task.output.size_bytes
    async with asyncio.timeout(10):
        await task.wait_end()
        while task.output.size_bytes < seen + 50:
            await asyncio.sleep(0.01)
    assert whole(task).startswith((b"first\n", b"more\n"))
    assert await task.kill()


async def test_a_task_that_ended_whole_has_nothing_to_kill(engine: Engine) -> None:
    task = await engine.start(request_for("true"))
    await task.wait_end()
    assert not await task.kill()
    assert task.status is Status.COMPLETED


async def test_term_is_heard_before_kill(engine: Engine) -> None:
    task = await engine.start(
        request_for("trap 'echo goodbye; exit 0' TERM; echo ready; while :; do sleep 0.01; done")
    )
    await task.wait_news(0)
    await task.kill()
    assert b"goodbye" in whole(task)
    assert (task.status, task.exit, task.pipestatus) == (Status.KILLED, 137, (137,))


async def test_a_timed_out_task_keeps_what_it_printed_and_has_no_exit(
    quick: Engine, token: str
) -> None:
    text = f"echo before; sleep 1000.{token} & {STUBBORN['ignores TERM']}".replace("{token}", token)
    task = await quick.start(request_for(text, timeout_s=0.3))
    await task.wait_end()
    assert (task.status, task.exit, task.pipestatus) == (Status.TIMEOUT, None, ())
    assert whole(task) == b"before\n"
    assert eventually(lambda: not alive_with(token))


async def test_a_timeout_is_none_for_what_ends_in_time(engine: Engine) -> None:
    task = await engine.start(request_for("exit 3", timeout_s=60))
    await task.wait_end()
    assert (task.status, task.exit) == (Status.COMPLETED, 3)


def is_stopped(pid: int) -> bool:
    return b") T" in Path(f"/proc/{pid}/stat").read_bytes()


async def test_a_stopped_task_can_be_killed(quick: Engine) -> None:
    task = await quick.start(request_for("echo up; sleep 1000"))
    await task.wait_news(0)
    assert task.pid
    os.kill(task.pid, signal.SIGSTOP)
    async with asyncio.timeout(60):
        while not is_stopped(task.pid):
            await asyncio.sleep(0.01)
    await task.kill()
    assert task.status is Status.KILLED


async def test_what_a_signal_ended_says_so(engine: Engine) -> None:
    task = await engine.start(request_for("echo x; sleep 1000"))
    await task.wait_news(0)
    assert task.pid
    os.kill(task.pid, signal.SIGKILL)
    await task.wait_end()
    assert (task.status, task.exit, task.signal) == (Status.COMPLETED, 137, 9)
    await task.kill()


async def test_the_dead_of_a_task_are_reaped(engine: Engine) -> None:
    others = set(lineage.children())
    task = await engine.start(request_for("(setsid sh -c 'sleep 0.05; exit 0' &); (sleep 0.02 &)"))
    await task.wait_end()

    async def another() -> None:
        await (await engine.start(request_for("true"))).wait_end()

    async with asyncio.timeout(10):
        while set(lineage.children()) - others:
            await another()
            await asyncio.sleep(0.01)
    left = set(lineage.children()) - others
    assert not [pid for pid in left if processes.is_zombie(pid)]


def test_who_got_a_terminals_number_after_the_task_is_spared() -> None:
    """The number of a terminal is given away again as soon as the last process has left it."""
    ours, theirs = os.openpty()
    number = os.ttyname(theirs)
    stranger = subprocess.Popen(["sleep", "1000"], stdin=theirs, start_new_session=True)
    os.close(theirs)
    links = iter([frozenset({number}), frozenset[str]()])
    try:
        found = finder(lambda: Marks({}, frozenset(), next(links, frozenset())))
        assert stranger.pid not in found(processes.table())
        held = finder(lambda: Marks({}, frozenset(), frozenset({number})))
        assert stranger.pid in held(processes.table())
    finally:
        stranger.kill()
        stranger.wait()
        os.close(ours)


async def test_orphans_are_reaped_while_their_task_goes_on(engine: Engine) -> None:
    """A build that leaves many must not fill the table of processes."""
    of_other_tests = set(lineage.children())
    task = await engine.start(request_for("repeat 50 (true &); echo made; exec sleep 1000"))
    await task.wait_news(0)
    async with asyncio.timeout(20):
        while any(map(processes.is_zombie, set(lineage.children()) - of_other_tests)):
            await asyncio.sleep(0.01)
    assert not task.ended


@pytest.mark.parametrize("rest_s", [0.0, 0.002])
async def test_what_moves_on_before_it_can_be_looked_at_is_ended(
    quick: Engine, token: str, rest_s: float
) -> None:
    """A chain of processes, each in a session of its own and gone when the next one is there."""
    hop = f"import os, time\nwhile True:\n  time.sleep({rest_s})\n  os.fork() and os._exit(0)\n  os.setsid()"
    hidden = f"env -i {sys.executable} -c '{hop}' 1000.{token} </dev/null >/dev/null 2>&1 &"
    task = await quick.start(request_for(f"{hidden} sleep 1000.{token}"))
    assert eventually(lambda: len(alive_with(token)) >= 2)
    assert await task.kill()
    for _ in range(20):
        assert alive_with(token) == []
