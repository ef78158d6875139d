"""The arguments that a script reads, by number and altogether."""

from __future__ import annotations

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.symbols.arguments import arguments_of
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.syntax.parser import parse


def read(text: str, dialect: Dialect = Dialect.BASH) -> str:
    """`1@0 2@3=prod …`: the numbers with their lines and defaults, `…` where more are taken."""
    found = arguments_of(names_of(parse(text, dialect)))
    told = [
        f"{it.number}@{it.line}" + ("" if it.default is None else f"={it.default}")
        for it in found.numbered
    ]
    return " ".join([*told, *(["…"] if found.takes_more else [])])


@pytest.mark.parametrize("dialect", [Dialect.ZSH, Dialect.BASH, Dialect.SH])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo hi\n", ""),
        ('host=$1\nscp "$2" $host:\n', "1@0 2@1"),
        ("echo ${1:-prod} ${2-} ${3:=a b}\n", "1@0=prod 2@0= 3@0=a b"),
        ('echo "${1:-"two words"}"\n', "1@0=two words"),
        ("echo ${1:-$(hostname)} ${2:?name it}\n", "1@0 2@0"),
        ("f() { echo $1 $@; }\nf a\n", ""),
        ("f() { echo $1; }\nf $2\n", "2@1"),
        ("awk '{ print $1 }' file\n", ""),
        ('x="$(awk \'{ print $2 }\' "$1")"\n', "1@0"),
        ('exec make "$@"\n', "…"),
        ('for it in "$@"; do echo $it; done\n', "…"),
        ("while [ $# -gt 0 ]; do echo $1; shift; done\n", "1@0 …"),
        ('while getopts "ab" it; do :; done\n', "…"),
        ("f() { shift; }\nf\n", ""),
        ("set -- a b\necho $1 $@\n", ""),
        ("echo $1\nset -- a b\necho $2\n", "1@0"),
        ('set -- -v "$@"\necho $1\n', "1@1 …"),
        ("cat <<E\n$1\nE\ncat <<'E'\n$2\nE\n", "1@1"),
        ("# $1\necho \\$2 '$3' $$ $? $0\n", ""),
        ('if [ -n "$1" ]; then echo ${1}; fi\necho ${1:-x}\n', "1@0=x"),
        ("echo ${10} ${100}\n", "10@0"),
        ("echo ${#1} ${1%.txt}\n", "1@0"),
    ],
)
def test_the_arguments_of_a_script(text: str, expected: str, dialect: Dialect) -> None:
    assert read(text, dialect) == expected


def test_what_only_zsh_writes_so() -> None:
    assert read("print $argv[2]\n", Dialect.ZSH) == "…"
    assert read("() { print $1 } a\nprint ${(q)1}\n", Dialect.ZSH) == "1@1"
