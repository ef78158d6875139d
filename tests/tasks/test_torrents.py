"""Output faster than the event loop should carry: all of it arrives, every line is counted."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import resource
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, SpoolLimits
from zsh_ls.tasks.output import drain as draining_module
from zsh_ls.tasks.output.drain import SplicePump
from zsh_ls.tasks.output.output import Output
from zsh_ls.tasks.output.spool import Spool

from .conftest import request_for, whole

MIB = 1 << 20
LINES_OF_16 = "yes 0123456789abcde | head -c {size}"


@pytest.fixture
def poured(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The descriptors that were left to threads, as soon as two reads found something to take."""
    seen: list[int] = []
    monkeypatch.setattr(draining_module, "READ_BYTES", 16 << 10)
    monkeypatch.setattr(draining_module, "READS_IN_A_TURN", 1)
    monkeypatch.setattr(draining_module, "TORRENT_TURNS", 2)

    class Watched(draining_module.SplicePump):
        def __init__(self, descriptor: int, *rest: object) -> None:
            seen.append(descriptor)
            super().__init__(descriptor, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(draining_module, "SplicePump", Watched)
    return seen


@pytest.fixture
async def capped(tmp_path: Path) -> AsyncIterator[Engine]:
    """An engine that keeps the first 8 MiB of a task and the last 16."""
    limits = SpoolLimits(head_bytes=8 * MIB, ring_bytes=16 * MIB)
    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs", limits=limits)
    yield engine
    await engine.close()


@pytest.mark.slow
async def test_a_pump_arrives_whole_with_every_line_counted(
    engine: Engine, poured: list[int]
) -> None:
    task = await engine.start(request_for("seq 3000000"))
    await task.wait_end()
    numbers = "".join(f"{n}\n" for n in range(1, 3_000_001)).encode()
    assert poured
    assert task.output.total_lines == 3_000_000
    assert hashlib.sha256(whole(task)).digest() == hashlib.sha256(numbers).digest()
    assert task.output.lines(1_654_321, 1_654_322).text == "1654321\n1654322\n"


async def test_one_that_is_over_before_its_second_thread_begins_is_told_as_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pipe is full and closed beforehand: whether a command is that quick is the scheduler's matter."""
    start = threading.Thread.start

    def start_alone(thread: threading.Thread) -> None:
        """Let it run as far as it comes before the next begins."""
        start(thread)
        thread.join(0.5)

    reading, writing = os.pipe()
    os.write(writing, b"0123456789abcde\n" * 4096)
    os.close(writing)
    output = Output(Spool(tmp_path / "output", SpoolLimits()), clock=SystemClock())
    loop = asyncio.get_running_loop()
    over: asyncio.Future[bool] = loop.create_future()
    monkeypatch.setattr(threading.Thread, "start", start_alone)
    pump = SplicePump(reading, output, loop, lambda: None, over.set_result)
    async with asyncio.timeout(60):
        assert await over
    pump.stop()
    os.close(reading)
    assert output.total_lines == 4096
    output.spool.close()


async def test_one_that_cannot_be_read_any_more_is_over_and_says_why(tmp_path: Path) -> None:
    """The end that is written to: the system refuses to read it."""
    reading, writing = os.pipe()
    os.close(reading)
    output = Output(Spool(tmp_path / "output", SpoolLimits()), clock=SystemClock())
    loop = asyncio.get_running_loop()
    over: asyncio.Future[bool] = loop.create_future()
    pump = SplicePump(writing, output, loop, lambda: None, over.set_result)
    async with asyncio.timeout(60):
        assert await over
    pump.stop()
    os.close(writing)
    assert output.unread is not None
    assert output.unread.errno == errno.EBADF
    output.spool.close()


@pytest.mark.slow
async def test_where_no_thread_can_be_had_the_loop_takes_it_all(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a fork bomb leaves: the limit of processes counts threads as well."""
    asked: list[str] = []

    def refuse(thread: threading.Thread) -> None:
        asked.append(thread.name)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(draining_module, "READS_IN_A_TURN", 1)
    gate = tmp_path / "gate"
    waits = f"until [[ -e {gate} ]]; do sleep 0.01; done"
    task = await engine.start(request_for(f"{waits}; seq 3000000"))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    gate.touch()
    async with asyncio.timeout(60):
        await task.wait_end()
    assert asked
    assert (task.exit, task.output.total_lines) == (0, 3_000_000)


@pytest.mark.slow
async def test_what_comes_slowly_after_a_pump_is_behind_it(
    engine: Engine, poured: list[int]
) -> None:
    command = "; ".join([LINES_OF_16.format(size=64 * MIB), "sleep 0.2", "print slow"] * 2)
    task = await engine.start(request_for(command))
    await task.wait_end()
    in_a_pump = 4 * MIB
    assert poured
    assert task.output.total_lines == 2 * (in_a_pump + 1)
    assert task.output.lines(in_a_pump, in_a_pump + 2).text == (
        "0123456789abcde\nslow\n0123456789abcde\n"
    )


@pytest.mark.slow
async def test_a_waiting_poll_hears_of_a_pump_while_it_lasts(engine: Engine) -> None:
    task = await engine.start(request_for("yes"))
    async with asyncio.timeout(60):
        while task.output.size_bytes < 128 * MIB:
            await task.wait_news(task.output.size_bytes)
    assert await task.kill()
    assert task.exit == 137
    assert whole(task) == b"y\n" * (task.output.size_bytes // 2)
    assert task.output.total_lines == task.output.size_bytes // 2


@pytest.mark.slow
async def test_a_job_that_outlives_its_shell_is_cut_off_without_a_wait(engine: Engine) -> None:
    task = await engine.start(request_for(f"yes & {LINES_OF_16.format(size=64 * MIB)}; exit 3"))
    async with asyncio.timeout(60):
        await task.wait_end()
    assert task.exit == 3
    assert await task.kill()


@pytest.mark.slow
async def test_beyond_the_cap_a_pump_keeps_its_head_and_its_last_part(
    capped: Engine, poured: list[int]
) -> None:
    task = await capped.start(request_for("seq 10000000"))
    await task.wait_end()
    size, gap = task.output.size_bytes, task.output.gap
    assert poured
    assert size == 78_888_897
    assert gap
    assert (gap.from_byte, size - gap.to_byte <= 16 * MIB) == (8 * MIB, True)
    assert task.output.total_lines == 10_000_000
    assert task.output.lines(9_999_999).text == "9999999\n10000000\n"


@pytest.mark.slow
async def test_a_disk_that_fills_during_a_pump_stops_no_command(
    engine: Engine, poured: list[int]
) -> None:
    most, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    task = await engine.start(request_for(LINES_OF_16.format(size=96 * MIB) + "; exit 4"))
    # Signals of a file too large are ignored by Python: writing fails, as on a full disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, (48 * MIB, hard))
    try:
        await task.wait_end()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    assert poured
    assert task.exit == 4
    assert task.output.lines(1, 1).text == "0123456789abcde\n"
    assert task.output.gap
    assert task.output.gap.from_byte == 48 * MIB
