"""Runs the tests, tries what failed once more alone, and says by name what needed the second try.

`python -m tests.whole_run [ARGUMENT of pytest…]`, called by `tests/run`. The exit status is that of the
second try, so that a busy machine does not stop a landing; but a test that fails and then passes is a
failure nobody has explained yet, so each stands in a list at the end, with why it failed, and is counted:
`failed first, passed alone: 2`. On GitHub the list also goes to the summary of the job, with a warning
for each. A line per run of everything is kept in `.cache/whole-runs.jsonl`.

The module is also the pytest plugin that writes which tests failed (`--failures-to`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

PLUGIN = "tests.whole_run"
HISTORY = Path(".cache/whole-runs.jsonl")
REMEMBERED_RUNS = 10
# One more than processors: tests wait for terminals, editors and shells a part of their time. With two more
# a whole run takes as long, and each test longer.
FIRST = ("-n", str(min(4, (os.cpu_count() or 1) + 1)))
ALONE = ("--last-failed", "--last-failed-no-failures", "none")

Failures = Mapping[str, str]


# The plugin.


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failures-to", metavar="FILE", help="write what failed, and why, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.failures_to and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(Path(config.option.failures_to)), "failures-to")


class _Recorder:
    """What failed in this run, in any phase: node id and the line that says why."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failures: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps(self._failures))

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            reason = crash.message if crash else str(report.longrepr)
            self._failures.setdefault(report.nodeid, (reason.strip() or "?").splitlines()[0])


# The two runs.


def main(arguments: Sequence[str]) -> int:
    """Run the tests; gives pytest's exit status, 0 where all passed at the second try at the latest."""
    status, first = _pytest(FIRST, arguments)
    again: Failures = {}
    # Any status but 1 says that pytest itself could not go on: nothing was tried, nothing to try again.
    if status == pytest.ExitCode.TESTS_FAILED:
        status, again = _pytest(ALONE, arguments)
    passed_alone = {name: why for name, why in first.items() if name not in again}
    print(report(passed_alone, again), flush=True)
    _tell_github(passed_alone)
    if not arguments:
        _keep(passed_alone, again)
    return status


def report(passed_alone: Failures, again: Failures) -> str:
    """The summary at the end: the counts, and each test by name with the reason of its first failure."""
    lines = ["", "=" * 100]
    if again:
        lines += [f"tests/run: failed, alone too: {len(again)}", *_listed(again)]
    lines += [f"tests/run: failed first, passed alone: {len(passed_alone)}", *_listed(passed_alone)]
    if passed_alone:
        lines.append("tests/run: each of these is a failure that has to be explained.")
    return "\n".join([*lines, "=" * 100])


def _pytest(how: Sequence[str], arguments: Sequence[str]) -> tuple[int, Failures]:
    with tempfile.TemporaryDirectory(prefix="zsh-ls-whole-run-") as folder:
        failures = Path(folder) / "failures.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, f"--failures-to={failures}"]
        status = subprocess.run([*command, *how, *arguments], check=False).returncode
        return status, json.loads(failures.read_text()) if failures.exists() else {}


def _listed(failures: Failures) -> list[str]:
    return [line for name in sorted(failures) for line in (f"  {name}", f"      {failures[name]}")]


def _tell_github(passed_alone: Failures) -> None:
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary and passed_alone:
        rows = "".join(f"- `{name}`: {why}\n" for name, why in sorted(passed_alone.items()))
        with Path(summary).open("a") as file:
            file.write(f"### Failed first, passed alone: {len(passed_alone)}\n{rows}")
    if os.environ.get("GITHUB_ACTIONS"):
        for name, why in sorted(passed_alone.items()):
            print(f"::warning title=failed first, passed alone::{name}: {why}", flush=True)


def _keep(passed_alone: Failures, again: Failures) -> None:
    """Remember this run, and say how the last ones of this checkout went."""
    HISTORY.parent.mkdir(exist_ok=True)
    entry = {"at": int(time.time()), "passed_alone": dict(passed_alone), "failed": dict(again)}
    with HISTORY.open("a") as file:
        file.write(json.dumps(entry) + "\n")
    last = [json.loads(line) for line in HISTORY.read_text().splitlines()[-REMEMBERED_RUNS:]]
    unexplained = sum(len(it["passed_alone"]) for it in last)
    print(f"tests/run: in the last {len(last)} whole runs of this checkout: {unexplained}")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
