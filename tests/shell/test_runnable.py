"""The commands of a script that may also be in a history, about which memory is asked."""

from __future__ import annotations

import pytest

from zsh_ls.shell.ide.runnable import runnable_lines, statement_at
from zsh_ls.shell.syntax.parser import parse


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("make test | tail -3\nls", ["make test | tail -3", "ls"]),
        ("cd x && make", ["cd x && make", "cd x", "make"]),
        ("for f in *; do gzip $f; done", ["gzip $f"]),
        ("if make; then ls; fi", ["make", "ls"]),
        ("echo $(make)", ["echo $(make)"]),
        ("x=1\nf() { make }", ["make"]),
        ("a; b && { c }", ["a", "b", "c"]),
        ("", []),
    ],
)
def test_plain_pipelines_and_whole_lists_are_lines(text: str, lines: list[str]) -> None:
    script = parse(text)
    assert [script.source(line) for line in runnable_lines(script)] == sorted(
        lines, key=lambda it: (text.index(it), len(it))
    )


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("f() {\n  mk¦dir d || {\n    exit 1\n  }\n}", "mkdir d || {\n    exit 1\n  }"),
        ("mkdir d || {\n  ex¦it 1\n}", "exit 1"),
        ("if make; then\n¦  \tls\nfi", "ls"),
        ("if make; then\n ¦\n  ls\nfi", "if make; then\n \n  ls\nfi"),
        ("cd d && f¦or f in *; do\n  gzip $f\ndone", "cd d && for f in *; do\n  gzip $f\ndone"),
        ("f() {\n  ¦for f in *; do\n    gzip $f\n  done\n}", "for f in *; do\n    gzip $f\n  done"),
        ("for f in *; do\n  gzip¦ $f | cat\ndone", "gzip $f | cat"),
        ("if ma¦ke; then ls; fi", "make"),
        ("a && b¦ && c; d", "a && b && c"),
        ("() { print $1 }¦ x", "() { print $1 } x"),
        ("f()¦ { make }", None),
        ("f() {\n  ¦# nothing\n  make\n}", None),
        ("make\n¦\nls", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_statement_of_a_place_is_its_whole_list(text: str, statement: str | None) -> None:
    """What stands behind `||` is part of it, whatever it is: alone the line would do something else."""
    before, _, after = text.partition("¦")
    script = parse(before + after)
    found = statement_at(script, len(before))
    assert (found and script.source(found)) == statement
