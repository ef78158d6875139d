"""The words of commands without their quotes, and the range in the source of each of their parts."""

import shlex
import string

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.span import Span
from zsh_ls.shell.words.words import EXPANSION, Word, read


def words(text: str) -> list[Word]:
    return [word for command in read(text).commands.values() for word in command.words]


def texts(text: str) -> list[str]:
    return [word.text for word in words(text)]


def test_quotes_and_escapes_are_taken_off() -> None:
    assert texts("""a'b c'"d \\"e" f\\ g $'h\\n' \\\n i""") == ['ab cd "e', "f g", "h\\n", "i"]


def test_what_the_shell_puts_in_is_one_character() -> None:
    found = words('echo a$HOME "b $(c d) e" ${x:-"y z"} $((1 << 2)) `date` <(ls)')
    outer = [word.text for word in found if word.text not in ("c", "d", "date", "ls", "echo")]
    assert outer == ["a" + EXPANSION, f"b {EXPANSION} e", *(4 * [EXPANSION])]
    assert not any(word.literal for word in found if EXPANSION in word.text)


def test_code_in_a_word_gives_its_own_commands() -> None:
    assert texts("echo $(cat a | grep b)") == ["echo", EXPANSION, "cat", "a", "grep", "b"]


def test_a_command_knows_what_it_reads() -> None:
    found = list(read("echo x | cat <<E <<< y\nbody\nE").commands.values())
    assert [word.text for word in found[1].inputs] == ["y"]
    assert [span.start for span in found[1].heredocs] == [23]
    assert found[1].producer is found[0]
    assert found[0].producer is None


def test_gaps_are_what_no_word_covers() -> None:
    text = "a | b && c # note"
    assert [text[gap.start : gap.end] for gap in read(text).gaps] == [" | ", " && ", " "]


def test_a_part_of_a_word_is_found_in_the_source_quoting_by_quoting() -> None:
    text = """x 'ab'"c\\"d"e\\ f"""
    word = words(text)[1]
    assert word.text == 'abc"de f'
    assert [text[span.start : span.end] for span in word.sources(1, 8)] == ["b", 'c\\"d', "e\\ f"]


SAFE = st.text(
    alphabet=string.ascii_letters + string.digits + " '\"$\\()|;&<>#*", min_size=1, max_size=20
)


@given(st.lists(SAFE, min_size=1, max_size=5))
def test_quoted_words_come_back_as_they_were(values: list[str]) -> None:
    text = "cmd " + " ".join(shlex.quote(value) for value in values)
    found = words(text)
    assert [word.text for word in found] == ["cmd", *values]


@given(st.lists(SAFE, min_size=1, max_size=5), st.data())
def test_sources_lie_within_their_word(values: list[str], data: st.DataObject) -> None:
    text = "cmd " + " ".join(shlex.quote(value) for value in values)
    for word in words(text):
        start = data.draw(st.integers(0, len(word.text)))
        end = data.draw(st.integers(start, len(word.text)))
        for span in word.sources(start, end):
            assert word.span.start <= span.start < span.end <= word.span.end


@given(st.text(alphabet="ab $(){}[]'\"`|&;<>\\\n#=", max_size=100))
def test_any_text_can_be_read(text: str) -> None:
    found = read(text)
    covered = sorted([*(word.span for word in found.words), *found.gaps])
    assert all(Span(0, len(text)).start <= span.start <= span.end <= len(text) for span in covered)
