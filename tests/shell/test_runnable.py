"""The commands of a script that may also be in a history, about which memory is asked."""

from __future__ import annotations

import pytest

from zsh_ls.shell.ide.runnable import runnable_lines
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
