"""The dialect of a text, from its content, its name and the editor's language id."""

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.dialect import dialect_of

ZSH, BASH, SH = Dialect.ZSH, Dialect.BASH, Dialect.SH


@pytest.mark.parametrize(
    ("text", "language_id", "name", "expected"),
    [
        ("", None, None, ZSH),
        ("#!/bin/zsh\n", "shellscript", "x.sh", ZSH),
        ("#!/bin/bash\n", "zsh", "x.zsh", BASH),
        ("#! /usr/bin/env bash\n", None, None, BASH),
        ("#!/usr/bin/env -S zsh -f\n", None, None, ZSH),
        ("#!/usr/bin/env -S A=b bash -e\n", None, None, BASH),
        ("#!/bin/sh -e\n", None, None, SH),
        ("#!/bin/dash\n", "bash", None, SH),
        ("#!/usr/bin/python3\n", None, "x.bash", BASH),
        ("#!/usr/bin/env\n", None, None, ZSH),
        ("#compdef git\n", "sh", "_git", ZSH),
        ("#autoload\n", None, "helper", ZSH),
        ("#compdefinitely\n", "bash", None, BASH),
        ("# vim: ft=bash sw=2\n", None, "x.zsh", BASH),
        ("a\n# vim: set filetype=zsh :\n", "sh", "x.sh", ZSH),
        ("# -*- mode: sh; sh-shell: zsh -*-\n", None, "x.sh", ZSH),
        ("# -*- mode: zsh; sh-indentation: 2 -*-\n", None, "x.sh", ZSH),
        ("# -*- mode: sh; sh-basic-offset: 4 -*-\n", None, "x.zsh", ZSH),
        ("# -*- bash -*-\n", None, None, BASH),
        ("# shellcheck shell=bash\n", None, "x.sh", BASH),
        ("a\n" * 20 + "# vim: ft=zsh", None, "x.sh", ZSH),
        ("echo vim: ft=bash\n", None, None, ZSH),
        ("", "bash", "x.sh", BASH),
        ("", "bash", ".zshrc", ZSH),
        ("", "bash", "plugin.zsh", ZSH),
        ("", "zsh", "x.bash", ZSH),
        ("", "zsh", None, ZSH),
        ("", "sh", None, SH),
        ("", "sh", ".bashrc", BASH),
        ("", "shellscript", "x.zsh", ZSH),
        ("", "shellscript", "lib.sh", SH),
        ("", None, "x.sh", SH),
        ("", None, "/home/me/.zshrc", ZSH),
        ("", None, "/etc/zsh/zshenv", ZSH),
        ("", None, "/etc/bash.bashrc", BASH),
        ("", None, "robbyrussell.zsh-theme", ZSH),
        ("", None, "/etc/profile", SH),
        ("", None, ".bash_aliases", BASH),
        ("", "python", "x.py", ZSH),
        ("if [[ -n $x ]]; then\n", "shellscript", "lib.sh", BASH),
        ("x=(a b)\n", None, "lib.sh", BASH),
        ("print ${(f)x}\n", None, "oh-my-zsh.sh", ZSH),
        ("[ $ZSH_VERSION ]; for x ($y) print ${(f)x}\n", None, "oh-my-zsh.sh", ZSH),
        ("[[ $ZSH_VERSION ]] && print ${(f)x}\n[[ a ]]\n", None, "lib.sh", BASH),
        ("echo '[[ x ]]'; [ -n x ]; f() (a)\n", None, "lib.sh", SH),
        ("#!/bin/sh\n[[ -n $x ]]\n", None, "lib.sh", SH),
    ],
)
def test_what_a_text_says_goes_before_what_is_said_of_it(text, language_id, name, expected):
    assert dialect_of(text, language_id, name) is expected
