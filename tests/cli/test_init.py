"""`zsh-ls init`: the hook that a start-up file evaluates."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.cli.conftest import Cli


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "bash", "fish"])
def test_the_hook_is_code_that_its_shell_runs_silently(cli: Cli, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    done = cli("init", shell)
    assert (done.returncode, done.stderr) == (0, "")
    checked = subprocess.run(
        [shell, "-n"], input=done.stdout, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
