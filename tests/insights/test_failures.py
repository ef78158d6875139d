"""Tests that the static rules speak of failures that go wrong, and of no others (DOC-5)."""

from __future__ import annotations

import pytest

from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse

from .failures.score import MET, Case, cases

NAMES = frozenset(MET.read_text().split())
CASES = list(cases())


@pytest.mark.parametrize("case", [it for it in CASES if it.name in NAMES], ids=lambda it: it.name)
def test_the_rules_speak_of_the_marked_lines_alone(case: Case) -> None:
    assert case.said == case.lines


def test_every_case_that_is_written_down_as_met_is_there() -> None:
    assert {it.name for it in CASES} >= NAMES
    assert len(CASES) == len({it.name for it in CASES})


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.name)
def test_a_case_is_good_shell_text(case: Case) -> None:
    assert not parse(case.text, dialect_of(case.text)).problems
