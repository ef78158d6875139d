"""Tests of success and failure, also where the exit status does not show it."""

import pytest

from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import ResolverInput

PYTEST_FAILED = "F.\n1 failed, 1 passed in 0.01s\n"
COMPILER_ERROR = "a.c:1:1: error: expected ‘;’\n"


def state(command: str, output: str = "", exit_status: int | None = 0, **more: object) -> str:
    return resolve(
        ResolverInput(command, exit=exit_status, combined=output, **more)
    ).verbosity.state


@pytest.mark.parametrize(
    ("command", "exit_status", "pipestatus"),
    [
        ("grep x f", 1, (1,)),
        ("cat f | grep x", 1, (0, 1)),
        ("diff a b", 1, (1,)),
        ("[ -f x ]", 1, (1,)),
        ("test -d x && echo y", 1, (1,)),
        ("sh -c 'test -d x && echo y'", 1, (1,)),
        ("grep -rn x . | sort | head", 0, (1, 0, 0)),
        ("yes | head -1", 0, (141, 0)),
        ("sudo pgrep nothing", 1, (1,)),
    ],
)
def test_a_known_normal_exit_is_success(
    command: str, exit_status: int, pipestatus: tuple[int, ...]
) -> None:
    assert state(command, exit_status=exit_status, pipestatus=pipestatus) == "success"


@pytest.mark.parametrize(
    ("command", "exit_status", "pipestatus", "stderr"),
    [
        ("grep x f", 2, (2,), "grep: f: No such file or directory\n"),
        ("grep x f", 1, (1,), "grep: warning\n"),
        ("make | tail -3", 0, (2, 0), None),
        ("test -f x && ./deploy.sh", 3, (3,), None),
        ("curl -s x | jq .", 0, (7, 0), None),
    ],
)
def test_another_failure_of_a_segment_is_a_failure(
    command: str, exit_status: int, pipestatus: tuple[int, ...], stderr: str | None
) -> None:
    how = {"exit_status": exit_status, "pipestatus": pipestatus, "stderr": stderr}
    assert state(command, "out\n", **how) == "failed"


@pytest.mark.parametrize(
    "command",
    [
        "pytest || true",
        "pytest; echo",
        "for d in a; do pytest; done",
        "pytest | cat",
        "pytest & wait",
    ],
)
def test_a_failed_test_whose_exit_is_hidden_is_seen(command: str) -> None:
    assert state(command, PYTEST_FAILED) == "failed"


@pytest.mark.parametrize(
    "command", ["pytest", "./run_tests.sh", "cat log", "echo 'pytest; 1 failed'"]
)
def test_the_word_fail_means_nothing_where_the_exit_is_its_own(command: str) -> None:
    assert state(command, PYTEST_FAILED) == "success"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make || true", "failed"),
        ("make; ls", "failed"),
        ("make", "success"),
        ("cat x; ls", "success"),
    ],
)
def test_a_build_with_a_hidden_exit_fails_by_its_error_lines(command: str, expected: str) -> None:
    assert state(command, COMPILER_ERROR) == expected


def test_a_failed_test_is_seen_behind_a_filter_that_found_nothing() -> None:
    shown = resolve(ResolverInput("pytest | grep zzz", exit=1, pipestatus=(1, 1), combined=""))
    assert shown.verbosity.state == "failed"
    assert shown.output.startswith("[failed: exit 1 hides the failure, and `grep` cut")


def test_an_unknown_exit_is_judged_by_what_a_runner_says() -> None:
    assert state("pytest", PYTEST_FAILED, None) == "failed"
    assert state("pytest", "2 passed in 0.01s\n", None) == "success"


def test_a_masked_failure_says_that_it_was() -> None:
    shown = resolve(ResolverInput("make | tail -3", exit=0, pipestatus=(2, 0), combined="x\n"))
    assert shown.verbosity.escalated_by == ("masked", "build")


@pytest.mark.parametrize(
    ("output", "operation"),
    [
        ("3 failed, 2 passed in 1.2s\n", "test"),
        ("Tests:       1 failed, 2 passed, 3 total\n", "test"),
        ("test result: FAILED. 1 passed; 1 failed; 0 ignored\n", "test"),
        ("TAP version 13\nok 1 - a\n", "test"),
        ("--- FAIL: TestX (0.00s)\nFAIL\texample.org/x\t0.1s\n", "test"),
        ("[INFO] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n", "test"),
        ("92% tests passed, 1 tests failed out of 12\n", "test"),
        ('<testsuite name="a" failures="1" errors="0">\n', "test"),
        ("ok 12 services\nTimeout:   30\n  Total:     2\n", "command"),
        ("3 failed\n", "command"),
        ("PASS: 3\nFAIL: 1\n", "command"),
    ],
)
def test_a_runner_shows_in_what_a_script_prints(output: str, operation: str) -> None:
    shown = resolve(ResolverInput("./ci.sh", exit=1, combined=output))
    assert shown.verbosity.operation == operation


@pytest.mark.parametrize(
    "command", ["cat log", "grep -h passed log", "echo x", "gh run view 1 --log"]
)
def test_a_runner_in_what_another_program_shows_is_no_test(command: str) -> None:
    assert (
        resolve(ResolverInput(command, exit=0, combined=PYTEST_FAILED)).verbosity.operation
        != "test"
    )
