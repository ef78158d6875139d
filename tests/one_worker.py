"""How pytest-xdist deals out the tests: some to one worker, as they share a window, a build or a server.

`--dist loadgroup` does this by marks, but with pytest 9.2 it silently does nothing (it writes a node id
that pytest does not read any more), and before that its ids had a suffix that `--last-failed` without
workers did not know: a failure could get lost in the retry of `tests/run`.
"""

from __future__ import annotations

import contextlib
import functools
import re
import signal
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling
from xdist.workermanage import WorkerController

ENOUGH = 2
# The folder of VS Code has windows that several files share. One run of Neovim tells all promises of a file
# of specs in one version: other workers would wait for it.
TOGETHER = re.compile(
    r"tests/editors/vscode/|tests/editors/nvim/test_specs\.py::test_promise\[[^-]+-[^-]+-"
)
SHARED_IN_FILE = 'scope="module"'


@functools.cache
def _shares_fixtures(file: str) -> bool:
    path = Path(file)
    return path.exists() and SHARED_IN_FILE in path.read_text("utf-8")


class OneWorker(LoadScopeScheduling):
    """Sends tests that share what is dear to one worker, in order; others where there is room."""

    def _split_scope(self, nodeid: str) -> str:
        if together := TOGETHER.match(nodeid):
            return together[0]
        file = nodeid.split("::", 1)[0]
        return file if _shares_fixtures(file) else nodeid

    def remove_node(self, node: WorkerController) -> str | None:
        """Deal out what a worker that is gone has not done; gives the test it died in, if it died."""
        undone = {
            scope: [nodeid for nodeid, is_done in unit.items() if not is_done]
            for scope, unit in self.assigned_work.pop(node).items()
        }
        died_in = next((nodeid for unit in undone.values() for nodeid in unit), None)
        for scope, nodeids in undone.items():
            if left := {nodeid: False for nodeid in nodeids if nodeid != died_in}:
                self.workqueue[scope] = left
        for other in self.assigned_work:
            self._reschedule(other)
        return died_in

    def _assign_work_unit(self, node: WorkerController) -> None:
        """A worker may have died a moment ago: what it could not be sent is dealt out when that is known."""
        with contextlib.suppress(OSError):
            super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        """Give a worker enough to go on: it begins a test when it knows the next one, or the end."""
        if node.shutting_down:
            return
        while self.workqueue and self._pending_of(self.assigned_work[node]) <= ENOUGH:
            self._assign_work_unit(node)
        if not self.workqueue:
            node.shutdown()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Whatever `--dist` says."""
    return OneWorker(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(report: pytest.TestReport) -> None:
    """Say how the worker ended: a signal of ours, of the system and of the interpreter are three faults."""
    process = report.node.gateway._io.popen  # type: ignore[attr-defined]
    status = process.wait(timeout=60)
    how = signal.Signals(-status).name if status < 0 else f"exit {status}"
    report.longrepr = f"{report.longrepr} ({how})"
