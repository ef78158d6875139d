"""For any text the parser returns a tree whose ranges fit it, in linear time."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shell.hostile import MEGABYTE_LINES, REPEATED, TOKENS
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Pipeline, Script
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.parser import parse

DIALECTS = st.sampled_from(list(Dialect))
# Not a measure of speed: what is not linear needs hours for these texts, not seconds.
DEADLINE_S = 60.0


def nested(pipelines: tuple[Pipeline, ...], around: Span) -> Iterator[tuple[Span, Span]]:
    """Each range of a tree, with the range that must contain it."""
    for pipeline in pipelines:
        yield pipeline.span, around
        for segment in pipeline.segments:
            yield segment.span, pipeline.span
            for part in (*segment.words, *(each.span for each in segment.redirections)):
                yield part, segment.span
            for body in segment.bodies:
                yield from nested(body.pipelines, segment.span)
            for substitution in segment.substitutions:
                yield substitution.span, segment.span
                yield from nested(substitution.pipelines, substitution.span)


def assert_fits(script: Script) -> None:
    whole = Span(0, len(script.text))
    for inner, outer in nested(script.pipelines, whole):
        assert outer.start <= inner.start <= inner.end <= outer.end
    for problem in script.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(script.text)


def answers(text: str, dialect: Dialect) -> Script:
    started = time.monotonic()
    script = parse(text, dialect)
    contexts(script)
    assert time.monotonic() - started < DEADLINE_S
    return script


@pytest.mark.parametrize("piece", REPEATED, ids=repr)
def test_repetition_is_answered(piece):
    assert_fits(answers(piece * 300, Dialect.ZSH))


@pytest.mark.slow
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("piece", REPEATED, ids=repr)
def test_ten_thousand_repetitions_are_answered(piece, dialect):
    answers(piece * 10_000, dialect)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("text", MEGABYTE_LINES, ids=lambda text: text[:8])
def test_lines_of_a_megabyte_are_answered(text, dialect):
    assert answers(text, dialect).pipelines


@given(st.lists(st.sampled_from(TOKENS), max_size=60), DIALECTS)
@settings(max_examples=100, deadline=None)
def test_any_sequence_of_tokens_gives_ranges_that_nest(tokens, dialect):
    assert_fits(parse("".join(tokens), dialect))
    assert_fits(parse(" ".join(tokens), dialect))


@given(st.text(max_size=80), DIALECTS)
@settings(max_examples=100, deadline=None)
def test_any_text_gives_ranges_that_nest(text, dialect):
    assert_fits(parse(text, dialect))


@pytest.mark.parametrize(
    "control", [chr(code) for code in (*range(32), 127, 0x85, 0x2028)], ids=repr
)
def test_control_characters_are_characters(control):
    script = parse(f"a{control}b | c")
    assert script.source(script.pipelines[-1].segments[-1].span) == "c"


def test_deep_nesting_is_a_problem_not_an_exception():
    assert parse("(" * 1000).problems
    assert parse('"$(' * 1000).problems
    for opener in ("{ ", "$(", "if ", "f() ", "repeat 1 "):
        messages = [each.message for each in parse(opener * 1000).problems]
        assert "nested too deeply" in messages


def test_nesting_that_people_write_is_not_too_deep():
    text = "$(" * 60 + "a" + ")" * 60
    assert parse(text).problems == ()
    assert len(parse(text).every_pipeline()) == 61


def test_what_stands_after_a_line_that_nests_too_deeply_is_kept():
    script = parse("{ " * 400 + "\na | b\n")
    assert "a | b" in [script.source(each.span) for each in script.every_pipeline()]


def test_the_callers_own_stack_may_be_deep():
    def deep(frames: int) -> Script:
        return deep(frames - 1) if frames else parse("$(" * 1000)

    assert deep(850).problems


SAMPLE = Path(__file__).parent / "sample.zsh"


@pytest.mark.parametrize("dialect", Dialect)
def test_every_prefix_of_a_script_parses(dialect):
    text = SAMPLE.read_text()
    first_command = text.index("emulate")
    for length in range(0, len(text), 1 if dialect is Dialect.ZSH else 7):
        script = parse(text[:length], dialect)
        assert bool(script.pipelines) == (length > first_command)


def test_a_prefix_keeps_what_came_before():
    text = SAMPLE.read_text()
    whole = [text[slice(*each.span)] for each in parse(text).pipelines]
    lines = text.splitlines(keepends=True)
    for count in range(len(lines)):
        part = parse("".join(lines[:count]))
        seen = [part.source(each.span) for each in part.pipelines]
        assert seen[:-1] == whole[: max(len(seen) - 1, 0)]
