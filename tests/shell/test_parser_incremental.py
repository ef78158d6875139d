"""`reparse` returns the same tree as `parse`, although it parses only the edited commands."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shell.hostile import TOKENS
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.reparse import reparse

SAMPLE = (Path(__file__).parent / "sample.zsh").read_text()
FUNCTIONS = Path("/usr/share/zsh/functions")
BITS = [
    *TOKENS,
    "foo bar\n",
    "f() {\n",
    "for x\n",
    "if a\n",
    "then\n",
    "else\n",
    "case x in\n",
    "a)",
]
EDITS_PER_FILE = 15


def meaning(script: Script) -> Script:
    """A script without `guesses`, which depend on how it was parsed."""
    return script._replace(guesses=())


def assert_exact(before: Script, text: str) -> Script:
    script = reparse(before, text, before.dialect)
    assert meaning(script) == meaning(parse(text, before.dialect))
    return script


def edited(text: str, draw: random.Random) -> str:
    """The text after one edit: something typed, deleted or pasted, a line removed, a letter changed."""
    at = draw.randrange(len(text) + 1)
    kind = draw.choice(["type", "type", "delete", "paste", "line", "letter"])
    if kind == "type":
        return text[:at] + draw.choice(BITS) + text[at:]
    if kind == "delete":
        return text[:at] + text[at + draw.randrange(1, 20) :]
    if kind == "paste":
        start = draw.randrange(len(text) + 1)
        return text[:at] + text[start : start + draw.randrange(200)] + text[at:]
    if kind == "letter":
        return text[:at] + "z" + text[at + 1 :]
    begin = text.rfind("\n", 0, at) + 1
    return text[:begin] + text[text.find("\n", at) + 1 or len(text) :]


def sessions(texts: list[str], seed: int) -> Iterator[tuple[Script, str]]:
    """Pairs of a tree and its text after one more edit; some edits undo the one before."""
    draw = random.Random(seed)
    for text in texts:
        script = parse(text, draw.choice([Dialect.ZSH, *Dialect]))
        for _ in range(EDITS_PER_FILE):
            after = edited(script.text, draw)
            yield script, after
            if after and draw.random() < 0.6:
                script = parse(after, script.dialect)


def test_edits_of_a_script_give_the_tree_of_the_whole():
    for before, text in sessions([SAMPLE] * 8, seed=1):
        assert_exact(before, text)


@pytest.mark.slow
@pytest.mark.skipif(not FUNCTIONS.exists(), reason="zsh-common is not installed")
def test_thousands_of_edits_of_real_functions_give_the_tree_of_the_whole():
    paths = sorted(path for path in FUNCTIONS.rglob("*") if path.is_file())
    texts = [path.read_text("latin-1") for path in paths if path.stat().st_size < 30_000]
    for before, text in sessions(texts[::3], seed=2):
        assert_exact(before, text)


@given(st.lists(st.sampled_from(BITS), max_size=60), st.data(), st.sampled_from(list(Dialect)))
@settings(max_examples=150, deadline=None)
def test_edits_of_any_tokens_give_the_tree_of_the_whole(tokens, data, dialect):
    lines = "a | b\n".join(tokens)
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, min(len(lines), start + 10)))
    text = lines[:start] + data.draw(st.sampled_from(["", *BITS])) + lines[end:]
    assert_exact(parse(lines, dialect), text)


def test_a_chain_of_edits_stays_exact():
    draw, script = random.Random(3), parse(SAMPLE)
    for _ in range(100):
        text = edited(script.text, draw)
        script = assert_exact(script, text if len(text) < 20_000 else SAMPLE)


def test_what_stands_before_an_edit_is_the_same_object():
    before = parse("a\nb | c\nd\n")
    after = reparse(before, "a\nb | c\nde\n", before.dialect)
    assert after.pipelines[0] is before.pipelines[0]
    assert after.pipelines[1] is before.pipelines[1]


def test_functions_stay_those_of_the_pipelines():
    before = parse("a\nf() { g() { b; }; }\n")
    after = reparse(before, "aa\nf() { g() { b; }; }\n", before.dialect)
    outer = after.pipelines[1].segments[0]
    assert after.functions[1] is outer
    assert after.functions[0] is outer.bodies[0].pipelines[0].segments[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\n", "a\n"),
        ("", "a\n"),
        ("a\n", ""),
        ("a\nb\nc\n", "a\nif b\nc\n"),
        ("a\nb\nc\n", "a\nb |\nc\n"),
        ("a\nb\nc\n", "a\nb # \nc\n"),
        ("a\nb\n  c\n", "a\nb\n# c\n"),
        ("a\nb\nE\nc\n", "a\nb <<E\nE\nc\n"),
        ("a <<E\nb\nE\nc\n", "a <<F\nb\nE\nc\n"),
        ("a\nb\nc )\nd\n", "a\nb (\nc )\nd\n"),
        ("a\nb\nc 'd'\ne\n", "a\nb '\nc 'd'\ne\n"),
        ("a\nb\nc\r\nd\n", "a\nb\nc\nd\n"),
        ("((a); (b)\n)\nc\nd))\n", "((a); (b)\n\nc\nd))\n"),
    ],
)
def test_an_edit_that_reaches_further(before, after):
    assert_exact(parse(before), after)
    assert_exact(parse(after), before)


def test_another_dialect_is_another_tree():
    text = "repeat 3 do a; done\n"
    assert reparse(parse(text), text, Dialect.BASH) == parse(text, Dialect.BASH)
