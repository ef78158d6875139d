"""Tests that share what is dear run on one worker, in order; a retry knows them by the same names."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.nested_pytest import ONLY_XDIST

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
WITH_A_FIXTURE = """
import pytest

@pytest.fixture(scope="module")
def number_of_the_server():
    return 1

@pytest.mark.parametrize("number", range(20))
def test_it(number, number_of_the_server):
    pass
"""
PROMISES = """
import pytest

SPECS = ("0.12-a", "0.12-b", "0.10-a", "0.10-b")

@pytest.mark.parametrize("promise", [f"{spec}-{number}" for spec in SPECS for number in range(5)])
def test_promise(promise):
    pass
"""


@pytest.fixture(autouse=True)
def _only_xdist(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ONLY_XDIST.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Two files of tests, of which one is in a folder of those that stay together."""
    for name in (SHARED, ALONE):
        (pytester.path / name).parent.mkdir(parents=True, exist_ok=True)
        (pytester.path / name).write_text(MANY_TESTS)
    plugin = (Path(__file__).parent / "one_worker.py").read_text()
    (pytester.path / "conftest.py").write_text(plugin)
    return pytester


def test_they_run_on_one_worker_in_order(project: pytest.Pytester) -> None:
    told = project.runpytest_subprocess("-n", "2", "-v").stdout.str()
    passed = re.findall(r"\[(gw\d)\].*PASSED (\S+)::test_it\[(\d+)\]", told)
    shared = [(worker, int(number)) for worker, name, number in passed if name == SHARED]
    assert shared == [(shared[0][0], number) for number in range(20)]


def test_a_file_with_a_fixture_of_its_own_and_a_run_of_neovim_have_one_worker(
    pytester: pytest.Pytester, project: pytest.Pytester
) -> None:
    (pytester.path / "tests/test_served.py").write_text(WITH_A_FIXTURE)
    specs = pytester.path / "tests/editors/nvim/test_specs.py"
    specs.parent.mkdir(parents=True)
    specs.write_text(PROMISES)
    told = project.runpytest_subprocess("-n", "3", "-v", "tests/test_served.py", specs).stdout.str()
    workers = defaultdict(set)
    for worker, what in re.findall(r"\[(gw\d)\].*PASSED \S+(served|promise\[0\.1\d-\w-)", told):
        workers[what].add(worker)
    assert len(workers) == 5
    assert all(len(it) == 1 for it in workers.values())


def test_a_retry_without_workers_tries_all_that_failed(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("-n", "2").assert_outcomes(passed=40, failed=2)
    project.runpytest_subprocess("--last-failed").assert_outcomes(failed=2)


@pytest.mark.parametrize("number", [0, 7, 19])
def test_a_worker_that_dies_takes_one_test_with_it(pytester: pytest.Pytester, number: int) -> None:
    """Others are not held up: with xdist's own scheduler the run hangs."""
    plugin = (Path(__file__).parent / "one_worker.py").read_text()
    (pytester.path / "conftest.py").write_text(plugin)
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
