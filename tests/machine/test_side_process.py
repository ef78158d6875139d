"""A process that works on texts beside this one: what it gives, how it is broken off, when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType

import pytest

from zsh_ls.machine.side_process import SideProcess, WorkRefusedError
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level

PATIENCE_S = 30.0
_calls = [0]


def its_id() -> list[int]:
    return [os.getpid()]


def counted(text: str) -> list[tuple[str, int]]:
    _calls[0] += 1
    return [(text, _calls[0])]


def insights(count: int) -> list[Insight]:
    return [Insight(Level.INFO, "é", "rule", Span(at, at + 1)) for at in range(count)]


def long_values(count: int) -> list[str]:
    return [str(at) * 100_000 for at in range(count)]


def many_values() -> list[str]:
    return [f"{at:0100}" for at in range(200_000)]


def endless(began: str) -> list[int]:
    Path(began).touch()
    while True:
        time.sleep(0.001)


def busy() -> list[int]:
    while True:
        pass


def much() -> list[int]:
    return [len(bytearray(1 << 33))]


def killed() -> list[int]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


@pytest.fixture
async def beside() -> AsyncIterator[SideProcess]:
    process = SideProcess()
    yield process
    await process.stop()


async def until(holds: object) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # type: ignore[operator]
            await asyncio.sleep(0.005)


def is_gone(process_id: int) -> bool:
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def written_by(process_id: int) -> int:
    counts = dict(
        line.split(": ") for line in Path(f"/proc/{process_id}/io").read_text().splitlines()
    )
    return int(counts["wchar"])


async def test_it_is_another_process_that_keeps_what_it_knows(beside: SideProcess) -> None:
    first = await beside.call(its_id, allowed_s=9)
    assert first != [os.getpid()]
    assert await beside.call(counted, "a\udc80\n", allowed_s=9) == [("a\udc80\n", 1)]
    assert await beside.call(counted, "b", allowed_s=9) == [("b", 2)]
    assert await beside.call(its_id, allowed_s=9) == first


@pytest.mark.parametrize("count", [0, 1, 200, 1001])
async def test_values_come_whole_and_in_order(beside: SideProcess, count: int) -> None:
    assert await beside.call(insights, count, allowed_s=9) == insights(count)


async def test_who_no_longer_wants_it_breaks_it_off(beside: SideProcess, tmp_path: Path) -> None:
    """The same process answers the next call, which would wait for ever behind the endless one."""
    same = await beside.call(its_id, allowed_s=9)
    began = tmp_path / "began"
    call = asyncio.create_task(beside.call(endless, str(began), allowed_s=99))
    await until(began.exists)
    call.cancel()
    async with asyncio.timeout(PATIENCE_S):
        assert await beside.call(its_id, allowed_s=9) == same


async def test_calls_that_are_cancelled_at_any_moment_leave_the_next_one_its_own_result(
    beside: SideProcess,
) -> None:
    """Also in the middle of a value that is longer than what a pipe holds."""
    for turn in range(60):
        call = asyncio.create_task(beside.call(long_values, 20, allowed_s=9))
        for _ in range(turn % 12):
            await asyncio.sleep(0)
        await asyncio.sleep(turn / 20_000)
        call.cancel()
        assert await beside.call(insights, turn, allowed_s=9) == insights(turn)


@pytest.mark.parametrize("work", [busy, much, killed])
async def test_work_that_takes_too_much_is_refused_and_the_next_is_done(
    beside: SideProcess, work: object
) -> None:
    with pytest.raises(WorkRefusedError):
        await beside.call(work, allowed_s=0)  # type: ignore[arg-type]
    assert await beside.call(insights, 2, allowed_s=9) == insights(2)


async def test_it_ends_when_it_is_stopped(beside: SideProcess) -> None:
    (process_id,) = await beside.call(its_id, allowed_s=9)
    await beside.stop()
    await until(lambda: is_gone(process_id))


async def test_it_is_stopped_with_a_long_result_that_nobody_reads(beside: SideProcess) -> None:
    (process_id,) = await beside.call(its_id, allowed_s=9)
    before = written_by(process_id)
    call = asyncio.create_task(beside.call(many_values, allowed_s=9))
    await until(lambda: written_by(process_id) > before)
    call.cancel()
    written = [before]

    def is_blocked_or_done() -> bool:
        written.append(written_by(process_id))
        return written[-1] > before + 150_000 and len(set(written[-5:])) == 1

    await until(is_blocked_or_done)
    async with asyncio.timeout(PATIENCE_S):
        await beside.stop()
    assert is_gone(process_id)


async def test_a_request_that_it_cannot_read_is_refused(
    beside: SideProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("known_to_one_process_alone")
    exec("def its_function(): return []", module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(WorkRefusedError):
            await beside.call(module.its_function, allowed_s=9)
        assert await beside.call(insights, 2, allowed_s=9) == insights(2)


async def test_it_ends_when_nobody_asks_any_more(
    beside: SideProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsh_ls.machine.side_process.IDLE_S", 0.01)
    (process_id,) = await beside.call(its_id, allowed_s=9)
    await until(lambda: is_gone(process_id))
    assert await beside.call(its_id, allowed_s=9) != [process_id]


STARTS_ONE = """
import asyncio, sys, time
from tests.machine.test_side_process import its_id, endless
from zsh_ls.machine.side_process import SideProcess

async def main():
    beside = SideProcess()
    print(*await beside.call(its_id, allowed_s=9), flush=True)
    await beside.call(endless, sys.argv[1], allowed_s=99)

asyncio.run(main())
"""


async def test_it_ends_at_once_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """Also in the middle of its work."""
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", STARTS_ONE, str(tmp_path / "began")),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert server.stdout is not None
    process_id = int(await server.stdout.readline())
    await until((tmp_path / "began").exists)
    server.kill()
    await server.wait()
    await until(lambda: is_gone(process_id))
