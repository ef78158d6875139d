"""Offsets and positions, as the Language Server Protocol counts them."""

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.shell.syntax.lines import LineIndex, LinePosition

TEXTS = st.text(alphabet=st.sampled_from("a\n\r\u2028\u0085\x0c\x0bé€𝔘\ud800"), max_size=40)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])


def test_only_newlines_and_carriage_returns_end_lines():
    assert LineIndex("a\nb\r\nc\rd\u2028e\u0085f\x0cg\x0bh\n").starts == [0, 2, 5, 7, 17]


def test_a_text_has_a_line_more_than_it_has_line_ends():
    assert [LineIndex(text).line_count for text in ("", "a", "a\n", "\r\n\n")] == [1, 1, 2, 3]


def test_positions_count_units_of_the_encoding():
    index = LineIndex("é𝔘x")
    assert index.position(2, "utf-16") == LinePosition(0, 3)
    assert index.position(2, "utf-8") == LinePosition(0, 6)
    assert index.position(2, "utf-32") == LinePosition(0, 2)
    assert index.offset((0, 3), "utf-16") == 2
    assert index.offset((0, 6), "utf-8") == 2


def test_a_position_within_a_character_is_before_it():
    assert LineIndex("𝔘x").offset((0, 1), "utf-16") == 0
    assert LineIndex("éx").offset((0, 1), "utf-8") == 0


def test_positions_beyond_are_the_end():
    index = LineIndex("ab\r\ncd")
    assert index.offset((0, 99)) == 2
    assert index.offset((7, 0)) == 6
    assert index.offset((-1, 5)) == 0
    assert index.position(99) == LinePosition(1, 2)
    assert index.position(3) == LinePosition(0, 2)


@given(TEXTS, ENCODINGS)
def test_there_and_back(text, encoding):
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        back = index.offset(index.position(offset, encoding), encoding)
        assert back == offset - inside_line_end


@given(TEXTS)
def test_lines_together_are_the_text(text):
    index = LineIndex(text)
    ends = [*index.starts[1:], len(text)]
    for line, (start, end) in enumerate(zip(index.starts, ends, strict=True)):
        assert text[index.line_end(line) : end] in {"", "\n", "\r", "\r\n"}
        assert all(index.line_of(offset) == line for offset in range(start, end))
