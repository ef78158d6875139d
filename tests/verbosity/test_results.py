"""Tests that a rerun says which failures are new, and which lines report passed tests."""

import json

import pytest

from zsh_ls.verbosity.fold import folded
from zsh_ls.verbosity.lines import RenderedLines
from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.results import names_of_failed_tests, passed_lines
from zsh_ls.verbosity.values import ResolverInput

from . import executions
from .score import plain
from .test_fit import answers, fit

PYTEST = "F.F\n{}\n{} failed, 1 passed in 0.1s\n"


def pytest_output(*names: str) -> str:
    return PYTEST.format("\n".join(f"FAILED a.py::{name} - x" for name in names), len(names))


def rerun(now: str, before: str | None, **more: object) -> str:
    names = None if before is None else names_of_failed_tests(before)
    fields = {"command": "pytest", "exit": 1, **more}
    return resolve(ResolverInput(combined=now, previous_failed_tests=names, **fields)).output


# VERB-9
@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        ("abc", "abc", "same 3 failures as before"),
        ("a", "a", "same 1 failure as before"),
        ("bc", "ab", "new: a.py::c; gone: a.py::a"),
        ("abc", "a", "new: a.py::b, a.py::c"),
        ("a", "ab", "gone: a.py::b"),
        ("a", "", "new: a.py::a"),
    ],
)
def test_the_first_line_says_what_is_new_since_the_run_before(
    now: str, before: str, told: str
) -> None:
    output = pytest_output(*now)
    assert rerun(output, pytest_output(*before)) == f"{told}\n{output}"


def test_the_plan_of_a_passed_suite_is_folded_with_it() -> None:
    """node:test in TAP: of 5,850 lines 5,100 were folded, and between them stood 350 plans alone."""

    def suite(number: int, verdict: str) -> str:
        return (
            f"# Subtest: suite {number}\n    # Subtest: case {number}\n    {verdict} 1 - case {number}\n"
            f"    1..1\n{verdict} {number} - suite {number}\n"
        )

    suites = "".join(suite(n, "not ok" if n == 150 else "ok") for n in range(1, 301))
    output = f"TAP version 13\n{suites}1..300\n# tests 600\n# pass 598\n# fail 2\n"
    found = folded(output)
    assert found is not None
    assert [text for _, text in found.rows] == [
        "TAP version 13",
        "... 745 lines of passed tests folded, lines 2-746",
        *suite(150, "not ok").splitlines(),
        "... 750 lines of passed tests folded, lines 752-1501",
        "1..300",
        "# tests 600",
        "# pass 598",
        "# fail 2",
    ]


def test_where_there_is_a_first_line_of_ours_it_ends_with_it() -> None:
    shown = rerun(pytest_output("a"), pytest_output("a"), command="pytest | cat", exit=0)
    first = shown.splitlines()[0]
    assert first == "[failed: exit 0 hides the failure] · same 1 failure as before"


@pytest.mark.parametrize(
    ("now", "before"), [("x\n", pytest_output("a")), (pytest_output("a"), None)]
)
def test_nothing_is_said_where_either_run_is_not_known(now: str, before: str | None) -> None:
    assert rerun(now, before) == now


def test_fit_takes_the_output_of_runs_before() -> None:
    run = {"exit": 1, "timed_out": False}
    now = {"command": "pytest", "exit": 1, "combined": pytest_output("b")}
    before: list[list[dict[str, object]]] = [
        [{**run, "combined": pytest_output("b")}],
        [{**run, "combined": None, "stdout": pytest_output("a"), "stderr": ""}],
        [run],
    ]
    lines = (json.dumps({**now, "previous_runs": runs}) for runs in before)
    first = [
        str(answer["output"]).splitlines()[0]
        for answer in answers(fit("\n".join(lines), "--jsonl"))
    ]
    assert first == ["same 1 failure as before", "new: a.py::b; gone: a.py::a", "F.F"]


# VERB-9
def test_fit_folds_nothing() -> None:
    output = "".join(f"a.py::test_{n} PASSED [ 1%]\n" for n in range(3_000)) + pytest_output("b")
    answer = answers(fit(json.dumps({"command": "pytest -v", "exit": 1, "combined": output})))[0]
    assert answer["output"] == output


