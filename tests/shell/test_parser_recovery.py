"""How many commands are still found while one line is unfinished, and which problems are reported."""

from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from tests.shell.outline import messages, outline
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse

SAMPLE = (Path(__file__).parent / "sample.zsh").read_text()
UNFINISHED = [
    "if foo; then", "if [[ -n $x", "foo |", "foo &&", "f() {", "f()", "x=$(foo", "x=(", "(( x",
    "for x in", "case x in", "while foo", "{", "(", "[[ -n $x", "echo ${x", "`foo", "done", ")",
    "}", "fi", ";;", 'x="abc', "x='abc", "echo 'foo",
]  # fmt: skip


def innermost(text: str) -> Counter[str]:
    """The source of each pipeline that consists of simple commands."""
    script = parse(text)
    return Counter(
        script.source(each.span)
        for each in script.every_pipeline()
        if not any(segment.bodies for segment in each.segments)
    )


def kept(line: str) -> float:
    """The share of pipelines still found, averaged over inserting `line` before each command."""
    whole = innermost(SAMPLE)
    starts = [each.span.start for each in parse(SAMPLE).pipelines]
    at_line_starts = [start for start in starts if SAMPLE[start - 1] == "\n"]
    broken = (f"{SAMPLE[:start]}{line}\n{SAMPLE[start:]}" for start in at_line_starts)
    return mean((innermost(text) & whole).total() / whole.total() for text in broken)


@pytest.mark.parametrize("line", UNFINISHED)
def test_an_unfinished_line_costs_little_of_the_rest(line):
    assert kept(line) > 0.75


SAID = {
    "if a; then b": ["`if` without `fi`"],
    "while a; do b": ["`while` without `done`"],
    "for x in a; do b": ["`for` without `done`"],
    "case x in a) b": ["`case` without `esac`"],
    "case x": ["`case` without `in`"],
    "f() {": ["`{` without `}`"],
    "( a": ["`(` without `)`"],
    "a $(b": ["`$(` without `)`"],
    "a <(b": ["`<(` without `)`"],
    "x=(a": ["`(` without `)`"],
    "[[ a": ["`[[` without `]]`"],
    "a |": ["no command after `|`"],
    "! ! a": ["`!` after `!`"],
    "a >": ["redirection without a word"],
    "a )": ["unexpected `)`"],
    "f() { a; } b": ["no separator before this command"],
    "a; done": ["unexpected `done`"],
    ";; a": ["unexpected `;;`"],
    "echo 'a": ["unclosed '"],
    'echo "a': ['unclosed "'],
    "echo `a": ["unclosed `"],
    "echo ${a": ["unclosed ${"],
    "cat <<E\na": ["here-document without `E`"],
}


@pytest.mark.parametrize(("text", "expected"), SAID.items())
def test_what_is_missing_is_named(text, expected):
    assert messages(text) == expected


def test_a_closing_word_goes_to_the_construct_that_waits_for_it():
    assert outline("f() { if a; then b }\nc") == [
        "f() { if a; then b }",
        "if a; then b",
        "a",
        "b",
        "c",
    ]


def test_the_first_of_two_open_strings_is_the_one_left_open():
    text = 'x="abc\nlocal y="def ghi"\na | b\n'
    script = parse(text)
    assert [problem.span.start for problem in script.problems] == [2]
    assert outline(text)[-1] == "a ¦ b"


def test_what_the_shells_run_all_the_same_is_not_fatal():
    assert [each.fatal for each in parse("cat <<E\na").problems] == [False]
    assert [each.fatal for each in parse("a &&").problems] == [False]
    assert [each.fatal for each in parse("a &&", Dialect.BASH).problems] == [True]


@pytest.mark.parametrize("text", ["for)", "for<", "for\n)", "case)", "if)", "select<", "repeat)"])
def test_an_opening_word_with_nothing_it_could_open_ends(text):
    assert parse(text).problems


def test_a_pipeline_alone_parses_to_itself():
    script = parse(SAMPLE)
    for pipeline in script.every_pipeline():
        source = script.source(pipeline.span)
        if "<<-" in source:
            continue
        alone = parse(source).pipelines[0]
        moved = [segment.span.shifted(pipeline.span.start) for segment in alone.segments]
        assert moved == [segment.span for segment in pipeline.segments], source
