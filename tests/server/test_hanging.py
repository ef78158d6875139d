"""A server ends when its pipe is closed, whichever step hangs, and leaves no process of a task."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually

from .hanging_server import STEPS
from .rpc import PATIENCE_S, peer

SCRIPT = "#!/bin/zsh\nfalse | true\n"


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_server_whose_step_hangs_ends_with_its_pipe(
    home: dict[str, str], tmp_path: Path, step: str
) -> None:
    token = f"{secrets.randbelow(10**9):09}"
    uri = (tmp_path / "x.zsh").as_uri()
    with peer([sys.executable, "-m", "tests.server.hanging_server", step], home) as found:
        found.initialize({"window": {"workDoneProgress": True}})
        found.open(uri, SCRIPT)
        found.ask("zsh/run", {"command": f"sleep 300.{token}", "yield_after": 0})
        if step not in ("the sidecar is opened", "memory is asked"):
            assert eventually(lambda: alive_with(token) != [], PATIENCE_S)
        found.ask("zsh/runScript", {"textDocument": {"uri": uri}, "workDoneToken": "t"})
        found.ask("zsh/run", {"command": "false", "workDoneToken": "u"})
        assert found.process.stdin is not None
        found.process.stdin.close()
        assert found.process.wait(PATIENCE_S) != 0
        assert eventually(lambda: alive_with(token) == [], PATIENCE_S)
