"""A server that was started with signals ignored: its commands have them as by default."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

IGNORING = """
import os, signal, sys
for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGCHLD"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, "-m", "zsh_ls", *sys.argv[1:]])
"""


def told(folder: Path, *arguments: str) -> str:
    """What `zsh-ls` prints where everything is ignored that may be."""
    homes = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")}
    environment = os.environ | homes | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", IGNORING, *arguments]
    return subprocess.run(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True, check=False
    ).stdout


@pytest.mark.parametrize("signal_name", ["INT", "QUIT", "TERM", "HUP"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_command_ends_by_a_signal_that_its_server_ignores(
    tmp_path: Path, shell: str, signal_name: str
) -> None:
    ends = f"sh -c 'kill -{signal_name} $$; printf went; echo On'"
    assert "wentOn" not in told(tmp_path, "run", "--shell", shell, ends)


def test_its_exit_is_known(tmp_path: Path) -> None:
    assert "exit=3" in told(tmp_path, "run", "--brief", "exit 3")
