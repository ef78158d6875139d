"""The client's pipes: long messages are written in parts, so that other callbacks run in between."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from zsh_ls.server.pipes import BYTES_A_TURN, Outgoing

LONG = os.urandom(10 * BYTES_A_TURN)


async def test_of_a_long_answer_one_part_is_written_at_a_time(tmp_path: Path) -> None:
    """A file, like a fast reader, takes everything at once."""
    path = tmp_path / "out"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    loop = asyncio.get_running_loop()
    outgoing = Outgoing(descriptor, loop)
    left = []
    outgoing.on_drained = lambda: left.append(outgoing.unsent_bytes)
    outgoing.write(LONG)
    outgoing.write(b"and another")
    assert outgoing.unsent_bytes >= len(LONG) - BYTES_A_TURN
    await outgoing.finish(20.0)
    os.close(descriptor)
    assert path.read_bytes() == LONG + b"and another"
    assert left[-1] == 0


async def test_what_waits_its_turn_when_the_reader_goes_is_forgotten(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    outgoing = Outgoing(writing, asyncio.get_running_loop())
    outgoing.write(LONG)
    os.close(reading)
    await outgoing.finish(20.0)
    os.close(writing)
    assert outgoing.broken
    assert outgoing.unsent_bytes == 0
