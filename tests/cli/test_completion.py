"""`zsh-ls completion`: the code it prints completes commands, options and files in the real shells."""

from __future__ import annotations

import re
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


PAGE = (ROOT / "docs/installing.md").read_text()
# What the page has beside the line that writes them; bash's package that looks there is not ours to test.
STARTS = {
    "zsh": "".join(re.findall(r"^```zsh\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)),
    "bash": 'source "$HOME/.local/share/bash-completion/completions/zsh-ls"',
    "fish": "",
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


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "bash", "fish"])
def test_the_line_of_the_page_works_in_an_empty_home(shell: str, tmp_path: Path) -> None:
    (line,) = re.findall(rf"^\$ (.*zsh-ls completion {shell} .*)$", PAGE, re.MULTILINE)
    subprocess.run(
        [shell, "-c", line],
        env={
            "HOME": str(tmp_path),
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        },
        check=True,
    )
    terminal = Prompt(shell, tmp_path, STARTS[shell])
    try:
        terminal("send-keys", "-l", "--", "zsh-ls fail")
        terminal.press("Tab")
        terminal.until("zsh-ls failures")
    finally:
        terminal.end()
