"""N requests, N responses: thousands of mutated messages do not stop the server or fill its memory."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from zsh_ls.server.frames import Content, FrameReader
from zsh_ls.server.protocol import NotJson

from .inside import Inside
from .mutations import NO_ANSWER, answered_to, message
from .rpc import Peer, framed


def wanted_of(contents: list[bytes]) -> Counter[str]:
    """How many responses each id must get; ids as JSON."""
    ids = (answered_to(content) for content in contents)
    return Counter(json.dumps(msg_id) for msg_id in ids if msg_id is not NO_ANSWER)


def is_answer(found: object) -> bool:
    return isinstance(found, dict) and "method" not in found


async def converse(seed: int, count: int) -> None:
    """Send `count` messages, and expect exactly the responses they must get."""
    rng, peer = random.Random(seed), Inside()
    await peer.initialize()
    peer.received.clear()
    contents = [message(number, rng) for number in range(count)]
    for content in contents:
        try:
            peer.server.protocol.receive(content)
        except NotJson as wrong:
            peer.server.protocol.damaged(str(wrong))
    wanted = wanted_of(contents)
    assert (await peer.call("zsh/health"))["status"] == "healthy"
    heard: Counter[str] = Counter()
    while sum(heard.values()) < sum(wanted.values()):
        answer = await peer.until(is_answer)
        assert ("result" in answer) != ("error" in answer)
        heard[json.dumps(answer["id"])] += 1
    await peer.call("zsh/health")
    assert heard == wanted
    assert not any(map(is_answer, peer.received))


async def test_each_of_a_few_hundred_mutated_messages_is_answered_as_often_as_it_should() -> None:
    await converse(seed=1, count=400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
async def test_each_of_thousands_of_mutated_messages_is_answered_as_often_as_it_should(
    seed: int,
) -> None:
    await converse(seed, 2_000)


def test_a_stream_whose_frames_are_damaged_is_read_on() -> None:
    rng, reader, right = random.Random(3), FrameReader(), b'{"jsonrpc":"2.0"}'
    read = 0
    for number in range(300):
        frame = bytearray(framed(message(number, rng)))
        frame[rng.randrange(len(frame))] = rng.randrange(256)
        read += _read(reader, bytes(frame), right)
        # A damaged length may claim bytes of what follows; two whole frames later all is well again.
        read += sum(_read(reader, framed(right), right) for _ in range(3))
    assert read >= 300


def _read(reader: FrameReader, piece: bytes, wanted: bytes) -> int:
    found = 0
    for frame in reader.feed(piece):
        if not isinstance(frame, Content):
            continue
        found += frame.content == wanted
        try:
            json.loads(frame.content)
        except (ValueError, RecursionError):
            reader.reject(frame.content)
    return found


def resident_mib(peer: Peer) -> float:
    status = Path(f"/proc/{peer.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@pytest.mark.slow
def test_ten_thousand_mutated_messages_leave_a_server_alive_and_its_memory_level(
    stranger: Peer,
) -> None:
    rng, sizes = random.Random(8), []
    stranger.initialize()
    for _ in range(5):
        contents = [message(number, rng) for number in range(2_000)]
        for start in range(0, 2_000, 100):
            piece = contents[start : start + 100]
            stranger.send_bytes(b"".join(map(framed, piece)))
            # Damaged contents are re-read from their middle: answers may be more, never fewer.
            wanted = wanted_of(piece)
            while not wanted <= Counter(
                json.dumps(it.get("id")) for it in stranger.received if is_answer(it)
            ):
                found = stranger.read(30)
                assert found is not None, "not all were answered"
                stranger.received.append(found)
            stranger.received.clear()
        assert stranger.call("zsh/health")["status"] == "healthy"
        sizes.append(resident_mib(stranger))
    assert sizes[-1] - sizes[1] < 8
