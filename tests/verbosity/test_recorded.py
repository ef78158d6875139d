"""Tests of the quality on recorded executions: required lines are shown, and little else."""

import pytest

from . import executions
from .score import Case, kept_lines, plain, score

GIVEN, OWN = executions.given(), executions.own()
RUNNERS = executions.runners() + executions.runners_held_out()


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
    # What an option asks a runner to print, and what searches find, is shown (VERB-7): once it was 89.
    assert judged.saved_on_success >= 83
    assert judged.saved_on_failed_non_tests >= 80


@pytest.mark.parametrize("cases", [GIVEN, OWN], ids=["given", "own"])
def test_one_merged_stream_is_enough(cases: list[Case]) -> None:
    """The output of a live run is often one stream, without the origin of each line."""
    judged = score(cases, executions.merged)
    assert judged.failed_tests_whole[0] == judged.failed_tests_whole[1]
    assert judged.all_kept[0] / judged.all_kept[1] >= 0.98, judged.lost


# VERB-7, VERB-8
def test_of_runners_builds_and_searches_nothing_named_is_lost() -> None:
    """The last figures: docs/verbosity.md has them beside the first."""
    seen = kept_lines(executions.runners(), executions.resolved)
    assert seen.lost == ()
    assert seen.tests_seen[0] == seen.tests_seen[1]
    aside = kept_lines(executions.runners_held_out(), executions.resolved)
    assert aside.failures[0] == aside.failures[1]
    assert aside.asked[0] == aside.asked[1]
    assert aside.places[0] / aside.places[1] >= 0.98
    assert aside.tests_seen[0] / aside.tests_seen[1] >= 0.97


def test_failed_tests_of_runners_are_whole() -> None:
    judged = score(RUNNERS, executions.resolved)
    assert judged.failed_tests_whole[0] == judged.failed_tests_whole[1]
    assert judged.test_precision[0] == judged.test_precision[1], judged.mistaken


def test_a_state_is_what_the_label_says() -> None:
    failed_states = ("failed", "timed out")
    wrong = [
        case["id"]
        for case in GIVEN + OWN + RUNNERS
        if (executions.shown(case).verbosity.state in failed_states) != case["failed"]
    ]
    assert wrong == []


def test_the_same_execution_gives_the_same_bytes() -> None:
    for case in GIVEN[::7]:
        recorded = executions.recorded(case)
        assert executions.resolve(recorded) == executions.resolve(recorded)


def test_what_is_counted_as_omitted_is_what_is_not_there() -> None:
    for case in GIVEN + OWN + RUNNERS:
        answer = executions.shown(case)
        gaps = [line.split()[1] for line in answer.output.split("\n") if line.startswith("... ")]
        if gaps:
            assert sum(map(int, gaps)) == answer.verbosity.omitted_lines, case["id"]


def test_nothing_shown_was_not_printed() -> None:
    for case in GIVEN + OWN + RUNNERS:
        printed = set(plain(case["combined"]).split("\n"))
        ours = ("[", "... ", "running ", "same ", "new: ", "gone: ")
        shown = [line.rstrip() for line in executions.shown(case).output.split("\n")]
        invented = [line for line in shown if line not in printed and not line.startswith(ours)]
        invented = [
            line
            for line in invented
            if " omitted ... " not in line
            and "offset" not in line
            # A line of an outline has its number before it.
            and not (line.partition(": ")[0].isdigit() and line.partition(": ")[2] in printed)
        ]
        assert invented == [], case["id"]
