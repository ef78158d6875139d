"""The tables of builtins and options contain those of the installed shells."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.words.vocabulary import SHELL_WORDS


def told(*command: str) -> set[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def even(names: frozenset[str]) -> set[str]:
    return {name.replace("_", "") for name in names}


def test_the_options_of_zsh_are_those_it_has() -> None:
    assert even(SHELL_WORDS[Dialect.ZSH].options["setopt"]) == told(
        "zsh", "-fc", "print -rl -- ${(k)options}"
    )


def test_builtins_are_those_the_shells_have() -> None:
    assert SHELL_WORDS[Dialect.ZSH].builtins <= told("zsh", "-fc", "print -rl -- ${(k)builtins}")
    assert SHELL_WORDS[Dialect.BASH].builtins == told("bash", "-c", "compgen -b")
    assert SHELL_WORDS[Dialect.SH].builtins <= told("bash", "-c", "compgen -b")


def test_the_options_of_bash_are_those_it_has() -> None:
    known = SHELL_WORDS[Dialect.BASH].options
    assert known["shopt"] == told("bash", "-c", "shopt | cut -f1")
    assert known["set -o"] == told("bash", "-c", "set -o | cut -f1")
