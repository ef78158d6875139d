"""The lexer on its own: words, with a callback in place of the parser for the code in them."""

import gc
import weakref

import pytest

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Pipeline, SubstitutionKind
from zsh_ls.shell.syntax.parser.lexer import UNCLOSED, Lexer
from zsh_ls.shell.syntax.parser.parser import Parser


class CodeSkipper:
    """Stands in for the parser: moves the lexer past the code in a word and records its text."""

    def __init__(self, text: str, dialect: Dialect = Dialect.ZSH) -> None:
        self.lexer = Lexer(text, dialect, self)
        self.codes: list[str] = []

    def __call__(self, *closers: str) -> tuple[Pipeline, ...]:
        lexer, start = self.lexer, self.lexer.pos
        ends = [lexer.text.find(closer, start, lexer.end) for closer in closers]
        lexer.pos = min((end for end in ends if end >= 0), default=lexer.end)
        self.codes.append(lexer.text[start : lexer.pos])
        return ()


@pytest.mark.parametrize(
    ("text", "word", "codes"),
    [
        ("plain rest", "plain", []),
        ("'a b'\"c $d\"e;", "'a b'\"c $d\"e", []),
        ("a$(b c)d e", "a$(b c)d", ["b c"]),
        ('"$(a) `b c`" d', '"$(a) `b c`"', ["a", "b c"]),
        ("${x:-$(y)}z w", "${x:-$(y)}z", ["y"]),
        ("$((1 + 2))|", "$((1 + 2))", []),
        ("<(a b) c", "<(a b)", ["a b"]),
        ("(a|b)*~c d", "(a|b)*~c", []),
    ],
)
def test_a_word_is_passed_and_its_code_is_left_to_the_callback(
    text: str, word: str, codes: list[str]
) -> None:
    skipper = CodeSkipper(text)
    assert skipper.lexer.word() == Span(0, len(word))
    assert skipper.codes == codes
    assert len(skipper.lexer.substitutions) == len(codes)


def test_no_word_begins_at_an_operator() -> None:
    lexer = CodeSkipper("; a").lexer
    assert lexer.word() is None
    assert lexer.pos == 0


def test_an_unclosed_quote_ends_with_its_line() -> None:
    lexer = CodeSkipper("'a b\nc").lexer
    assert lexer.word() == Span(0, 4)
    assert [problem.message for problem in lexer.problems] == [UNCLOSED + "'"]


def test_a_missing_closer_is_a_problem_at_its_opener() -> None:
    lexer = CodeSkipper("$(a").lexer
    lexer.word()
    (problem,) = lexer.problems
    assert (problem.span, problem.message) == (Span(0, 2), "`$(` without `)`")
    assert lexer.substitutions[0].kind is SubstitutionKind.COMMAND


def test_comments_between_commands_are_kept() -> None:
    lexer = CodeSkipper(" # one\n;  # two\n a").lexer
    lexer.separators()
    assert lexer.char() == "a"
    assert lexer.comments == [Span(1, 6), Span(10, 15)]


def test_a_parser_and_its_lexer_are_freed_without_a_garbage_collection() -> None:
    parser = Parser("a $(b)", Dialect.ZSH)
    parser.script()
    lexer = weakref.ref(parser.lexer)
    gc.disable()
    try:
        del parser
        assert lexer() is None
    finally:
        gc.enable()
