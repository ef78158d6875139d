"""Tests of the quality on recorded executions: required lines are shown, and little else."""

import pytest

from . import executions
from .score import Case, plain, score

GIVEN, OWN = executions.given(), executions.own()


@pytest.mark.parametrize("cases", [GIVEN, OWN], ids=["given", "own"])
def test_recorded_executions_show_what_matters(cases: list[Case]) -> None:
    judged = score(cases, executions.resolved)
    assert judged.failed_tests_whole[0] == judged.failed_tests_whole[1]
    assert judged.all_kept[0] / judged.all_kept[1] >= 0.98, judged.lost
    assert judged.test_precision[0] == judged.test_precision[1], judged.mistaken
    assert judged.test_recall[0] == judged.test_recall[1], judged.mistaken
    assert judged.operation_right[0] / judged.operation_right[1] >= 0.98, judged.mistaken


def test_nearly_three_quarters_are_saved_where_nothing_failed_twice() -> None:
    """A second failure is shown whole, and one of those recorded has 7% of all bytes."""
    judged = score([c for c in GIVEN if not c.get("previous_runs")], executions.resolved)
    assert judged.saved >= 72
    assert judged.saved_on_success >= 89
    assert judged.saved_on_failed_non_tests >= 80


@pytest.mark.parametrize("cases", [GIVEN, OWN], ids=["given", "own"])
def test_one_merged_stream_is_enough(cases: list[Case]) -> None:
    """The output of a live run is often one stream, without the origin of each line."""
    judged = score(cases, executions.merged)
    assert judged.failed_tests_whole[0] == judged.failed_tests_whole[1]
    assert judged.all_kept[0] / judged.all_kept[1] >= 0.98, judged.lost


def test_a_state_is_what_the_label_says() -> None:
    failed_states = ("failed", "timed out")
    wrong = [
        case["id"]
        for case in GIVEN + OWN
        if (executions.shown(case).verbosity.state in failed_states) != case["failed"]
    ]
    assert wrong == []


def test_the_same_execution_gives_the_same_bytes() -> None:
    for case in GIVEN[::7]:
        assert executions.shown(case) == executions.shown(case)


def test_what_is_counted_as_omitted_is_what_is_not_there() -> None:
    for case in GIVEN + OWN:
        answer = executions.shown(case)
        gaps = [line.split()[1] for line in answer.output.split("\n") if line.startswith("... ")]
        if gaps:
            assert sum(map(int, gaps)) == answer.verbosity.omitted_lines, case["id"]


def test_nothing_shown_was_not_printed() -> None:
    for case in GIVEN + OWN:
        printed = set(plain(case["combined"]).split("\n"))
        ours = ("[", "... ", "running ")
        shown = [line.rstrip() for line in executions.shown(case).output.split("\n")]
        invented = [line for line in shown if line not in printed and not line.startswith(ours)]
        invented = [
            line for line in invented if " omitted ... " not in line and "offset" not in line
        ]
        assert invented == [], case["id"]
