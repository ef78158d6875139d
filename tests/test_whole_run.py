"""`tests/run` lets a second try pass, but never in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.nested_pytest import ONLY_XDIST

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent

TESTS = """
from pathlib import Path
import pytest

def test_good():
    pass

def test_busy_machine():
    tried = Path("tried")
    if not tried.exists():
        tried.touch()
        raise RuntimeError("too late by 3 ms")

@pytest.fixture
def leaves_something_behind():
    yield
    if not Path("tidied").exists():
        Path("tidied").touch()
        raise RuntimeError("left behind")

def test_tidy(leaves_something_behind):
    pass

def test_broken():
    assert Path("mended").exists()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = .\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def whole_run(
    project: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    kept = {
        name: it for name, it in os.environ.items() if not name.startswith(("GITHUB", "PYTEST"))
    }
    return subprocess.run(
        [sys.executable, "-m", "tests.whole_run", *arguments],
        cwd=project,
        env={**kept, **ONLY_XDIST, "PYTHONPATH": str(ROOT), **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_passes_alone_is_named_and_counted_and_does_not_stop_a_landing(project: Path) -> None:
    (project / "mended").touch()
    done = whole_run(project)
    assert done.returncode == 0
    told = done.stdout[done.stdout.index("tests/run:") :].splitlines()
    assert told[:6] == [
        "tests/run: failed first, passed alone: 2",
        "  test_it.py::test_busy_machine",
        "      RuntimeError: too late by 3 ms",
        "  test_it.py::test_tidy",
        "      RuntimeError: left behind",
        "tests/run: each of these is a failure that has to be explained.",
    ]
    assert told[-1] == "tests/run: in the last 1 whole runs of this checkout: 2"
    told = whole_run(project).stdout.splitlines()
    assert "tests/run: failed first, passed alone: 0" in told
    assert told[-1] == "tests/run: in the last 2 whole runs of this checkout: 2"


def test_what_fails_twice_fails_the_run(project: Path) -> None:
    done = whole_run(project)
    assert done.returncode == 1
    assert "tests/run: failed, alone too: 1\n  test_it.py::test_broken\n" in done.stdout
    assert "tests/run: failed first, passed alone: 2\n" in done.stdout


def test_a_second_try_is_of_what_was_asked_for(project: Path) -> None:
    whole_run(project)
    done = whole_run(project, "-k", "good")
    assert done.returncode == 0
    assert not done.stdout.count("test_broken")
    assert len((project / ".cache/whole-runs.jsonl").read_text().splitlines()) == 1


def test_what_pytest_itself_refuses_is_not_tried_again(project: Path) -> None:
    done = whole_run(project, "--no-such-option")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stdout.count("unrecognized arguments") == 1


def test_a_file_that_cannot_be_read_is_a_failure_both_times(project: Path) -> None:
    (project / "test_it.py").write_text("import no_such_module\n")
    done = whole_run(project)
    assert done.returncode != 0
    assert "  test_it.py\n" in done.stdout


def test_a_workers_crash_is_a_failure_of_its_test(project: Path) -> None:
    crashing = "import os\nfrom pathlib import Path\ndef test_crash():\n"
    crashing += "    if not Path('tried').exists():\n        Path('tried').touch(); os._exit(3)\n"
    (project / "test_it.py").write_text(crashing)
    done = whole_run(project)
    assert done.returncode == 0
    assert "failed first, passed alone: 1\n  test_it.py::test_crash\n" in done.stdout


def test_github_shows_them_without_opening_the_log(project: Path) -> None:
    (project / "mended").touch()
    summary = project / "summary.md"
    shown = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    done = whole_run(project, env=shown)
    assert (
        "::warning title=failed first, passed alone::test_it.py::test_busy_machine" in done.stdout
    )
    assert summary.read_text().startswith("### Failed first, passed alone: 2\n- `test_it.py::")
    kept = json.loads((project / ".cache/whole-runs.jsonl").read_text())
    assert sorted(kept["passed_alone"]) == [
        "test_it.py::test_busy_machine",
        "test_it.py::test_tidy",
    ]


def test_how_a_worker_ended_is_told(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = .\n")
    (tmp_path / "test_it.py").write_text(
        "import os\n\ndef test_ends():\n"
        "    if 'PYTEST_XDIST_WORKER' in os.environ:\n        os.kill(os.getpid(), 15)\n"
    )
    done = whole_run(tmp_path, "-p", "tests.one_worker")
    assert done.returncode == 0
    assert "crashed while running 'test_it.py::test_ends' (SIGTERM)" in done.stdout
