"""`zsh-ls why`: what failed last, without the hook of a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.server.conftest import home_in
from tests.server.rpc import ROOT


def test_a_name_that_was_not_found_is_answered_with_one_on_path_that_is_near(
    tmp_path: Path,
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    near = programs / "deploy-shop"
    near.write_text("#!/bin/sh\n")
    near.chmod(0o755)
    home = home_in(tmp_path)
    environment = {
        **os.environ,
        **home,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }

    def zsh_ls(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "zsh_ls", *arguments],
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    zsh_ls("run", "dpeloy-shop now")
    assert "`dpeloy-shop` was not found; `deploy-shop` is near." in zsh_ls("why")
    zsh_ls("run", "quite-another-name now")
    answer = zsh_ls("why")
    assert "`quite-another-name now` failed with exit 127" in answer
    assert " is near" not in answer
