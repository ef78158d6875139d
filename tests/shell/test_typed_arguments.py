"""What a person types as arguments becomes the words that zsh makes of it; nothing is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zsh_ls.shell.words.typed import TypedWord, typed_words

VARIABLES = {"HOME": "/home/ada", "NAME": "a b", "STAR": "*", "EMPTY": ""}
AS_ZSH_DOES = [
    "",
    "  a  b ",
    "'a b' \"c d\" e\\ f",
    "--x='1 2'y ''",
    '"a \\"b\\" \\n" *',
    "~ ~/x ~/'y z' a~ --to=~ '~' \\~ \"~\"",
    '$NAME ${NAME}x x$EMPTY $EMPTY "$EMPTY" \'$NAME\' \\$NAME "\\$NAME"',
    '"$NAME and ${NAME}" $STAR',
]


@pytest.mark.parametrize("typed", AS_ZSH_DOES)
def test_words_are_those_of_zsh(typed: str, tmp_path: Path) -> None:
    script = f"setopt no_nomatch; print -rN -- {typed}"
    command = ["zsh", "-fc", script if typed.strip() else ":"]
    done = subprocess.run(command, env=VARIABLES, cwd=tmp_path, capture_output=True, check=True)
    expected = done.stdout.decode().split("\0")[:-1]
    assert [it.text for it in typed_words(typed, VARIABLES)] == expected


def test_what_is_left_open_ends_with_the_text() -> None:
    assert [it.text for it in typed_words("it's open", {})] == ["its open"]
    assert [it.text for it in typed_words("end\\", {})] == ["end"]


def test_a_pattern_is_of_what_is_not_quoted_alone() -> None:
    found = typed_words("*.c '*'.c $STAR/* \"[a]\"?", VARIABLES)
    assert found == [
        TypedWord("*.c", "*.c"),
        TypedWord("*.c"),
        TypedWord("*/*", "[*]/*"),
        TypedWord("[a]?", "[[]a]?"),
    ]


@pytest.mark.parametrize("typed", ["$(touch x)", "`touch x`", "a;b", "a|b", ">x", "<(ls)"])
def test_nothing_is_a_command(typed: str) -> None:
    assert "".join(it.text for it in typed_words(typed, {})) == typed.replace(" ", "")
