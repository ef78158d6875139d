"""Positions of LSP in texts: lines, columns in three encodings, edits of ranges."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from zsh_ls.model.span import Span
from zsh_ls.server.documents import Text, clean, lines_of
from zsh_ls.server.features.text_document_semantic_tokens_full import encoded
from zsh_ls.shell.ide.semantic_tokens import Sort, Token
from zsh_ls.shell.syntax.lines import Encoding, LineIndex

# Everything str.splitlines would split at and LSP does not, line ends, and wide characters.
ALPHABET = "ab \t\r\n\f\v\x1c\x85\u2028é€😀"
texts = st.text(ALPHABET, max_size=40)
encodings = st.sampled_from(["utf-8", "utf-16", "utf-32"])


def at(line: int, character: int) -> Position:
    return Position(line, character)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n", ""]),
        ("a\r\nb\rc\n\nd", ["a\r\n", "b\r", "c\n", "\n", "d"]),
        ("a\fb\x85c\u2028d\n", ["a\fb\x85c\u2028d\n", ""]),
    ],
)
def test_lines_end_where_lsp_says(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-8", [0, 1, 5, 6]), ("utf-16", [0, 1, 3, 4]), ("utf-32", [0, 1, 2, 3])],
)
def test_columns_are_counted_in_the_clients_units(encoding: str, columns: list[int]) -> None:
    text = Text.of("x😀y\n", encoding)
    assert [text.position(offset).character for offset in range(4)] == columns
    assert [text.offset(at(0, column)) for column in columns] == [0, 1, 2, 3]


@pytest.mark.parametrize(("encoding", "inside"), [("utf-8", 2), ("utf-8", 4), ("utf-16", 2)])
def test_a_position_inside_a_character_means_its_beginning(encoding: str, inside: int) -> None:
    assert Text.of("x😀y", encoding).offset(at(0, inside)) == 1


def test_positions_beyond_the_end_mean_the_end() -> None:
    text = Text.of("ab\r\ncd", "utf-16")
    assert text.offset(at(0, 99)) == 2
    assert text.offset(at(99, 0)) == 6
    assert text.position(99) == at(1, 2)


def test_an_edit_behind_a_form_feed_changes_its_own_line() -> None:
    text = Text.of("one\ftwo\u2028three\nfour\n", "utf-16")
    text.edit(Range(at(1, 0), at(1, 4)), "FOUR")
    assert text.whole == "one\ftwo\u2028three\nFOUR\n"


@given(
    text=texts,
    edits=st.lists(st.tuples(*[st.integers(0, 12)] * 4, texts), max_size=4),
    encoding=encodings,
)
def test_edits_give_the_text_that_replacing_characters_gives(
    text: str, edits: list[tuple[int, int, int, int, str]], encoding: str
) -> None:
    document = Text.of(text, encoding)
    for *numbers, new in edits:
        found = Range(at(*numbers[:2]), at(*numbers[2:]))
        start, end = document.edit(found, new)
        text = text[:start] + new + text[end:]
        assert document.whole == text
        assert document.lines == lines_of(text)


@given(text=texts, encoding=encodings)
def test_every_character_has_a_position_of_its_own(text: str, encoding: str) -> None:
    document = Text.of(text, encoding)
    ends = {found.start() for found in re.finditer(r"(?<=\r)\n", text)}
    for offset in range(len(text) + 1):
        if offset not in ends:
            assert document.offset(document.position(offset)) == offset


def test_a_range_that_is_backwards_is_read_forwards() -> None:
    assert Text.of("abc", "utf-16").span(Range(at(0, 2), at(0, 1))) == Span(1, 2)


def test_lone_surrogates_are_replaced_and_nothing_moves() -> None:
    assert clean("a\ud83db") == "a\ufffdb"
    assert clean("é😀") == "é😀"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_semantic_tokens_stand_where_the_protocol_counts(encoding: Encoding) -> None:
    """Relative to the token before, behind any characters and any kind of line end."""
    text = 'ls é𝄞 | wc\r\n\r"x𝄞" ls\n\n\u2028 ls\tgrep é𝄞ls'
    found = [
        Token(Span(*it.span()), Sort.PROGRAM, is_declared=it.start() > 12)
        for it in re.finditer(r"ls|wc|grep|𝄞", text)
    ]
    lines = LineIndex(text)
    data = iter(encoded(found, lines, encoding))
    line = column = 0
    for token in found:
        moved, further, length, _, bits = (next(data) for _ in range(5))
        line, column = line + moved, further if moved else column + further
        assert (line, column) == lines.position(token.span.start, encoding)
        assert lines.position(token.span.end, encoding) == (line, column + length)
        assert bool(bits) is token.is_declared
    assert not list(data)
