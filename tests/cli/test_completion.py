"""`zsh-ls completion`: the code it prints completes commands, options and files in the real shells."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_prompt import Prompt
from tests.server.rpc import ROOT

USES = {
    "zsh": 'autoload -Uz compinit\ncompinit -u -D\nsource "$HOME/completions"\n'
    "compdef _shtab_zsh_ls zsh-ls\nsetopt no_auto_menu\n",
    "bash": 'source "$HOME/completions"',
    "fish": 'source "$HOME/completions"',
}


def printed(shell: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", "completion", shell],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(params=["zsh", "bash", "fish"])
def prompt(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Prompt]:
    (tmp_path / "completions").write_text(printed(request.param))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "scriptlike.zsh").write_text("print hi\n")
    shell = Prompt(request.param, tmp_path, USES[request.param])
    yield shell
    shell.end()


# CLI-43
@pytest.mark.slow
def test_a_tab_completes_commands_options_and_files(prompt: Prompt) -> None:
    prompt("send-keys", "-l", "--", "zsh-ls fail")
    prompt.press("Tab")
    prompt.until("zsh-ls failures")
    prompt("send-keys", "-l", "--", "--js")
    prompt.press("Tab")
    prompt.until("zsh-ls failures --json")
    prompt("send-keys", "-l", "--", "scriptl")
    prompt.press("Tab")
    prompt.until("zsh-ls failures --json scriptlike.zsh")


def test_every_command_is_completed() -> None:
    commands = {it.stem.rstrip("_") for it in (ROOT / "zsh_ls/cli/commands").glob("[a-z]*.py")}
    text = printed("fish")
    assert {name for name in commands if f" -a {name} " not in text} == set()
