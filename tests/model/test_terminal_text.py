"""The text that a terminal would show of an output, and where the output may be cut in pieces."""

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model import terminal_text
from zsh_ls.model.terminal_text import (
    MAX_HELD_BYTES,
    complete_prefix,
    render,
    render_bytes,
    split_lines,
)

PATTERNS = [it for it in vars(terminal_text).values() if isinstance(it, terminal_text.Sought)]


@pytest.mark.parametrize(
    ("printed", "left"),
    [
        ("plain\n\ttext\n", "plain\n\ttext\n"),
        ("a\r\nb\r\r\nc\n", "a\nb\nc\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("⠙\x1b[1G\x1b[0K> types\r\n", "> types\n"),
        ("12%\x1b[G100%\n", "100%\n"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bP1$r0m\x1b\\after", "after"),
        ("\x1bPq#0\n#1\n\x1b\\after", "after"),
        ("\x1b_app\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\text", "text"),
        ("\x1b(B\x1b=\x1b>\x1b7text\x1b8", "text"),
        ("\x9b31mred", "red"),
        ("10%\r50%\r100%\ndone", "100%\ndone"),
        ("a longer line\rshort", "shortger line"),
        ("a longer line\r\x1b[Kshort", "short"),
        ("a longer line\x1b[2K\rshort", "short"),
        ("a line that was erased\r\x1b[K\nnext", "a line that was erased\nnext"),
        ("line\r", "line"),
        ("abc\b\bX", "aXc"),
        ("N\bNA\bAM\bME\bE _\bx", "NAME x"),
        ("a\b\b\b\bb", "b"),
        ("ab\b\r\bc", "cb"),
        ("nul\0byte", "nul␀byte"),
        ("bell\a", "bell"),
        ("unfinished \x1b[3", "unfinished "),
        ("unfinished \x1b]0;title", "unfinished "),
        ("unfinished \x1b", "unfinished "),
        ("\x1b]never ended\nnext line", "\nnext line"),
        ("up\n\x1b[1A\x1b[2Kdown", "up\ndown"),
    ],
)
def test_what_a_terminal_would_leave(printed: str, left: str) -> None:
    assert render(printed) == left


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert render_bytes(b"caf\xe9 \xc3\xa9\n\xe2\x82") == "caf\ufffd é\n\ufffd"


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "hostile",
    [
        "x" * 300_000 + "\b" * 300_000 + "y",
        "x" * 1_000_000 + "\rshort" * 300_000,
        "\r".join("#" * (n % 80) + f" {n}" for n in range(200_000)),
        "\x1b]" * 500_000,
        "\x1b[" * 500_000,
        "\x1bP" * 500_000,
        "\x1b[2K" * 300_000 + "\r" * 300_000,
        "\r" * 1_000_000 + "\n",
        "\r\x1b[1m" * 300_000,
        "\x1b[1G" * 300_000,
    ],
    ids=range(10),
)
def test_hostile_output_takes_linear_time(hostile: str) -> None:
    assert "\r" not in render(hostile)


@given(st.text(alphabet=st.sampled_from("ab\r\n\b\x1b[]P\\;K2m\x07\0\x9b é\t")))
def test_a_long_text_is_rendered_as_a_short_one_is(text: str) -> None:
    """A long one a replacement at a time, so that other threads run meanwhile."""
    at_once = render(text)
    with mock.patch.multiple(terminal_text, LONG_CHARACTERS=2, MANY_PIECES=2):
        assert render(text) == at_once


@pytest.mark.parametrize("sought", PATTERNS)
@pytest.mark.parametrize("piece", ["a", "ä", "a\r", "\x1b", "\x1b[2K", "\x1bP", "\r", "a\b"])
def test_no_search_sees_all_of_a_long_text_at_once(
    sought: terminal_text.Sought, piece: str
) -> None:
    """One that finds nothing let no other thread run until it had."""
    at_once = [len(found[0]) for found in sought.between.finditer(piece * 2_000_000)]
    assert sum(at_once) == len(piece) * 2_000_000
    assert max(at_once) <= 100 * terminal_text.MANY_STEPS


@given(st.text(alphabet=st.sampled_from("ab\n")))
def test_lines_are_those_of_split(text: str) -> None:
    with mock.patch.multiple(terminal_text, LONG_CHARACTERS=2):
        assert split_lines(text) == text.split("\n")


@given(st.text(alphabet=st.sampled_from("ab\r\n\b\x1b[]P\\;K2m\x07\0\x9b é\t")))
def test_any_text_renders_to_text_that_renders_to_itself(text: str) -> None:
    once = render(text)
    assert not set(once) & set("\r\b\x1b\0\x07\x9b")
    assert render(once) == once


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", b""),
        (b"plain", b"plain"),
        ("é".encode(), "é".encode()),
        ("aé".encode()[:-1], b"a"),
        ("a€".encode()[:-1], b"a"),
        ("a🙂".encode()[:-1], b"a"),
        ("a🙂".encode()[:-3], b"a"),
        (b"a\xff", b"a\xff"),
        (b"a\x80\x80\x80\x80", b"a\x80\x80\x80\x80"),
        (b"a\xc3\xa9\xa9", b"a\xc3\xa9\xa9"),
        (b"a\x1b", b"a"),
        (b"a\x1b[", b"a"),
        (b"a\x1b[1;3", b"a"),
        (b"a\x1b[1;31m", b"a\x1b[1;31m"),
        (b"a\x1b(", b"a"),
        (b"a\x1b(B", b"a\x1b(B"),
        (b"a\x1b]0;title", b"a"),
        (b"a\x1b]0;ti\xc3", b"a"),
        (b"a\x1b]0;title\x1b", b"a"),
        (b"a\x1b]0;title\x1b\\", b"a\x1b]0;title\x1b\\"),
        (b"a\x1b]0;title\x07", b"a\x1b]0;title\x07"),
        (b"a\x1b]never\nended", b"a\x1b]never\nended"),
        (b"a\x1bPq\n#0", b"a"),
        (b"a\xc2\x9b3", b"a"),
    ],
)
def test_a_piece_never_ends_inside_a_character_or_an_escape(data: bytes, shown: bytes) -> None:
    assert data[: complete_prefix(data)] == shown


def test_what_is_held_back_is_bounded() -> None:
    endless = b"\x1bP" + b"q" * 100_000
    assert len(endless) - complete_prefix(endless) <= MAX_HELD_BYTES


@given(
    st.lists(st.sampled_from(["plain", "é", "🙂", "\x1b[31m", "\x1b]0;t\x1b\\", "\n"])),
    st.integers(1, 9),
)
def test_pieces_cut_there_show_the_same_as_the_whole(parts: list[str], step: int) -> None:
    data, pending, shown = "".join(parts).encode(), b"", ""
    for start in range(0, len(data), step):
        pending += data[start : start + step]
        cut = complete_prefix(pending)
        shown += render_bytes(pending[:cut])
        pending = pending[cut:]
    assert not pending
    assert shown == render_bytes(data)
