"""Each half-sentence about harm has a test that is there; else it is reported."""

from __future__ import annotations

from pathlib import Path

from tests.editors.test_points import names_in
from tests.no_harm import PROMISES

HERE = Path(__file__).parent
POINTS = {*map(str, range(1, 17)), "tests", "words"}


def is_there(test: str) -> bool:
    """Whether a test of the table is in its file."""
    file, _, name = test.partition("::")
    return name in {it.replace(" ", "_") for it in names_in(HERE / file)}


def test_every_point_and_half_sentence_has_a_test() -> None:
    assert {it.point for it in PROMISES} == POINTS
    assert [it.promise for it in PROMISES if not it.tests] == []


def test_every_test_of_the_table_is_there() -> None:
    assert [test for it in PROMISES for test in it.tests if not is_there(test)] == []


def test_a_test_that_is_not_there_is_noticed() -> None:
    assert not is_there("tasks/test_kill.py::test_nobody_wrote_this")
    assert not is_there("tasks/test_nothing.py::test_term_is_heard_before_kill")
