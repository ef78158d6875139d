"""With pytest-xdist: which tests have one worker to themselves in turn, as they share a window or a build.

`--dist loadgroup` does this by marks, but with pytest 9.2 it silently does nothing (it writes a node id
that pytest does not read any more), and before that its ids had a suffix that `--last-failed` without
workers did not know: a failure could get lost in the retry of `tests/run`.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling, Scheduling

TOGETHER = ("tests/editors/vscode/", "tests/editors/vscode_unit/test_package.py")


class OneWorker(LoadScopeScheduling):
    """Sends the tests of each of `TOGETHER` to one worker, in order; others where there is room."""

    def _split_scope(self, nodeid: str) -> str:
        return next((it for it in TOGETHER if nodeid.startswith(it)), nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Whatever `--dist` says."""
    return OneWorker(config, log)
