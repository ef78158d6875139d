"""A tree of the deepest nesting can be walked within Python's default recursion limit."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from zsh_ls.insights import static_of
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.ide.cursor import pipeline_at
from zsh_ls.shell.ide.folding import folds
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.ide.selection_range import selections
from zsh_ls.shell.status.blame import reported_pipeline
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import outline
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.tracing.traceable import needs_a_full_trap
from zsh_ls.shell.words.words import read

OPENERS = ("$(", '"$(', "{ ", "( ", "if ", "if a; then\n", "f() { ", "case x in a) ", "a && { ")
WALKS: list[Callable[[Script], object]] = [
    Script.every_pipeline,
    contexts,
    static_of,
    runnable_lines,
    names_of,
    needs_a_full_trap,
    lambda script: outline(names_of(script)),
    lambda script: folds(script, LineIndex(script.text)),
    lambda script: selections(script, len(script.text) // 2),
    lambda script: pipeline_at(script, len(script.text) // 2),
    lambda script: reported_pipeline(script, script.dialect, (1,)),
    lambda script: read(script.text),
]


def test_parsing_leaves_the_recursion_limit_as_it_was():
    before = sys.getrecursionlimit()
    parse("$(" * 1000)
    assert sys.getrecursionlimit() == before


def test_parsing_in_threads_leaves_the_recursion_limit_as_it_was():
    before = sys.getrecursionlimit()
    with ThreadPoolExecutor(8) as pool:
        scripts = list(pool.map(parse, ["$(" * 1000, "( " * 1000, "a\n" * 100] * 20))
    assert len(scripts) == 60
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("opener", OPENERS)
def test_the_deepest_tree_can_be_walked(opener, dialect):
    script = parse(opener * 200 + "echo a | b\n", dialect)
    for walk in WALKS:
        walk(script)
