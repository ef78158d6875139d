"""Possessive groups are rewritten for Pythons whose engine has a bug in them, with the same matches."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax._regex import with_atomic_groups
from zsh_ls.shell.syntax.parser import word_patterns

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).with_name("sample.zsh")
TREE = """
import sys
from pathlib import Path
from zsh_ls.shell.syntax.parser.parser import parse
print(parse(Path(sys.argv[1]).read_text()).pipelines)
"""
# The oldest Python that is supported, where the system has it beside the one of the tests.
OLD = Path("/usr/bin/python3.11")


# A possessive group, whatever is between its parentheses.
GROUP = re.compile(r"(?<!\\)\)[*+?]\+")


def patterns_of_re(source: str) -> list[str]:
    """The literal patterns in calls of `re.…`, without interpolated parts."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        part.value
        for call in calls
        if ast.unparse(call.func).startswith("re.")
        for part in ast.walk(call)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def is_unsound(python: Path) -> bool:
    asked = "import sys; print(sys.version_info < (3, 11, 5))"
    told = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    return told.stdout.strip() == "True"


@pytest.mark.parametrize(
    ("pattern", "rewritten"),
    [
        (r"(?:a|b)*+c", r"(?>(?:a|b)*)c"),
        (r"(?:(?:a|b)++|c)?+", r"(?>(?:(?>(?:a|b)+)|c)?)"),
        (r"[^()*+]++\)*+", r"[^()*+]++\)*+"),
        (r"[])*+]*(x)+", r"[])*+]*(x)+"),
        (r"(['\"])(?:(?!\1).)*+\1", r"(['\"])(?>(?:(?!\1).)*)\1"),
    ],
)
def test_possessive_groups_become_atomic_ones_and_nothing_else_changes(
    pattern: str, rewritten: str
) -> None:
    assert with_atomic_groups(pattern) == rewritten


@pytest.mark.parametrize(
    "name", [name for name in vars(word_patterns.WordPatterns) if not name.startswith("_")]
)
def test_the_words_of_a_script_are_the_same_by_both(name: str) -> None:
    pattern = getattr(word_patterns.word_patterns(Dialect.ZSH), name)
    other = re.compile(with_atomic_groups(pattern.pattern))
    for line in SAMPLE.read_text().splitlines(keepends=True):
        found, same = pattern.match(line), other.match(line)
        assert (found and found.regs) == (same and same.regs), line


def test_no_possessive_group_of_zsh_ls_goes_past_the_rewriting() -> None:
    assert patterns_of_re('re.compile(rf"(?:{x})*+")') == ["(?:", ")*+"]
    past = [
        (path.name, pattern)
        for path in (ROOT / "zsh_ls").rglob("*.py")
        if GROUP.search(source := path.read_text())
        for pattern in patterns_of_re(source)
        if GROUP.search(pattern)
    ]
    assert past == []


@pytest.mark.skipif(not OLD.exists() or not is_unsound(OLD), reason="no Python before 3.11.5 here")
def test_an_older_python_reads_a_script_as_this_one_does() -> None:
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    trees = {
        subprocess.run(
            [python, "-P", "-c", TREE, str(SAMPLE)],
            env={"PYTHONPATH": ":".join([str(ROOT), *libraries])},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for python in (str(OLD), sys.executable)
    }
    assert len(trees) == 1