@pytest.mark.parametrize(
    ("name", "failed"),
    [
        ("go-test-json-1000-one-fails", 1),
        ("node-test-rerun-same", 2),
        ("cargo-test-fail-two", 2),
        ("cmake-target-test", 2),
        ("gtest-fail", 1),
        ("mocha-300-one-fails", 1),
        ("jest-two-fail", 2),
        ("libcheck-verbose-fail", 1),
        ("mvn-test-one-fails", 1),
        ("own-shell-brackets", 2),
        ("rspec-fail", 1),
        ("unittest-rerun-same", 2),
    ],
)
def test_failed_tests_have_their_names_in_what_runners_really_print(name: str, failed: int) -> None:
    [case] = [case for case in executions.runners() if case["id"] == name]
    names = executions.shown(case).failed_tests
    assert len(names) == failed


def test_lines_that_report_passed_tests_never_name_a_failed_one() -> None:
    folded = 0
    for case in executions.runners() + executions.runners_held_out():
        if not (case["is_test"] and case["failed"]):
            continue
        lines = RenderedLines.of(plain(case["combined"]))
        numbers = passed_lines(lines)
        folded += len(numbers)
        rest = "\n".join(row for at, row in enumerate(lines.rows) if at not in set(numbers))
        kept = [words for words in case["failures"] + case["places"] if words not in rest]
        assert kept == [], case["id"]
    assert folded > 5_000


# VERB-9
def test_folds_are_of_adjacent_lines_and_have_their_numbers() -> None:
    rows = [f"a.py::test_{n} PASSED [ 1%]" for n in range(1_000)]
    rows[500] = "a.py::test_500 FAILED [ 1%]"
    output = "\n".join([*rows, "FAILED a.py::test_500 - x", "1 failed, 999 passed in 0.1s"]) + "\n"
    text = folded(output, first_line=11)
    assert text is not None
    assert text.hidden == 999
    assert [row for _, row in text.rows] == [
        "... 500 lines of passed tests folded, lines 11-510",
        rows[500],
        "... 499 lines of passed tests folded, lines 512-1010",
        "FAILED a.py::test_500 - x",
        "1 failed, 999 passed in 0.1s",
    ]
    assert [number for number, _ in text.rows] == [None, 511, None, 1_011, 1_012]
    assert folded(output[:20_000]) is None


def test_big_suites_of_known_runners_fit_into_an_answer() -> None:
    """Clients cut answers beyond 50,000 characters."""
    for name in ("go-test-json-1000-one-fails", "pytest-500-two-fail-v"):
        [case] = [case for case in executions.runners() if case["id"] == name]
        text = folded(executions.shown(case).output)
        assert text is not None
        left = "\n".join(row for _, row in text.rows)
        assert len(left) < 5_000
        assert [words for words in case["failures"] if words not in left] == []


@pytest.mark.parametrize("case", ["poku-fail", "vows-spec-fail"])
def test_a_failed_test_of_a_runner_behind_a_script_is_whole_and_its_failures_named(
    case: str,
) -> None:
    """poku's 300 lines were cut to 40, as its sum was known to nobody."""
    [recorded] = [it for it in executions.newest() if it["id"] == case]
    output = plain(recorded["combined"])
    shown = resolve(ResolverInput(command="npm run ci", exit=1, combined=output))
    assert shown.verbosity.operation == "test"
    assert shown.output.strip() == output.strip()
    assert names_of_failed_tests(output) == tuple(recorded["failures"])


def test_of_mocha_the_full_names_are_told_whatever_its_reporter() -> None:
    """With its dots two failures of one suite were "1 test failed: req"."""
    epilogue = (
        "  1 passing (8ms)\n  2 failing\n\n  1) req\n       .stale\n         is modified:\n"
        "     Error: expected 'true'\n      at a.js:3:8\n\n  2) req\n       has no header:\n"
        "     Error: no\n"
    )
    told = ("req .stale is modified", "req has no header")
    assert names_of_failed_tests(f"\n\n  .!!\n\n{epilogue}") == told
    spec = "  req\n    .stale\n      ✔ is new\n      1) is modified\n    2) has no header\n\n\n"
    assert names_of_failed_tests(spec + epilogue) == told
    assert names_of_failed_tests(spec + "  1 passing (8ms)\n  2 failing\n\n") == (
        "is modified",
        "has no header",
    )
