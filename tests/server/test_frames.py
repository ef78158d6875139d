"""Frames: messages from any stream of bytes, and recovery after invalid ones."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zsh_ls.server.frames import (
    LARGEST_MESSAGE_BYTES,
    LONGEST_HEADER_BYTES,
    Content,
    Damage,
    FrameReader,
    framed,
)

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def read(*pieces: bytes) -> list[bytes | str]:
    """All frames of a reader; contents that are not JSON are rejected, as in a session."""
    reader = FrameReader()
    found: list[bytes | str] = []
    for piece in pieces:
        for frame in reader.feed(piece):
            if isinstance(frame, Damage):
                found.append(frame.reason)
                continue
            try:
                json.loads(frame.content)
                found.append(frame.content)
            except ValueError:
                reader.reject(frame.content)
                found.append("no JSON")
    return found


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length : %d\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers_are_read_however_they_are_written(header: bytes) -> None:
    assert read(header % len(PING) + PING + framed(PING)) == [PING, PING]


@pytest.mark.parametrize("length", [b"-1", b"abc", b"", b"0x10", b"1.5", b"9" * 30, b"12 34"])
def test_a_length_that_is_none_is_said_once_and_the_next_message_is_read(length: bytes) -> None:
    stream = b"Content-Length: " + length + b"\r\n\r\n" + PING + framed(PING)
    assert read(stream) == ["expected a number of bytes as Content-Length", PING]


def test_a_message_over_the_limit_is_skipped_without_being_kept() -> None:
    reader = FrameReader()
    header = b"Content-Length: %d\r\n\r\n" % (LARGEST_MESSAGE_BYTES + 1)
    assert [type(frame) for frame in reader.feed(header)] == [Damage]
    for _ in range(8):
        assert list(reader.feed(b"x" * 1_000_000)) == []
        assert len(reader._buffer) < LONGEST_HEADER_BYTES
    assert list(reader.feed(framed(PING))) == [Content(PING)]


@pytest.mark.parametrize("off", [-30, -3, -1, 1, 5, 17])
def test_a_wrong_length_costs_no_later_message(off: int) -> None:
    stream = b"Content-Length: %d\r\n\r\n" % (len(PING) + off) + PING
    assert read(stream + framed(PING))[-1] == PING


def test_garbage_between_messages_is_said_once() -> None:
    assert read(framed(PING) + b"oops" * 3000 + framed(PING)) == [
        PING,
        "expected a Content-Length header",
        PING,
    ]


@settings(max_examples=50)
@given(
    bodies=st.lists(st.text(max_size=40), max_size=5),
    cuts=st.lists(st.integers(min_value=0, max_value=400), max_size=8),
)
def test_the_pieces_a_stream_arrives_in_do_not_matter(bodies: list[str], cuts: list[int]) -> None:
    contents = [json.dumps(body).encode() for body in bodies]
    stream = b"".join(map(framed, contents))
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in pairwise(edges)]
    assert read(*pieces) == contents


@settings(max_examples=50)
@given(garbage=st.binary(max_size=300))
def test_after_any_garbage_a_message_gets_through_in_the_end(garbage: bytes) -> None:
    # Garbage may look like a header that swallows what follows; messages enough always come through.
    assert PING in read(garbage, *[framed(PING)] * 3)


@settings(max_examples=50)
@given(st.lists(st.binary(max_size=80), max_size=10))
def test_the_reader_never_raises_and_keeps_little(pieces: list[bytes]) -> None:
    reader = FrameReader()
    for piece in pieces:
        for frame in reader.feed(piece):
            if isinstance(frame, Content):
                reader.reject(frame.content)
