"""What is said of a mistake holds between the edges of a real terminal, and names the way out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.tmux import Tmux

pytestmark = pytest.mark.slow

PROGRAM = f"{shlex.quote(sys.executable)} -m zsh_ls"
WIDTH = 70


@pytest.fixture
def terminal(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Tmux]:
    settings = Path(environment["XDG_CONFIG_HOME"]) / "zsh-ls"
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text('timout = 5\nshell = "fsh"\n')
    found = Tmux(environment, tmp_path, cols=WIDTH)
    found.type(f'zsh-ls() {{ {PROGRAM} "$@" }}; clear')
    yield found
    found.end()


# CLI-27, CLI-40
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("session shw", "did you mean show?"),
        ("sesion", "did you mean session?"),
        ("run --sesion s ls", "did you mean --session?"),
        ("run true", "timout: there is no such setting; did you mean timeout?"),
        ("config", "expected zsh, bash, sh or the absolute path of a program"),
    ],
)
def test_a_mistake_is_said_between_the_edges(terminal: Tmux, typed: str, said: str) -> None:
    terminal.type(f"clear; zsh-ls {typed}; echo over")
    terminal.until("\nover\n")
    lines = terminal.screen().partition("\nover\n")[0].split("\n")
    whole = " ".join(line.strip() for line in lines)
    assert said in whole
    # A word that the terminal cut stands in two pieces.
    assert all(any(word in line for line in lines) for word in said.split()), lines


# CLI-24
@pytest.mark.parametrize("sign", ["|", "&&", ">", "2>&1"])
def test_a_sign_of_the_shell_that_came_as_a_word_is_found_out(terminal: Tmux, sign: str) -> None:
    terminal.type(f"clear; zsh-ls run ls no-such-file {shlex.quote(sign)} wc; echo over")
    terminal.until("\nover\n")
    shown = " ".join(line.strip() for line in terminal.screen().split("\n"))
    assert f"'{sign}' is a word of the command here; quote the whole line to have it run" in shown


# CLI-24
def test_a_word_that_a_program_takes_for_its_own_is_no_mistake(terminal: Tmux) -> None:
    terminal.type(
        "clear; zsh-ls run find . -maxdepth 0 -exec false ';' -quit; zsh-ls run expr 0 '&' 0; echo over"
    )
    terminal.until("\nover\n")
    assert "is a word of the command" not in terminal.screen()


# CLI-27
def test_everything_is_forgotten_only_where_it_was_said(terminal: Tmux) -> None:
    terminal.type("clear; zsh-ls run true; zsh-ls forget --all")
    terminal.until("[y/N]")
    terminal.type("n")
    terminal.until("Nothing is forgotten.")
    terminal.type("clear; zsh-ls stats true 2>/dev/null | grep -c 'never run'; echo over")
    terminal.until("\nover\n")
    assert terminal.screen().split("\n", 1)[0] == "0"
    terminal.type("clear; zsh-ls forget --all")
    terminal.until("[y/N]")
    terminal.type("y")
    terminal.type("clear; zsh-ls stats true 2>/dev/null | grep -c 'never run'; echo over")
    terminal.until("\nover\n")
    assert terminal.screen().split("\n", 1)[0] == "1"
