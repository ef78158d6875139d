"""A whole run must have run the real editors: other numbers of tests than the committed ones fail it.

An editor that could not be fetched, a fixture that skips, a folder that is not
collected: all of them would leave a green run that proves nothing. A test of a
real editor has the mark `real_editor` and lives in `tests/editors/<editor>/`;
`expected_counts.json` says how many of each must have passed or failed. A skipped
one has not run. More are a fault too: as many of the old ones could go missing unseen.

It is judged where all results come together (with pytest-xdist the controller),
and only where everything was asked for: `-k`, `-m` and single files are free. The
retry of `tests/run`, of what failed, inherits the verdict of the run before.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

EXPECTED = "expected_counts.json"
MARK = "real_editor"
VERDICT = "zsh-ls/editors-not-run"
HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and judge once: the workers of xdist only report."""
    config.addinivalue_line("markers", f"{MARK}: runs a real editor, and is counted")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Guard(config), "editors-guard")


class Guard:
    """Counts what ran, and fails a whole run in which more or less did than is expected."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._ran: Counter[str] = Counter()
        self._complaints: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and MARK in report.keywords and not report.skipped:
            self._ran[_editor(report.nodeid)] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._config.option.collectonly:
            return
        self._complaints = self._judge()
        if self._complaints and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for complaint in self._complaints:
            terminalreporter.write_line(f"ERROR {complaint}", red=True)

    def _judge(self) -> list[str]:
        cache = getattr(self._config, "cache", None)
        if cache is not None and self._config.option.lf:
            return list(cache.get(VERDICT, []))
        judged = [name for name in _expected() if _is_whole(self._config, name)]
        complaints = [it for name in judged if (it := _complaint(name, self._ran[name]))]
        if cache is not None and judged:
            cache.set(VERDICT, complaints)
        return complaints


def _expected() -> dict[str, int]:
    counts: dict[str, int] = json.loads((HERE / EXPECTED).read_text())
    return counts


def _editor(nodeid: str) -> str:
    """`tests/editors/nvim/test_x.py::test_y` is of `nvim`."""
    parts = Path(nodeid.partition("::")[0]).parts
    return parts[parts.index(HERE.name) + 1]


def _complaint(editor: str, ran: int) -> str | None:
    expected = _expected()[editor]
    if ran == expected:
        return None
    return f"{editor}: {ran} tests of the real editor ran, {expected} must ({HERE.name}/{EXPECTED})"


def _is_whole(config: pytest.Config, editor: str) -> bool:
    """Whether every test of an editor was asked for."""
    option = config.option
    narrowed = (option.keyword, option.markexpr, option.deselect, option.ignore, option.ignore_glob)
    if any(narrowed) or option.maxfail:
        return False
    asked = [(config.invocation_params.dir / arg.partition("::")[0], arg) for arg in config.args]
    folder = HERE / editor
    return any("::" not in arg and folder.is_relative_to(path.resolve()) for path, arg in asked)
