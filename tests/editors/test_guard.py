"""The guard that a whole run has run the real editors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.nested_pytest import ONLY_XDIST

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

INI = """
[pytest]
testpaths = suite
addopts = --strict-markers
asyncio_default_fixture_loop_scope = function
"""

TWO_TESTS = """
import os
import pytest

@pytest.mark.real_editor
def test_one():
    assert "BROKEN" not in os.environ

@pytest.mark.real_editor
def test_two():
    if "MISSING" in os.environ:
        pytest.skip("no editor here")
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with the guard, which expects two tests of one editor and has them."""
    folder = pytester.mkpydir("suite")
    for name in ("editors", "editors/ed"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").touch()
    guard = (Path(__file__).parent / "guard.py").read_text()
    (folder / "editors" / "guard.py").write_text(guard)
    (folder / "editors" / "expected_counts.json").write_text(json.dumps({"ed": 2}))
    (folder / "editors" / "ed" / "test_it.py").write_text(TWO_TESTS)
    (folder / "conftest.py").write_text('pytest_plugins = ["suite.editors.guard"]\n')
    pytester.makeini(INI)
    return pytester


def _run(project: pytest.Pytester, *how: str) -> pytest.RunResult:
    """In this process where that is enough: a new one takes seconds."""
    if "-n" not in how:
        return project.runpytest_inprocess(*how)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ONLY_XDIST.items():
            patch.setenv(name, value)
        # asyncio's option is unknown there.
        project.makeini(INI.replace("asyncio_default_fixture_loop_scope = function\n", ""))
        return project.runpytest_subprocess(*how)


@pytest.mark.parametrize("how", [[], ["-n", "2"], ["suite/editors"], ["suite/editors/ed"]])
def test_a_run_of_all_expected_tests_passes(project: pytest.Pytester, how: list[str]) -> None:
    assert _run(project, *how).ret == 0


@pytest.mark.parametrize("how", [[], ["-n", "2"], ["suite/editors/ed"]])
def test_a_run_in_which_an_editor_was_skipped_fails(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, how: list[str]
) -> None:
    monkeypatch.setenv("MISSING", "1")
    result = _run(project, *how)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*ERROR ed: 1 tests of the real editor ran, 2 must*"])


def test_a_run_of_more_tests_than_are_expected_asks_for_the_new_number(
    project: pytest.Pytester,
) -> None:
    """Else as many old ones could go missing unseen."""
    more = "\n@pytest.mark.real_editor\ndef test_three():\n    pass\n"
    (project.path / "suite" / "editors" / "ed" / "test_it.py").write_text(TWO_TESTS + more)
    result = _run(project)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*ERROR ed: 3 tests of the real editor ran, 2 must*"])


def test_a_run_that_never_saw_the_tests_fails(project: pytest.Pytester) -> None:
    (project.path / "suite" / "editors" / "ed" / "test_it.py").unlink()
    assert _run(project, "-n", "2").ret == 1


@pytest.mark.parametrize(
    "how",
    [
        ["-k", "one"],
        ["-m", "real_editor"],
        ["suite/editors/ed/test_it.py::test_one"],
        ["suite/editors/ed/test_it.py"],
    ],
)
def test_who_asks_for_some_tests_is_not_hindered(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, how: list[str]
) -> None:
    monkeypatch.setenv("MISSING", "1")
    assert _run(project, *how).ret == 0


def test_a_retry_of_what_failed_does_not_forget_what_never_ran(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISSING", "1")
    monkeypatch.setenv("BROKEN", "1")
    assert _run(project).ret == 1
    monkeypatch.delenv("BROKEN")
    assert _run(project, "--last-failed").ret == 1
