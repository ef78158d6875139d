"""Each point that a person at an editor was promised has a test in both real editors; else it is reported."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from .points import POINTS

HERE = Path(__file__).parent
PROMISE = re.compile(r"""^it\((['"])(.*?)\1, """, re.MULTILINE)


@cache
def names_in(file: Path) -> frozenset[str]:
    """The names of the tests of a Python file, the promises of a spec; none of a file that is not there."""
    if not file.is_file():
        return frozenset()
    text = file.read_text()
    if file.suffix == ".lua":
        return frozenset(found[1] for found in PROMISE.findall(text))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(it.name for it in ast.walk(ast.parse(text)) if isinstance(it, functions))


def is_there(editor: str, test: str) -> bool:
    """Whether a test of the table is in the files of its editor."""
    file, _, name = test.partition("::")
    if name:
        return name in names_in(HERE / editor / file)
    spec, _, promise = test.partition(": ")
    return promise in names_in(HERE / "nvim/specs" / f"{spec}.lua")


def test_every_point_has_a_test_in_both_editors_or_says_why_not() -> None:
    missing = [it.promise for it in POINTS if not (it.vscode and it.neovim) and not it.only]
    assert missing == []
    assert [it.promise for it in POINTS if it.only and it.vscode and it.neovim] == []


def test_every_test_of_the_table_is_there() -> None:
    named = [("vscode", it.vscode) for it in POINTS] + [("nvim", it.neovim) for it in POINTS]
    assert [test for editor, test in named if test and not is_there(editor, test)] == []


def test_a_test_that_is_not_there_is_noticed() -> None:
    assert not is_there("nvim", "results: nobody promised this")
    assert not is_there("vscode", "test_host.py::test_nobody_wrote_this")
    assert not is_there("vscode", "test_none.py::test_the_server_that_is_set_runs")
