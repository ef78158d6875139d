"""Tests that share a window run on one worker, in order; a retry knows them by the same names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

MANY_TESTS = """
import pytest

@pytest.mark.parametrize("number", range(20))
def test_it(number):
    pass

def test_broken():
    assert False
"""
SHARED, ALONE = "tests/editors/vscode/test_shared.py", "tests/test_alone.py"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Two files of tests, of which one is in a folder of those that stay together."""
    for name in (SHARED, ALONE):
        (pytester.path / name).parent.mkdir(parents=True, exist_ok=True)
        (pytester.path / name).write_text(MANY_TESTS)
    plugin = (Path(__file__).parent / "one_worker.py").read_text()
    (pytester.path / "conftest.py").write_text(plugin)
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    return pytester


def test_they_run_on_one_worker_in_order(project: pytest.Pytester) -> None:
    told = project.runpytest_subprocess("-n", "2", "-v").stdout.str()
    passed = re.findall(r"\[(gw\d)\].*PASSED (\S+)::test_it\[(\d+)\]", told)
    shared = [(worker, int(number)) for worker, name, number in passed if name == SHARED]
    assert shared == [(shared[0][0], number) for number in range(20)]


def test_a_retry_without_workers_tries_all_that_failed(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-n", "2").assert_outcomes(passed=40, failed=2)
    project.runpytest_subprocess("--last-failed").assert_outcomes(failed=2)


@pytest.mark.parametrize("number", [0, 7, 19])
def test_a_worker_that_dies_takes_one_test_with_it(pytester: pytest.Pytester, number: int) -> None:
    """Others are not held up: with xdist's own scheduler the run hangs."""
    plugin = (Path(__file__).parent / "one_worker.py").read_text()
    (pytester.path / "conftest.py").write_text(plugin)
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(
        f"""
        import os, pytest

        @pytest.mark.parametrize("number", range(20))
        def test_it(number):
            if number == {number}:
                os._exit(1)
        """
    )
    done = pytester.runpytest_subprocess("-n", "2", timeout=120)
    done.assert_outcomes(passed=19, failed=1)
