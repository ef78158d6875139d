"""Which shell an agent's runs have, and what it reads where zsh refused what bash takes (RUN-19)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .session import COMMAND, by_hand, environment

pytestmark = pytest.mark.slow
ADVICE = "zsh: an unmatched pattern is an error; quote it, or run it with shell=bash"


def test_a_refusal_of_zsh_is_told_and_shell_chooses_for_all_runs(
    home: dict[str, str], project: Path
) -> None:
    with by_hand(home, project, "--shell", "bash") as agent:
        passed = agent.call(1, "zsh", command="echo *.nosuch; echo ${BASH_VERSION:+bash}")
        refused = agent.call(2, "zsh", command="echo *.nosuch", shell="zsh")
    assert passed["structuredContent"]["output"] == "*.nosuch\nbash\n"
    assert ADVICE in refused["content"][0]["text"]
    assert ADVICE in refused["structuredContent"]["insights"]["warning"]


def test_a_shell_that_is_none_is_refused_in_one_line(home: dict[str, str], project: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--shell", "nosuch"],
        env=environment(home),
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("zsh-ls mcp: --shell: expected zsh, bash, sh or")
    assert len(done.stderr.splitlines()) == 1
